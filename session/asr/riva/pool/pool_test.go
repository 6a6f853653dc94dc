package pool_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"steno/cmd/cmdtest"
	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/riva/pool"
	"steno/session/asr/scripted"
)

var (
	_ asr.Lister     = (*pool.Recognizer)(nil)
	_ asr.Identifier = (*pool.Recognizer)(nil)
	_ asr.Punctuator = (*pool.Recognizer)(nil)
	_ asr.Diarizer   = (*pool.Recognizer)(nil)
	_ asr.Denoiser   = (*pool.Recognizer)(nil)
)

func TestSuite(t *testing.T) {
	fresh := func(t *testing.T) asr.Recognizer {
		a, b := &node{t: t, address: cmdtest.Address(t)}, &node{t: t, address: cmdtest.Address(t)}
		for _, n := range []*node{a, b} {
			n.config.Languages = []string{"en"}
			n.start()
			t.Cleanup(func() { n.stop() })
		}
		return newPool(t, quick(a.address, b.address))
	}
	asrtest.Run(t, fresh, asrtest.Ramp(2*asr.Rate, 1), asrtest.Ramp(5*asr.Rate, 77), asrtest.Ramp(700, 5))
}

func openCounts(r *pool.Recognizer) (counts []int) {
	for _, s := range r.Servers() {
		counts = append(counts, s.Open)
	}
	return counts
}

// TestSpread holds that utterances go where the fewest are.
func TestSpread(t *testing.T) {
	a, b, c := newNode(t, nil), newNode(t, nil), newNode(t, nil)
	r := newPool(t, quick(a.address, b.address, c.address))
	var all []asr.Stream
	for range 9 {
		all = append(all, open(t, r, asr.Params{}))
	}
	if got := openCounts(r); !reflect.DeepEqual(got, []int{3, 3, 3}) {
		t.Fatalf("9 utterances lie %v", got)
	}
	for _, n := range []int{1, 4} { // both of the second server
		if _, err := finish(all[n], nil); err != nil {
			t.Fatal(err)
		}
	}
	if got := openCounts(r); !reflect.DeepEqual(got, []int{3, 1, 3}) {
		t.Fatalf("after two finals: %v", got)
	}
	open(t, r, asr.Params{})
	if got := openCounts(r); !reflect.DeepEqual(got, []int{3, 2, 3}) {
		t.Errorf("the next went to %v", got)
	}
	open(t, r, asr.Params{Attempt: 1})
	if got := openCounts(r); got[1] != 2 {
		t.Errorf("the second attempt went to %v, where the first would have gone", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	before := openCounts(r)
	if _, err := r.Open(ctx, asr.Params{}); err != nil {
		t.Fatal(err)
	}
	cancel()
	until(t, "an abandoned one has left", func() bool { return reflect.DeepEqual(openCounts(r), before) })
}

// TestKilledInMidUtterance kills a server with open utterances: they fail as unavailable, and the
// same audio has the same final elsewhere. The server gets no utterances until it is back.
func TestKilledInMidUtterance(t *testing.T) {
	a, b := newNode(t, nil), newNode(t, nil)
	var went, came atomic.Int64
	config := quick(a.address, b.address)
	config.OnChange = func(c pool.Change) {
		if c.Up {
			came.Add(1)
		} else {
			went.Add(1)
		}
		if c.Address != a.address {
			t.Errorf("change %+v of the server that stayed", c)
		}
	}
	r := newPool(t, config)
	audio := asrtest.Ramp(3*asr.Rate, 5)
	want := decode(t, r, audio)
	all := make([]asr.Stream, 6)
	for i := range all {
		all[i] = open(t, r, asr.Params{})
		if err := all[i].Write(audio[:asr.Rate]); err != nil {
			t.Fatal(err)
		}
	}
	a.stop()
	lost := 0
	for _, u := range all {
		got, err := finish(u, audio[asr.Rate:])
		switch {
		case errors.Is(err, asr.ErrUnavailable):
			lost++
			got, err = finish(open(t, r, asr.Params{Attempt: 1}), audio)
			fallthrough
		case err == nil:
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("final %+v, %v; want %+v", got, err, want)
			}
		default:
			t.Errorf("recv: %v, want ErrUnavailable", err)
		}
	}
	if lost != 3 {
		t.Errorf("%d utterances of 6 were lost with one server of two", lost)
	}
	if s := r.Servers()[0]; s.Up || s.Failures == 0 || s.Err == nil || s.Open != 0 {
		t.Errorf("the server that went: %+v", s)
	}
	a.start()
	until(t, "the server is back", func() bool { return up(r) == 2 })
	until(t, "its return was told", func() bool { return came.Load() > 0 && went.Load() > 0 })
	open(t, r, asr.Params{})
	open(t, r, asr.Params{})
	if got := openCounts(r); !reflect.DeepEqual(got, []int{1, 1}) {
		t.Errorf("utterances after the return lie %v", got)
	}
}

func TestNobodyThere(t *testing.T) {
	a := newNode(t, nil)
	r := newPool(t, quick(a.address))
	decode(t, r, asrtest.Ramp(asr.Rate, 1))
	a.stop()
	until(t, "the server is missed", func() bool { return r.Ready() != nil })
	_, err := r.Open(t.Context(), asr.Params{})
	if !errors.Is(err, asr.ErrUnavailable) || !strings.Contains(err.Error(), a.address) {
		t.Errorf("open: %v, want ErrUnavailable with the address", err)
	}
	if _, err := r.Models(t.Context()); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("models: %v, want ErrUnavailable", err)
	}
	a.start()
	until(t, "the server is back", func() bool { return r.Ready() == nil })
	decode(t, r, asrtest.Ramp(asr.Rate, 1))
}

