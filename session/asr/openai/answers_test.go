package openai_test

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"steno/session/asr"
	"steno/session/asr/openai"
)

// What a server answers with is reported once, and again where it comes to know another format
// only; times that are not stated are estimated.
func TestAnswersAreTold(t *testing.T) {
	plain := func(kind, text string) func(http.ResponseWriter, *http.Request, request) bool {
		return func(w http.ResponseWriter, _ *http.Request, _ request) bool {
			w.Header().Set("Content-Type", kind)
			_, _ = io.WriteString(w, text)
			return true
		}
	}
	only := func(format string, status int) func(http.ResponseWriter, *http.Request, request) bool {
		return func(w http.ResponseWriter, _ *http.Request, q request) bool {
			if q.format() != format {
				w.WriteHeader(status)
			}
			return q.format() != format
		}
	}
	for name, test := range map[string]struct {
		server *api
		want   openai.Answers
	}{
		"all": {&api{tell: "words"}, openai.Answers{Format: "verbose_json",
			Times: openai.TimesOfWords}},
		"segments": {&api{tell: "segments"}, openai.Answers{Format: "verbose_json",
			Times: openai.TimesOfSegments}},
		"words in segments": {&api{tell: "parts"}, openai.Answers{Format: "verbose_json",
			Times: openai.TimesOfWords}},
		"text in JSON": {&api{tell: "text"}, openai.Answers{Format: "verbose_json",
			Times: openai.TimesEstimated}},
		"text whatever is asked": {&api{before: plain("text/plain", "one two")},
			openai.Answers{Format: "verbose_json", Times: openai.TimesEstimated}},
		"JSON that is said plain": {&api{before: plain("text/plain", `{"text":"one two"}`)},
			openai.Answers{Format: "verbose_json", Times: openai.TimesEstimated}},
		"a string": {&api{before: plain("application/json", `"one two"`)},
			openai.Answers{Format: "verbose_json", Times: openai.TimesEstimated}},
		"json": {&api{tell: "text", before: only("json", 422)}, openai.Answers{Format: "json",
			Times: openai.TimesEstimated}},
		"text": {&api{tell: "text", textAs: "text/plain", before: only("text", 404)},
			openai.Answers{Format: "text", Times: openai.TimesEstimated}},
		"text, said to be a page": {&api{tell: "text", textAs: "text/html", before: only("text", 400)},
			openai.Answers{Format: "text", Times: openai.TimesEstimated}},
		"no format": {&api{tell: "text", before: only("", 400)},
			openai.Answers{Times: openai.TimesEstimated}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var told []openai.Answers
				server := test.server
				server.t = t
				r := direct(t, server, openai.Config{OnAnswers: func(a openai.Answers) { told = append(told, a) }})
				if a, known := r.Answers(); known {
					t.Errorf("before the first answer: %+v", a)
				}
				for range 3 {
					if got, err := recognize(t, r, asr.Params{}); err != nil || !got.Timed || len(got.Words) < 2 ||
						got.Words[1].Start <= got.Words[0].Start {
						t.Fatalf("%+v, %v", got, err)
					}
				}
				if a, known := r.Answers(); !known || a != test.want ||
					!slices.Equal(told, []openai.Answers{test.want}) {
					t.Errorf("answers with %+v, told %+v; want %+v, once", a, told, test.want)
				}
			})
		})
	}
}

// A server that is replaced by one that knows less refuses what it has answered before: after some
// utterances, it is asked for less. One utterance that it stumbles over changes nothing for the
// others.
func TestAnswersChange(t *testing.T) {
	for name, status := range map[string]int{"refused": 400, "not processable": 422, "unknown": 404, "broken": 500} {
		synctest.Test(t, func(t *testing.T) {
			var told []openai.Answers
			lesser := false
			server := &api{t: t, tell: "words", before: func(w http.ResponseWriter, _ *http.Request, q request) bool {
				refuses := lesser && q.format() == "verbose_json"
				if refuses {
					w.WriteHeader(status)
				}
				return refuses
			}}
			r := direct(t, server, openai.Config{OnAnswers: func(a openai.Answers) { told = append(told, a) }})
			say := func() (lost bool) {
				t.Helper()
				for attempt := 0; attempt < 2*asr.EngineAttempts; attempt += asr.EngineAttempts {
					_, err := recognize(t, r, asr.Params{Attempt: attempt})
					if lost = err != nil; !lost {
						return false
					}
					if !errors.Is(err, asr.ErrTried) {
						t.Fatalf("%s: %v", name, err)
					}
				}
				return true
			}
			say()
			lesser = true
			say() // a single one
			lesser = false
			say()
			if a, _ := r.Answers(); a.Format != "verbose_json" || a.Times != openai.TimesOfWords {
				t.Errorf("%s: after one utterance: %+v", name, a)
			}
			lesser, server.tell = true, "text"
			for range 2 {
				if say() {
					t.Errorf("%s: an utterance is lost to a server that knows less than before", name)
				}
			}
			before := len(server.Seen())
			if say() || len(server.Seen()) != before+1 {
				t.Errorf("%s: %d requests for an utterance after the change", name, len(server.Seen())-before)
			}
			if a, _ := r.Answers(); a.Format != "json" || len(told) != 2 {
				t.Errorf("%s: answers with %+v, told %+v", name, a, told)
			}
			time.Sleep(2 * time.Hour)
		})
	}
}
