package transcribe_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"steno/audio/audiotest"
	"steno/messages"
	"steno/session/asr/openai"
	"steno/session/asr/router"
	"steno/session/transcribe"
)

// longAudio is more bytes than a request for any but the long utterance has.
const longAudio = 32000 * 5 / 2

// failings are ways in which a server may fail by one utterance.
var failings = map[string]http.HandlerFunc{
	"500": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "boom", 500) },
	"502, a page": func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "<html>Bad Gateway</html>", http.StatusBadGateway)
	},
	"503": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "busy", http.StatusServiceUnavailable) },
	"400": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, `{"error":{"message":"bad audio"}}`, 400) },
	"422": func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `{"detail":"cannot"}`, http.StatusUnprocessableEntity)
	},
	"413": func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `too long`, http.StatusRequestEntityTooLarge)
	},
	"no answer":      func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	"broken off":     func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	"half":           says(`{"text":"hel`),
	"a page":         says(`<html>hello</html>`),
	"nothing":        says(``),
	"null":           says(`null`),
	"a list":         says(`[1,2]`),
	"a number":       says(`{"text":17}`),
	"an error":       says(`{"error":"boom"}`),
	"too many words": says(`{"text":"` + strings.Repeat("a b ", 10000) + `"}`),
}

func says(answer string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, answer)
	}
}

// An utterance by which a server fails costs nothing but itself: another engine transcribes it, or
// else the result states where it was.
func TestOneUtteranceFails(t *testing.T) {
	for name, fail := range failings {
		t.Run(name, func(t *testing.T) {
			failing := engineOf(t, "failing", fail)
			alone := transcriptOf(t, failingJob(t, failing), spokenWithALongOne())
			if got := len(alone.Transcription.Utterances); got != 4 {
				t.Errorf("%d utterances, want the 4 others", got)
			}
			if w := alone.Warnings; !slices.ContainsFunc(w, isMark) {
				t.Errorf("warnings %v", w)
			}
			both := transcriptOf(t, failingJob(t, failing, engineOf(t, "other", nil)), spokenWithALongOne())
			if us := both.Transcription.Utterances; len(us) != 5 || us[2].Text != " other" ||
				slices.ContainsFunc(both.Warnings, isMark) {
				t.Errorf("with another engine: %s, warnings %v", text(t, us), both.Warnings)
			}
		})
	}
}

// A recording of which nothing could be transcribed is an error.
func TestEveryUtteranceFails(t *testing.T) {
	source, _ := recordingOf(slices.Concat(silence(1), bytes.Repeat(phrase(5), 4), silence(2)), 16000, 1)
	r, err := transcribe.Decode(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if got, err := failingJob(t, engineOf(t, "failing", failings["400"])).Transcribe(t.Context(), r); err == nil {
		t.Errorf("transcript %s", text(t, got.Transcription))
	}
}

// isMark reports whether a warning states where the long utterance was.
func isMark(w messages.Warning) bool {
	var id string
	var from, to float64
	n, _ := fmt.Sscanf(w.Message, "utterance %s from %f s to %f s,", &id, &from, &to)
	return n == 3 && w.Field == "transcription" && from > 4 && from < 7 && to > from+2.5 && to < 11
}

// spokenWithALongOne is a recording of five utterances, the third of which is much longer than the
// others.
func spokenWithALongOne() transcribe.Source {
	var pcm []byte
	for i, seconds := range []int{1, 1, 4, 1, 1} {
		pcm = append(append(pcm, silence(1)...), bytes.Repeat(phrase(20+i), seconds)...)
	}
	source, _ := recordingOf(append(pcm, silence(2)...), 16000, 1)
	return source
}

// phrase returns a second of speech, which starts after the pause at its beginning.
func phrase(seed int) []byte { return audiotest.Speech(4, uint64(seed))[22400:54400] }

// engineOf is an engine with a server that answers its name, and fails by the long utterance where
// fail is not nil.
func engineOf(t *testing.T, name string, fail http.HandlerFunc) router.Engine {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if fail != nil && r.ContentLength > longAudio {
			_, _ = io.Copy(io.Discard, r.Body)
			fail(w, r)
			return
		}
		says(`{"text":"`+name+`"}`)(w, r)
	}))
	r, err := openai.New(openai.Config{
		URL: server.URL, Model: "m", Name: name, Timeout: 200 * time.Millisecond, MinBackoff: time.Millisecond,
		MaxBackoff: 20 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = r.Close()
		server.Close()
	})
	return router.Engine{Name: name, Recognizer: r}
}

// failingJob is a job of the engines, in their order.
func failingJob(t *testing.T, engines ...router.Engine) transcribe.Job {
	t.Helper()
	var plan router.Plan
	for _, e := range engines {
		plan.Engines = append(plan.Engines, e.Name)
	}
	r, err := router.New(router.Config{Engines: engines, Plans: map[string]router.Plan{"m": plan}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	job := jobOf(t, ``)
	job.Recognizer, job.EngineGrace = r.For("m"), 300*time.Millisecond
	return job
}