// TestRefusedTriesTheNext opens before any health check.
func TestRefusedTriesTheNext(t *testing.T) {
	b := newNode(t, nil)
	config := quick("127.0.0.1:1", b.address, silent(t))
	config.MinBackoff, config.MaxBackoff, config.HealthTimeout = time.Hour, time.Hour, time.Hour
	config.Client.OpenTimeout = 500 * time.Millisecond
	r := newPool(t, config)
	for range 6 {
		decode(t, r, asrtest.Ramp(asr.Rate, 1))
	}
	if states := r.Servers(); states[0].Up || !states[1].Up || states[2].Up {
		t.Errorf("servers %+v", states)
	}
}

// TestRefusedForGood has a proxy that refuses every call, so that its server always seems to have
// the fewest utterances.
func TestRefusedForGood(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer(grpc.UnknownServiceHandler(func(any, grpc.ServerStream) error {
		return status.Error(codes.Unauthenticated, "who are you")
	}))
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	t.Cleanup(func() {
		server.Stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	a := newNode(t, nil)
	r := newPool(t, quick(listener.Addr().String(), a.address))
	for range 3 {
		decode(t, r, asrtest.Ramp(asr.Rate, 1))
		if models, err := r.Models(t.Context()); err != nil || len(models) == 0 {
			t.Errorf("models %v, %v", models, err)
		}
	}
	a.stop()
	if _, err := r.Open(t.Context(), asr.Params{}); err == nil {
		t.Error("an utterance was taken with no server that takes any")
	}
}

// TestBusyIsNoFailure holds that a full server is passed over and not left alone.
func TestBusyIsNoFailure(t *testing.T) {
	a := newNode(t, nil)
	a.stop()
	a.most = 2
	a.start()
	config := quick(a.address)
	config.MinBackoff, config.MaxBackoff = time.Hour, time.Hour
	r := newPool(t, config)
	first := open(t, r, asr.Params{})
	open(t, r, asr.Params{})
	for range 3 {
		if _, err := r.Open(t.Context(), asr.Params{}); !errors.Is(err, asr.ErrUnavailable) {
			t.Errorf("open: %v, want ErrUnavailable", err)
		}
	}
	if _, err := finish(first, nil); err != nil {
		t.Fatal(err)
	}
	until(t, "there is room again", func() bool {
		_, err := r.Open(t.Context(), asr.Params{})
		return err == nil
	})
}

// TestHangingServer stalls a server in mid-utterance: its utterances are lost within a few
// questions for its health, and it is back when it answers.
func TestHangingServer(t *testing.T) {
	a := newNode(t, nil)
	way := newRelay(t, a.address)
	config := quick(way.listener.Addr().String())
	config.HealthTimeout = 50 * time.Millisecond
	r := newPool(t, config)
	audio := asrtest.Ramp(2*asr.Rate, 1)
	want := decode(t, scripted.New(scripted.Config{}), audio)
	var u asr.Stream
	until(t, "an utterance was taken", func() (taken bool) {
		var err error
		u, err = r.Open(t.Context(), asr.Params{})
		return err == nil && u.Write(audio) == nil
	})
	way.stall(true)
	if _, err := u.Recv(); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("recv: %v, want ErrUnavailable", err)
	}
	if err := u.Write(audio); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("write: %v, want ErrUnavailable", err)
	}
	way.stall(false)
	if got, _ := persist(t, r, audio, func() {}); !reflect.DeepEqual(got, want) {
		t.Errorf("final %+v, want %+v", got, want)
	}
}

