package asrtest

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"steno/session/asr"
)

func (s *suite) open(t *testing.T, ctx context.Context, p asr.Params) asr.Stream {
	t.Helper()
	u, err := s.recognizer.Open(ctx, p)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	return u
}

// decodeAll returns the finals of all utterances, which get partials as well, but for the last.
func (s *suite) decodeAll(t *testing.T) (finals []asr.Result) {
	t.Helper()
	for i, samples := range s.audio {
		finals = append(finals, s.decode(t, samples, asr.Params{Partials: i < len(s.audio)-1}))
	}
	return finals
}

// decode writes an utterance in blocks of 100 ms and returns its final.
func (s *suite) decode(t *testing.T, samples []int16, p asr.Params) asr.Result {
	t.Helper()
	return s.decodeCut(t, samples, 1600, p)
}

// decodeCut is decode with blocks of another length.
func (s *suite) decodeCut(t *testing.T, samples []int16, block int, p asr.Params) asr.Result {
	t.Helper()
	u := s.open(t, t.Context(), p)
	write(t, u, samples, block)
	end(t, u)
	_, final := receive(t, u)
	return final
}

// write may be called from any goroutine of the test: it reports errors without ending the test.
func write(t *testing.T, u asr.Stream, samples []int16, block int) {
	t.Helper()
	for len(samples) > 0 {
		n := min(block, len(samples))
		if err := u.Write(samples[:n]); err != nil {
			t.Errorf("write: %v", err)
			return
		}
		samples = samples[n:]
	}
}

func end(t *testing.T, u asr.Stream) {
	t.Helper()
	if err := u.End(); err != nil {
		t.Errorf("end: %v", err)
	}
}

// receive returns the partials and the final.
func receive(t *testing.T, u asr.Stream) (partials []asr.Result, final asr.Result) {
	t.Helper()
	for {
		r, err := u.Recv()
		if err != nil {
			t.Errorf("recv: %v", err)
			return partials, final
		}
		if r.Final {
			return partials, r
		}
		partials = append(partials, r)
	}
}

// check checks what every result must have.
func check(t *testing.T, r asr.Result, samples int) {
	t.Helper()
	if r.Engine == "" || r.Language == "" {
		t.Errorf("engine %q, language %q: neither may be empty", r.Engine, r.Language)
	}
	before := 0
	for _, w := range r.Words {
		if w.Text == "" || strings.TrimSpace(w.Text) != w.Text {
			t.Errorf("word %q is empty or has white space around it", w.Text)
		}
		if w.Confidence < 0 || w.Confidence > 1 {
			t.Errorf("confidence %v of %q", w.Confidence, w.Text)
		}
		if !r.Timed && (w.Start != 0 || w.End != 0) {
			t.Errorf("%q has times, the result says it has none", w.Text)
		}
		if w.Start < before || w.End < w.Start || w.End > samples {
			t.Errorf("%q from %d to %d of %d samples, after a word from %d", w.Text, w.Start, w.End, samples, before)
		}
		before = w.Start
	}
}

// same compares results, except for how long they were queued.
func same(t *testing.T, what string, got, want asr.Result) {
	t.Helper()
	got.Queued, want.Queued = 0, 0
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %+v, want %+v", what, got, want)
	}
}
