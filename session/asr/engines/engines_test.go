package engines

import (
	"errors"
	"net"
	"reflect"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc"

	"steno/session/asr"
	"steno/session/asr/local"
	"steno/session/asr/riva/pool"
	"steno/session/asr/riva/rivapb"
	"steno/session/asr/router"
	"steno/session/asr/scripted"
	"steno/session/asr/twopass"
)

// A recognizer for partials refuses an utterance of unknown language, which costs the partials and
// nothing else.
func TestLanguageGate(t *testing.T) {
	words := scripted.New(scripted.Config{})
	synctest.Test(t, func(t *testing.T) {
		pair := twopass.New(languageGated{words}, words)
		u, err := pair.Open(t.Context(), asr.Params{Partials: true})
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if err := u.End(); err != nil {
			t.Fatal(err)
		}
		if _, err := u.Recv(); err != nil {
			t.Fatal(err)
		}
		if err := pair.Close(); err != nil {
			t.Fatal(err)
		}
		if got, want := pair.Drops(), map[twopass.Drop]int64{twopass.DropRefused: 1}; !reflect.DeepEqual(got, want) {
			t.Errorf("drops %v, want %v", got, want)
		}
	})
}

// The first starts have finished when each engine has been ready or has failed, in any order.
func TestFirstStarts(t *testing.T) {
	broken := errors.New("broken")
	a, b := &process{&local.Recognizer{}, "a", false}, &process{&local.Recognizer{}, "b", false}
	for name, tc := range map[string]struct {
		first, then map[string]error
		remote      bool
		want        error
	}{
		"both ready":         {then: map[string]error{"a": nil, "b": nil}},
		"one ready":          {first: map[string]error{"a": broken}, then: map[string]error{"b": nil}},
		"none ready":         {first: map[string]error{"b": broken}, then: map[string]error{"a": broken}, want: broken},
		"none but a server":  {then: map[string]error{"a": broken, "b": broken}, remote: true},
		"known all too soon": {first: map[string]error{"a": broken, "b": broken}, want: broken},
	} {
		s := newFirstStarts()
		for name, err := range tc.first {
			s.record(name, err)
		}
		s.expect([]*process{a, b}, tc.remote)
		for name, err := range tc.then {
			s.record(name, err)
		}
		if err := s.wait(t.Context()); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v, want %v", name, err, tc.want)
		}
		if failed := len(s.failed) > 0; failed != (tc.want != nil) {
			t.Errorf("%s: failed %v", name, failed)
		}
	}
}

// A server that is away is reported without counts; an engine that waits for a model to be
// installed is not away.
func TestFiguresOfEnginesThatAreAway(t *testing.T) {
	away := "127.0.0.1:1" // nothing serves there
	s, err := Start(t.Context(), Config{
		Engines: []Engine{
			{Name: "gpu", Pool: &pool.Config{Addresses: []string{away}, HealthEvery: 10 * time.Millisecond}},
			{Name: "sherpa", Local: &local.Config{Enabled: func() bool { return false }}},
		},
	}, Observer{Process: func(string, local.Event) {}, Line: func(string, string) {},
		Server: func(string, pool.Change) {}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	want := []Figures{{Engine: "gpu", Server: away}}
	for deadline := time.Now().Add(20 * time.Second); !reflect.DeepEqual(s.Figures(t.Context()),
		want); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("figures %v, want %v", s.Figures(t.Context()), want)
		}
	}
}

// A Riva server that does not list its models is taken to have all languages, and its engine is
// ready.
func TestServerWithoutList(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	rivapb.RegisterRivaSpeechRecognitionServer(server, rivapb.UnimplementedRivaSpeechRecognitionServer{})
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	languages := []string{"de", "en"}
	s, err := Start(t.Context(), Config{
		Engines:   []Engine{{Name: "gpu", Pool: &pool.Config{Addresses: []string{listener.Addr().String()}}}},
		Plans:     map[string]router.Plan{"stt-1": {Engines: []string{"gpu"}}},
		Languages: languages,
	}, Observer{Process: func(string, local.Event) {}, Line: func(string, string) {},
		Server: func(string, pool.Change) {}})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Router().Languages(t.Context(), "stt-1"); !slices.Equal(got, languages) {
		t.Errorf("languages %v, want %v", got, languages)
	}
	if err := s.Ready("stt-1"); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	server.Stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
