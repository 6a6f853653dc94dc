package loadtest

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"steno/loadtest/reference"
)

// interruptedRun is the report of three clients that were to speak for a minute, and were
// interrupted after four seconds.
func interruptedRun(t *testing.T) *Report {
	o := Options{
		URL: "http://127.0.0.1:1", Clips: []*Clip{noise("one", mono16, 2*time.Second, 1)}, Sessions: 3,
		Duration: time.Minute,
		Chunk:    100 * time.Millisecond, dial: serveInMemory(t, reference.New(reference.Config{})),
	}
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
	defer cancel()
	r, err := Run(ctx, o)
	if err == nil {
		t.Error("the run was not interrupted")
	}
	return r
}

func TestReportOfAnInterruptedRunSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := interruptedRun(t)
		if r.Audio < 11 || r.Audio > 12 {
			t.Errorf("%g s of audio are said to be sent by three clients in 4 s", r.Audio)
		}
		for name, text := range formsOf(t, r) {
			if !strings.Contains(text, "interrupted") || strings.Contains(text, "spoke at once") ||
				strings.Contains(text, "Yes.") {
				t.Errorf("%s does not tell of the interruption:\n%s", name, text)
			}
		}
		whole := withDelays(1, time.Second)
		whole.Load.URL = r.Load.URL
		if sum, err := Merge(whole, r); err != nil || !sum.Interrupted {
			t.Errorf("merged with a whole run: %+v, error %v", sum, err)
		}
	})
}

// formsOf returns a report in all its forms.
func formsOf(t *testing.T, r *Report) map[string]string {
	t.Helper()
	var text, line, page strings.Builder
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{r.WriteText(&text), r.WriteSummary(&line), r.WriteHTML(&page)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return map[string]string{"text": text.String(), "summary": line.String(), "page": page.String(), "JSON": string(b)}
}

func TestReportCountsTheAudioThatWasSent(t *testing.T) {
	r := runOn(t, newServer(t, func(s *server) { s.closeWith = 4400 }), func(o *Options) {
		o.Clips = []*Clip{noise("long", mono16, time.Minute, 1)}
	})
	if r.Failed != 1 || r.Audio > 30 || r.Interrupted {
		t.Errorf("%g s of audio in a session that ended at once; %d failed, interrupted %t", r.Audio, r.Failed,
			r.Interrupted)
	}
	cut := runOn(t, newServer(t, func(s *server) { s.cutEvery = 13 }), nil)
	if cut.Audio != 1 || cut.Reconnects == 0 {
		t.Errorf("%g s of audio, with %d reconnections, of a recording of 1 s", cut.Audio, cut.Reconnects)
	}
}

func TestSearchThatWasInterruptedGivesNoAdvice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := knownSearch(serveInMemory(t, reference.New(reference.Config{Service: knownService})))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		s.Tried = func(r Trial) {
			if r.Kind == trialDouble {
				cancel()
			}
		}
		r, err := FindCapacity(ctx, s)
		if err == nil || !r.Interrupted || r.Capacity.Unknown == "" {
			t.Fatalf("error %v, report %+v", err, r)
		}
		if page := formsOf(t, r)["page"]; !strings.Contains(page, "The search was interrupted") ||
			strings.Contains(page, "another machine") {
			t.Errorf("the page advises:\n%s", page)
		}
	})
}

func TestInterruptionWhileASessionIsOpenedCancelsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancelled := ""
		mux := http.NewServeMux()
		mux.HandleFunc("POST /v2/live", func(w http.ResponseWriter, _ *http.Request) {
			cancel()
			time.Sleep(cleanupTimeout / 2)
			_, _ = w.Write([]byte(`{"id":"one","url":"ws://127.0.0.1:1/v2/live?token=one"}`))
		})
		mux.HandleFunc("DELETE /v2/live/{id}", func(_ http.ResponseWriter,
			r *http.Request) {
			cancelled = r.PathValue("id")
		})
		o := Options{URL: "http://127.0.0.1:1", Clips: []*Clip{noise("one", mono16, time.Second, 1)}, Sessions: 1,
			dial: serveInMemory(t, mux)}
		if _, err := Run(ctx, o); err == nil || cancelled != "one" {
			t.Errorf("cancelled %q, error %v", cancelled, err)
		}
	})
}

func TestInterruptionDoesNotWaitForADeadServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		mux := http.NewServeMux()
		mux.HandleFunc("POST /v2/live", func(w http.ResponseWriter, _ *http.Request) {
			cancel()
			_, _ = w.Write([]byte(`{"id":"one","url":"ws://127.0.0.1:1/v2/live?token=one"}`))
		})
		mux.HandleFunc("DELETE /v2/live/{id}", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		o := Options{URL: "http://127.0.0.1:1", Clips: []*Clip{noise("one", mono16, time.Second, 1)}, Sessions: 1,
			dial: serveInMemory(t, mux)}
		r, err := Run(ctx, o)
		if err == nil || r.Wall > 2*cleanupTimeout.Seconds() || len(r.Errors) != 1 {
			t.Errorf("%g s in fake time, errors %v, error %v", r.Wall, r.Errors, err)
		}
	})
}
