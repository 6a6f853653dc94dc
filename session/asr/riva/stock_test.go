package riva_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"steno/session/asr"
	"steno/session/asr/riva"
	"steno/session/asr/riva/rivapb"
	"steno/session/asr/riva/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// stock answers as a Riva server does: it has no header of ours, and sends nothing before its first
// result.
type stock struct {
	rivapb.UnimplementedRivaSpeechRecognitionServer
	early   []*rivapb.StreamingRecognizeResponse // sent at the first audio
	late    []*rivapb.StreamingRecognizeResponse // sent at the end of the audio
	refuse  error                                // returned after the configuration
	hurried bool                                 // ends the call at the first audio
	stuck   bool                                 // ends the call never
	deaf    bool                                 // takes no audio
	also    func(*grpc.Server)                   // registers more services; may be nil

	mu      sync.Mutex
	request *rivapb.StreamingRecognitionConfig
	header  metadata.MD
	audio   []int // bytes of each message of audio
}

func (s *stock) StreamingRecognize(stream grpc.BidiStreamingServer[rivapb.StreamingRecognizeRequest,
	rivapb.StreamingRecognizeResponse]) error {
	first, err := stream.Recv()
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.request = first.GetStreamingConfig()
	s.header, _ = metadata.FromIncomingContext(stream.Context())
	s.mu.Unlock()
	if s.refuse != nil {
		return s.refuse
	}
	if s.deaf {
		<-stream.Context().Done()
		return stream.Context().Err()
	}
	for n := 0; ; n++ {
		next, err := stream.Recv()
		s.mu.Lock()
		s.audio = append(s.audio, len(next.GetAudioContent()))
		s.mu.Unlock()
		switch {
		case errors.Is(err, io.EOF):
			return s.end(stream)
		case err != nil:
			return err
		case s.hurried:
			return nil
		case n == 0:
			if err := send(stream, s.early); err != nil {
				return err
			}
		}
	}
}

func (s *stock) end(stream grpc.BidiStreamingServer[rivapb.StreamingRecognizeRequest,
	rivapb.StreamingRecognizeResponse]) error {
	if s.stuck {
		<-stream.Context().Done()
	}
	return send(stream, s.late)
}

func send(stream grpc.BidiStreamingServer[rivapb.StreamingRecognizeRequest, rivapb.StreamingRecognizeResponse],
	answers []*rivapb.StreamingRecognizeResponse) error {
	for _, answer := range answers {
		if err := stream.Send(answer); err != nil {
			return err
		}
	}
	return nil
}

// dial serves s and returns a client of it.
func dial(t *testing.T, s *stock, c riva.Config) *riva.Recognizer {
	t.Helper()
	return serve(t, s, s.also, c)
}

