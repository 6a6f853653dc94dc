package whole

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/schedule"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fake is a Decoder that makes a word of each quarter of a second of an utterance, and a full stop
// of the end.
type fake struct {
	finals, partials time.Duration          // that a decode takes, for each second of audio
	stubborn         bool                   // it does not yield
	fail             func(call) error       // may be nil
	text             func(p Piece) []string // in place of words; may be nil

	mu    sync.Mutex
	calls []call // the finished ones, in the order of their ends
}

// call is a call of a fake's method.
type call struct {
	partial      bool
	from, end    int
	began, ended time.Time
	err          error
}

const quarter = asr.Rate / 4

// Decode implements Decoder.
func (f *fake) Decode(p Piece) (any, error) {
	err := f.work(p, call{}, f.finals)
	return f.words(p), err
}

// Partial implements Decoder. What it wants to have for the next is where it got to.
func (f *fake) Partial(p Piece, before any) (outcome, after any, err error) {
	if end, ok := before.(int); ok && (end <= p.From || end > p.To) {
		return nil, nil, fmt.Errorf("the partial before ended at %d, this one goes from %d to %d", end, p.From, p.To)
	}
	err = f.work(p, call{partial: true}, f.partials)
	return f.words(p), p.To, err
}

// work takes its time, and asks every 10 ms whether it should yield.
func (f *fake) work(p Piece, c call, cost time.Duration) error {
	c.from, c.end, c.began = p.From, p.To, time.Now()
	if n := len(p.Before); (n > 0) != (p.From > 0) || n > 0 && f.text == nil && !endsAt(p.Before[n-1].([]asr.Word),
		p.From) {
		return fmt.Errorf("a piece from %d after %v", p.From, p.Before)
	}
	rest := time.Duration(float64(c.end-c.from) / asr.Rate * float64(cost))
	for ; rest > 0 && c.err == nil; rest -= 10 * time.Millisecond {
		time.Sleep(min(rest, 10*time.Millisecond))
		if !f.stubborn && p.Yield() {
			c.err = ErrYielded
		}
	}
	if f.fail != nil && c.err == nil {
		c.err = f.fail(c)
	}
	c.ended = time.Now()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, c)
	return c.err
}

func endsAt(words []asr.Word, n int) bool { return len(words) > 0 && words[len(words)-1].End == n }

func (f *fake) words(p Piece) (out []asr.Word) {
	if f.text != nil {
		for _, text := range f.text(p) {
			out = append(out, asr.Word{Text: text})
		}
		return out
	}
	for at, end := p.From, 0; at < p.To; at = end {
		end = min(at/quarter*quarter+quarter, p.To)
		h := fnv.New32()
		for _, s := range p.Samples[at:end] {
			_, _ = h.Write([]byte{byte(s), byte(s >> 8)})
		}
		out = append(out, asr.Word{Text: fmt.Sprintf("%x", h.Sum32()), Start: at, End: end})
	}
	out[len(out)-1].Text += "."
	return out
}

// Result implements Decoder.
func (f *fake) Result(p asr.Params, outcomes []any) asr.Result {
	r := asr.Result{Language: cmp.Or(p.Language, "en"), Engine: "fake", Timed: f.text == nil}
	for _, o := range outcomes {
		r.Words = append(r.Words, o.([]asr.Word)...)
	}
	return r
}

// all returns the finished calls.
func (f *fake) all() []call {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.calls)
}

// done returns the calls that finished without an error.
func (f *fake) done(partial bool) []call {
	return slices.DeleteFunc(f.all(), func(c call) bool { return c.partial != partial || c.err != nil })
}

// serve returns a model of a decoder, closed with its slots at the end of the test.
func serve(t testing.TB, slots int, f *fake, c Config) *Model {
	t.Helper()
	s := schedule.New(slots)
	c.Name, c.Decoder, c.Slots, c.Stubborn = "fake", f, s, f.stubborn
	m := New(c)
	t.Cleanup(func() {
		m.Close()
		s.Close()
	})
	return m
}

// noise is a minute of audio, with gaps.
var noise = func() []int16 {
	r := rand.New(rand.NewPCG(3, 4))
	out := make([]int16, asr.MaxSamples)
	for i := range out {
		if i/asr.Rate%3 < 2 {
			out[i] = int16(r.IntN(2000) - 1000)
		} else {
			out[i] = int16(r.IntN(3))
		}
	}
	return out
}()

func open(t testing.TB, m *Model, p asr.Params) asr.Stream {
	t.Helper()
	u, err := m.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// receive returns the partials and the final.
func receive(t testing.TB, u asr.Stream) (partials []asr.Result, final asr.Result) {
	t.Helper()
	for {
		r, err := u.Recv()
		if err != nil {
			t.Fatal(err)
		}
		if r.Final {
			if after, err := u.Recv(); err != io.EOF {
				t.Errorf("after the final %+v, %v", after, err)
			}
			return partials, r
		}
		partials = append(partials, r)
	}
}

// want returns the final of samples, decoded in pieces of the given length at most.
func want(f *fake, samples []int16, longest int) asr.Result {
	var all []any
	from := 0
	for _, part := range Cut(samples, longest) {
		if len(part) > 0 {
			all = append(all, f.words(Piece{Samples: samples, From: from, To: from + len(part), Before: all}))
			from += len(part)
		}
	}
	r := f.Result(asr.Params{}, all)
	r.Final = true
	return r
}

func texts(words []asr.Word) (out []string) {
	for _, w := range words {
		out = append(out, w.Text)
	}
	return out
}

// english is a model as a recognizer of one language.
type english struct{ *Model }

// Open implements [asr.Recognizer].
func (e english) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	if p.Language != "" && p.Language != "en" {
		return nil, asr.ErrLanguage
	}
	return e.Model.Open(ctx, p)
}

func TestSuite(t *testing.T) {
	for name, c := range map[string]Config{"in one": {}, "in pieces": {Longest: asr.Rate},
		"one at a time": {Longest: asr.Rate, Parallel: 1}} {
		t.Run(name, func(t *testing.T) {
			asrtest.Run(t, func(t *testing.T) asr.Recognizer { return english{serve(t, 2, &fake{}, c)} },
				noise[:3*asr.Rate], noise[asr.Rate:5*asr.Rate/2])
		})
	}
}