// cutEvery is how many writes of all utterances pass between two cuts: some five utterances' worth.
const cutEvery = 100

// TestCuts breaks connections at random under load. Every utterance has its final in the end, and
// the right one.
func TestCuts(t *testing.T) {
	a, b := newNode(t, nil), newNode(t, nil)
	ways := []*relay{newRelay(t, a.address), newRelay(t, b.address)}
	r := newPool(t, quick(ways[0].listener.Addr().String(), ways[1].listener.Addr().String()))
	direct := scripted.New(scripted.Config{})
	var writes, lost atomic.Int64
	write := func() {
		if writes.Add(1)%cutEvery == 0 {
			ways[rand.IntN(2)].cut()
		}
	}
	var speaking sync.WaitGroup
	for n := range 6 {
		speaking.Go(func() {
			for i := range 15 {
				audio := asrtest.Ramp(asr.Rate*2, n*100+i)
				want := decode(t, direct, audio)
				got, failures := persist(t, r, audio, write)
				lost.Add(int64(failures))
				if !reflect.DeepEqual(got, want) {
					t.Errorf("final %+v, want %+v", got, want)
				}
			}
		})
	}
	speaking.Wait()
	if lost.Load() == 0 {
		t.Error("no utterance was hit: nothing is tested")
	}
}

// persist opens the utterance until it has its final, and reports each block that it wrote.
func persist(t *testing.T, r asr.Recognizer, audio []int16, wrote func()) (asr.Result, int) {
	for attempt := 0; ; attempt++ {
		u, err := r.Open(t.Context(), asr.Params{Attempt: attempt, Partials: true})
		for i := 0; err == nil && i < len(audio); i += 1600 {
			err = u.Write(audio[i:min(i+1600, len(audio))])
			wrote()
		}
		var result asr.Result
		switch {
		case err == nil:
			result, err = finish(u, nil)
		case u != nil:
			_, err = finish(u, nil)
		}
		if err == nil {
			return result, attempt
		}
		if !errors.Is(err, asr.ErrUnavailable) {
			t.Errorf("an error other than ErrUnavailable: %v", err)
			return result, attempt
		}
		time.Sleep(time.Millisecond)
	}
}

func TestClose(t *testing.T) {
	a := newNode(t, nil)
	r := newPool(t, quick(a.address, silent(t)))
	u := open(t, r, asr.Params{})
	for range 2 {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := u.Recv(); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("recv: %v, want ErrUnavailable", err)
	}
	if _, err := r.Open(t.Context(), asr.Params{}); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("open: %v, want ErrUnavailable", err)
	}
}

func TestBadConfig(t *testing.T) {
	for name, c := range map[string]pool.Config{"none": {}, "empty": {Addresses: []string{"127.0.0.1:1", ""}}} {
		if _, err := pool.New(c); err == nil || !strings.Contains(err.Error(), "address") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A server that hangs keeps no other from telling its counts.
func TestFiguresBesideSilentServer(t *testing.T) {
	n := newNode(t, nil)
	r := newPool(t, quick(silent(t), n.address))
	until(t, "the server tells its counts", func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), 250*time.Millisecond)
		defer cancel()
		return r.Figures(ctx)[n.address] != nil || up(r) < 2
	})
	if up(r) < 2 {
		t.Error("its counts are not told while the silent server is there")
	}
}