// serve serves recognition, and what also registers, and returns a client.
func serve(t *testing.T, recognition rivapb.RivaSpeechRecognitionServer, also func(*grpc.Server),
	c riva.Config) *riva.Recognizer {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s")
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer(grpc.WaitForHandlers(true))
	rivapb.RegisterRivaSpeechRecognitionServer(server, recognition)
	if also != nil {
		also(server)
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	c.Address = "unix:" + path
	r, err := riva.Dial(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = r.Close()
		server.Stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return r
}

// answer is a response of one result: final or not, its words with times in ms.
func answer(final bool, transcript string, words ...*rivapb.WordInfo) *rivapb.StreamingRecognizeResponse {
	return &rivapb.StreamingRecognizeResponse{Results: []*rivapb.StreamingRecognitionResult{{
		IsFinal:      final,
		Alternatives: []*rivapb.SpeechRecognitionAlternative{{Transcript: transcript, Words: words}},
	}}}
}

func word(text string, start, end int32, confidence float32) *rivapb.WordInfo {
	return &rivapb.WordInfo{Word: text, StartTime: start, EndTime: end, Confidence: confidence}
}

// recognize sends a second of audio and returns all results.
func recognize(t *testing.T, r asr.Recognizer, p asr.Params) ([]asr.Result, error) {
	t.Helper()
	u, err := r.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(u.Write(make([]int16, asr.Rate)), u.End()); err != nil {
		t.Fatal(err)
	}
	var results []asr.Result
	for {
		result, err := u.Recv()
		if errors.Is(err, io.EOF) {
			return results, nil
		}
		if err != nil {
			return results, err
		}
		results = append(results, result)
	}
}

func texts(results []asr.Result) (out [][]string) {
	for _, r := range results {
		var words []string
		for _, w := range r.Words {
			words = append(words, w.Text)
		}
		out = append(out, words)
	}
	return out
}

// A stock server gets no context, also after it was asked for its models.
func TestStockServersGetNoContext(t *testing.T) {
	s := &stock{late: []*rivapb.StreamingRecognizeResponse{answer(true, "yes")}}
	r := dial(t, s, riva.Config{})
	for range 2 {
		if _, err := recognize(t, r, asr.Params{Language: "en", Context: make([]int16, asr.Rate)}); err != nil {
			t.Fatal(err)
		}
		if custom := s.request.GetConfig().GetCustomConfiguration(); len(custom) > 0 || s.audio[0] > 2*asr.Rate {
			t.Errorf("custom configuration %v, messages of %v bytes", custom, s.audio)
		}
		if _, err := r.Models(t.Context()); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("models: %v", err)
		}
	}
}

func TestFinalsAreJoined(t *testing.T) {
	s := &stock{
		early: []*rivapb.StreamingRecognizeResponse{
			{}, answer(false, ""), answer(false, "good mor"),
			answer(true, "Good morning. ", word("Good", 100, 300, 0.9), word("morning.", 320, 500, -0.1)),
			answer(false, " how are "),
		},
		late: []*rivapb.StreamingRecognizeResponse{
			answer(true, "How are you?", word("How", 600, 700, 0.5), word("are", 650, 640, 1.5),
				word("you?", 900, 4000, 0)),
		},
	}
	got, err := recognize(t, dial(t, s, riva.Config{}), asr.Params{Language: "en", Partials: true})
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		{"good", "mor"}, {"Good", "morning."}, {"Good", "morning.", "how", "are"},
		{"Good", "morning.", "How", "are", "you?"}, {"Good", "morning.", "How", "are", "you?"},
	}
	if !reflect.DeepEqual(texts(got), want) {
		t.Fatalf("got %q, want %q", texts(got), want)
	}
	final := got[4]
	if !final.Final || !final.Timed || final.Language != "en" || final.Engine != "riva" || got[3].Final ||
		got[2].Timed {
		t.Errorf("results %+v", got)
	}
	words := []asr.Word{
		{Text: "Good", Start: 1600, End: 4800, Confidence: 0.9},
		{Text: "morning.", Start: 5120, End: 8000, Confidence: 0.9048}, // e^-0.1
		{Text: "How", Start: 9600, End: 11200, Confidence: 0.5},
		{Text: "are", Start: 10400, End: 10400, Confidence: 1},
		{Text: "you?", Start: 14400, End: 16000},
	}
	if !reflect.DeepEqual(final.Words, words) {
		t.Errorf("words %+v, want %+v", final.Words, words)
	}
}

// The server counts the times of each final from its own beginning.
func TestTimesOfFinalsAreInOrder(t *testing.T) {
	s := &stock{
		early: []*rivapb.StreamingRecognizeResponse{
			answer(true, "one", word("one", 500, 700, 1)), answer(false, "two", word("two", 100, 200, 1)),
		},
		late: []*rivapb.StreamingRecognizeResponse{answer(true, "two three", word("two", 100, 300, 1),
			word("three", 600, 800, 1))},
	}
	got, err := recognize(t, dial(t, s, riva.Config{}), asr.Params{Partials: true})
	if err != nil || len(got) != 4 {
		t.Fatalf("results %+v, %v", got, err)
	}
	for _, r := range got {
		if !slices.IsSortedFunc(r.Words, func(a, b asr.Word) int { return a.Start - b.Start }) {
			t.Errorf("words %+v are not in order", r.Words)
		}
	}
}

