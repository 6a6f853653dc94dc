package openai_test

import (
	"errors"
	"io"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/openai"
)

// speakSlowly writes samples in pieces of 0.1 s, none before what the last one caused is done, and
// returns the partials.
func speakSlowly(t *testing.T, u asr.Stream, samples []int16) (partials []asr.Result) {
	t.Helper()
	results, errs := make(chan asr.Result), make(chan error, 1)
	go func() {
		for {
			r, err := u.Recv()
			if err != nil {
				errs <- err
				return
			}
			results <- r
		}
	}()
	for piece := range slices.Chunk(samples, asr.Rate/10) {
		if err := u.Write(piece); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		select {
		case r := <-results:
			partials = append(partials, r)
		default:
		}
	}
	if err := u.End(); err != nil {
		t.Fatal(err)
	}
	for {
		select {
		case r := <-results:
			partials = append(partials, r)
		case err := <-errs:
			if !errors.Is(err, io.EOF) {
				t.Fatal(err)
			}
			return partials
		}
	}
}

// TestPartials has an utterance transcribed as it grows: at most once for each second of speech.
// The final is that of an utterance without partials.
func TestPartials(t *testing.T) {
	audio := asrtest.Ramp(7*asr.Rate, 3)
	want := scriptedWords(t, audio)
	for name, test := range map[string]struct {
		config   openai.Config
		params   asr.Params
		requests int
	}{
		"each second": {openai.Config{Partials: true}, asr.Params{Partials: true}, 8},
		"each two": {openai.Config{Partials: true, PartialEvery: 2 * time.Second},
			asr.Params{Partials: true}, 4},
		"not wanted":      {openai.Config{Partials: true}, asr.Params{}, 1},
		"not configured":  {openai.Config{}, asr.Params{Partials: true}, 1},
		"not of a replay": {openai.Config{Partials: true}, asr.Params{Partials: true, Priority: asr.Replay}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := &api{t: t, tell: "words"}
				results := speakSlowly(t, open(t, direct(t, server, test.config), test.params), audio)
				final := results[len(results)-1]
				if !final.Final || !reflect.DeepEqual(final.Words, want) || len(server.Seen()) != test.requests {
					t.Errorf("%d requests, want %d; final %+v", len(server.Seen()), test.requests, final)
				}
				before := 0
				for _, r := range results[:len(results)-1] {
					sure := len(r.Words) - 1 // the last word may not have ended
					if r.Final || !r.Timed || sure < before || !reflect.DeepEqual(r.Words[:sure], want[:sure]) {
						t.Errorf("partial %+v", r)
					}
					before = sure
				}
				if test.requests > 1 && before == 0 {
					t.Error("no partials")
				}
			})
		})
	}
}

// TestPartialsStay has a server that changes its mind: what two answers in a row agree on is shown,
// and one word more, but the mark at the end of an answer never.
func TestPartialsStay(t *testing.T) {
	said := []string{"Hello.", "Hello world. My", "Hello world, my friend and.", "Hello world, my friend and you",
		"Hi.", "Hello world, my friend and you two"}
	want := []string{"Hello", "Hello world.", "Hello world, my friend", "Hello world, my friend and you",
		"Hello world, my friend and you"}
	synctest.Test(t, func(t *testing.T) {
		i := 0
		server := &api{t: t, before: func(w http.ResponseWriter, _ *http.Request, _ request) bool {
			_, _ = io.WriteString(w, `{"text":"`+said[min(i, len(said)-1)]+`"}`)
			i++
			return true
		}}
		u := open(t, direct(t, server, openai.Config{Partials: true}), asr.Params{Partials: true})
		results := speakSlowly(t, u, asrtest.Ramp(5*asr.Rate+100, 3))
		var got []string
		for _, r := range results[:len(results)-1] {
			got = append(got, texts(r.Words))
		}
		if !slices.Equal(got, want) || texts(results[len(results)-1].Words) != said[5] {
			t.Errorf("partials %q, want %q", got, want)
		}
	})
}

// TestPartialsGiveWay has a server that does not answer for partials, and one request at a time:
// the final does not wait for them, no partial waits, and each that was left out is counted.
func TestPartialsGiveWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &api{t: t, tell: "words", before: func(_ http.ResponseWriter, r *http.Request, q request) bool {
			if len(q.samples) >= 5*asr.Rate {
				return false
			}
			<-r.Context().Done()
			return true
		}}
		r := direct(t, server, openai.Config{Partials: true, Concurrency: 1})
		u, other := open(t, r, asr.Params{Partials: true}), open(t, r, asr.Params{Partials: true})
		if err := u.Write(asrtest.Ramp(2*asr.Rate, 1)); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if err := errors.Join(other.Write(asrtest.Ramp(2*asr.Rate, 1)), u.Write(asrtest.Ramp(3*asr.Rate, 1)),
			u.End()); err != nil {
			t.Fatal(err)
		}
		if got, err := u.Recv(); err != nil || !got.Final || len(got.Words) == 0 {
			t.Errorf("%+v, %v", got, err)
		}
		synctest.Wait()
		if got, want := r.PartialsDropped(), map[string]int64{openai.PartialLate: 1,
			openai.PartialBusy: 1}; !maps.Equal(got, want) {
			t.Errorf("left out %v, want %v", got, want)
		}
	})
}

// TestPartialsFail has a server that refuses partials: the final comes all the same, and others are
// not refused.
func TestPartialsFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &api{t: t, tell: "words", before: func(w http.ResponseWriter, _ *http.Request, q request) bool {
			if len(q.samples) < 3*asr.Rate {
				_, _ = io.WriteString(w, strings.Repeat("<", 10))
			}
			return len(q.samples) < 3*asr.Rate
		}}
		r := direct(t, server, openai.Config{Partials: true})
		results := speakSlowly(t, open(t, r, asr.Params{Partials: true}), asrtest.Ramp(3*asr.Rate, 1))
		if len(results) != 2 || !results[1].Final || r.PartialsDropped()[openai.PartialFailed] != 2 {
			t.Errorf("%+v, left out %v", results, r.PartialsDropped())
		}
		if refusedAtOnce(t, r) {
			t.Error("others are refused")
		}
	})
}