func TestNoFinalIsAnEmptyOne(t *testing.T) {
	s := &stock{early: []*rivapb.StreamingRecognizeResponse{answer(false, "hm")}}
	got, err := recognize(t, dial(t, s, riva.Config{}), asr.Params{})
	if err != nil || len(got) != 1 || !got[0].Final || len(got[0].Words) != 0 {
		t.Errorf("results %+v, %v", got, err)
	}
}

func TestWordsWithoutTimes(t *testing.T) {
	s := &stock{late: []*rivapb.StreamingRecognizeResponse{
		answer(true, "one", word("one", 10, 20, 1)), answer(true, "two three"),
	}}
	got, err := recognize(t, dial(t, s, riva.Config{}), asr.Params{})
	if err != nil || len(got) != 1 || got[0].Timed || len(got[0].Words) != 3 || got[0].Words[0].End != 0 {
		t.Errorf("results %+v, %v", got, err)
	}
}

func TestCallsThatFail(t *testing.T) {
	many := make([]*rivapb.WordInfo, 5000)
	for i := range many {
		many[i] = word("a", 0, 1, 1)
	}
	for name, test := range map[string]struct {
		server *stock
		config riva.Config
		want   error
	}{
		"no model": {&stock{refuse: status.Error(codes.InvalidArgument,
			"Error: Unavailable model requested. Lang: fr-FR, Type: online")}, riva.Config{}, asr.ErrLanguage},
		"busy": {&stock{refuse: status.Error(codes.ResourceExhausted, "no free instance")}, riva.Config{},
			asr.ErrUnavailable},
		"broken": {&stock{refuse: status.Error(codes.Internal, "inference failed")}, riva.Config{},
			asr.ErrUnavailable},
		"stopping": {&stock{refuse: status.Error(codes.Canceled, "server stops")}, riva.Config{},
			asr.ErrUnavailable},
		"slow": {&stock{stuck: true}, riva.Config{FinalTimeout: 20 * time.Millisecond}, asr.ErrUnavailable},
		"too many": {&stock{late: []*rivapb.StreamingRecognizeResponse{answer(true, "", many...)}}, riva.Config{},
			asr.ErrUnavailable},
		"great message": {&stock{late: []*rivapb.StreamingRecognizeResponse{answer(true,
			string(make([]byte, 2<<20)))}}, riva.Config{}, asr.ErrUnavailable},
	} {
		if got, err := recognizeLoosely(t, dial(t, test.server, test.config)); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, %v; want %v", name, got, err, test.want)
		}
	}
	s := &stock{refuse: status.Error(codes.Unauthenticated, "who are you")}
	if _, err := recognizeLoosely(t, dial(t, s, riva.Config{})); err == nil || errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("refused for good: %v, want an error that is not ErrUnavailable", err)
	}
}

// A server that takes no more audio than the connection holds loses the utterance, which could not
// be ended otherwise.
func TestServerThatTakesNoAudio(t *testing.T) {
	u, err := dial(t, &stock{deaf: true}, riva.Config{FinalTimeout: 50 * time.Millisecond}).Open(t.Context(),
		asr.Params{})
	if err != nil {
		t.Fatal(err)
	}
	for range asr.MaxSamples / asr.Rate {
		if err = u.Write(make([]int16, asr.Rate)); err != nil {
			break
		}
	}
	if !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("write: %v, want ErrUnavailable", err)
	}
	if _, err := u.Recv(); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("recv: %v, want ErrUnavailable", err)
	}
}

// recognizeLoosely ignores failing writes, as callers must: Recv returns why.
func recognizeLoosely(t *testing.T, r asr.Recognizer) (asr.Result, error) {
	t.Helper()
	u, err := r.Open(t.Context(), asr.Params{})
	if err != nil {
		return asr.Result{}, err
	}
	if u.Write(make([]int16, asr.Rate)) == nil {
		_ = u.End()
	}
	return u.Recv()
}

// TestEndedEarly checks that a call which the server ends before the audio's end has no final.
func TestEndedEarly(t *testing.T) {
	r := dial(t, &stock{hurried: true}, riva.Config{})
	u, err := r.Open(t.Context(), asr.Params{})
	if err != nil {
		t.Fatal(err)
	}
	if err := u.Write(make([]int16, asr.Rate)); err != nil {
		t.Fatal(err)
	}
	if result, err := u.Recv(); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("received %v, %v; want ErrUnavailable", result, err)
	}
}

// TestSteps holds that audio is sent by steps of 100 ms of the utterance, however it is written,
// and all of it in a pause and at the end.
func TestSteps(t *testing.T) {
	s := &stock{}
	u, err := dial(t, s, riva.Config{}).Open(t.Context(), asr.Params{})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{4900, 160, 1340, 160, 160, 0, 4000, 20} {
		if n == 0 {
			err = u.Pause()
		} else {
			err = u.Write(make([]int16, n))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := u.End(); err != nil {
		t.Fatal(err)
	}
	if _, err := u.Recv(); err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if want := []int{2 * 4900, 2 * 1500, 2 * 320, 2 * 4000, 2 * 20, 0}; !slices.Equal(s.audio, want) {
		t.Errorf("messages of %v bytes, want %v", s.audio, want)
	}
}

func TestRequest(t *testing.T) {
	s := &stock{}
	r := dial(t, s, riva.Config{
		Header: map[string]string{"authorization": "Bearer x"}, Model: "m", Punctuation: true,
		Tags: map[string]string{"en": "en-GB"},
	})
	p := asr.Params{Priority: asr.Replay, Party: "the account",
		Vocabulary: []asr.Term{{Text: "a", Intensity: 0.5, Pronunciations: []string{"b"}}}}
	if _, err := recognize(t, r, p); err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.request.Config
	if c.LanguageCode != "en-GB" || c.Model != "m" || !c.EnableAutomaticPunctuation || c.SampleRateHertz != 16000 ||
		c.Encoding != 1 || !c.EnableWordTimeOffsets || s.request.InterimResults ||
		len(c.SpeechContexts) != 1 || c.SpeechContexts[0].Boost != 10 || len(c.CustomConfiguration) != 0 {
		t.Errorf("request %v", s.request)
	}
	if s.header.Get("authorization")[0] != "Bearer x" || s.header.Get("steno-priority")[0] != "replay" {
		t.Errorf("header %v", s.header)
	}
	if len(s.header.Get(wire.PartyKey)) > 0 || strings.Contains(fmt.Sprint(s.header, s.request), "account") {
		t.Errorf("another's server was told of the party: %v", s.header)
	}
}

func TestNobodyThere(t *testing.T) {
	r, err := riva.Dial(riva.Config{Address: "unix:" + filepath.Join(t.TempDir(), "none")})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	if u, err := r.Open(t.Context(), asr.Params{}); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("open: %v, %v; want ErrUnavailable", u, err)
	}
	if err := r.Healthy(t.Context(), false); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("health: %v, want ErrUnavailable", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := r.Healthy(ctx, true); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("health: %v, want the context's error", err)
	}
}

// TestSilentServer connects to a listener that never answers.
func TestSilentServer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	r, err := riva.Dial(riva.Config{Address: "unix:" + path, OpenTimeout: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	if u, err := r.Open(t.Context(), asr.Params{}); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("open: %v, %v; want ErrUnavailable", u, err)
	}
}
