package openai_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"steno/session/asr"
	"steno/session/asr/openai"
)

// fails answers with each status in turn, and well after that. A status of 0 breaks the
// connection's promise of length.
func fails(t *testing.T, header, value string, statuses ...int) *api {
	var mu sync.Mutex
	return &api{t: t, tell: "words", before: func(w http.ResponseWriter, r *http.Request, q request) bool {
		mu.Lock()
		defer mu.Unlock()
		if len(statuses) == 0 {
			return false
		}
		if header != "" {
			w.Header().Set(header, value)
		}
		w.WriteHeader(statuses[0])
		_, _ = w.Write([]byte(`{"error":{"message":"sk-secret said amber","code":"x"}}`))
		statuses = statuses[1:]
		return true
	}}
}

// TestRetries holds after how long, by the clock, the final is there.
func TestRetries(t *testing.T) {
	for name, test := range map[string]struct {
		server func(t *testing.T) *api
		want   time.Duration // -1: never, immediately
	}{
		"well":          {func(t *testing.T) *api { return fails(t, "", "") }, 0},
		"once broken":   {func(t *testing.T) *api { return fails(t, "", "", 500) }, 500 * time.Millisecond},
		"twice broken":  {func(t *testing.T) *api { return fails(t, "", "", 502, 503) }, 1500 * time.Millisecond},
		"asks for time": {func(t *testing.T) *api { return fails(t, "Retry-After", "7", 429) }, 7 * time.Second},
		"asks for a date": {func(t *testing.T) *api {
			return fails(t, "Retry-After", "Sat, 01 Jan 2000 00:00:20 GMT",
				503)
		}, 20 * time.Second},
		"asks for nothing": {func(t *testing.T) *api { return fails(t, "Retry-After", "-5", 429) },
			500 * time.Millisecond},
		"asks for a day": {func(t *testing.T) *api { return fails(t, "Retry-After", "86400", 429) }, -1},
		"no key":         {func(t *testing.T) *api { return fails(t, "", "", 401) }, -1},
		"moved":          {func(t *testing.T) *api { return fails(t, "Location", "http://elsewhere/", 307) }, -1},
		"too large":      {func(t *testing.T) *api { return fails(t, "", "", 413) }, -1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := direct(t, test.server(t), openai.Config{Key: "sk-secret"})
				begin := time.Now()
				_, err := recognize(t, r, asr.Params{})
				if took := time.Since(begin); test.want >= 0 && (err != nil || took != test.want) {
					t.Errorf("after %v: %v; want a final after %v", took, err, test.want)
				} else if test.want < 0 && (!errors.Is(err, asr.ErrUnavailable) || took != 0) {
					t.Errorf("after %v: %v; want ErrUnavailable at once", took, err)
				}
				if err != nil && (strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "amber")) {
					t.Errorf("the error tells too much: %v", err)
				}
			})
		})
	}
}

func TestNoQuotaIsNotTriedAgain(t *testing.T) {
	server := &api{t: t, before: func(w http.ResponseWriter, _ *http.Request, _ request) bool {
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = w.Write([]byte(`{"error":{"message":"You exceeded","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`))
		return true
	}}
	if _, err := recognize(t, serve(t, server, openai.Config{}), asr.Params{}); !errors.Is(err, asr.ErrUnavailable) ||
		len(server.Seen()) != 1 {
		t.Errorf("%v after %d requests", err, len(server.Seen()))
	}
}

// TestCircuit follows a server that fails for good, then is repaired.
func TestCircuit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := true
		server := &api{t: t, tell: "words", before: func(w http.ResponseWriter, _ *http.Request, _ request) bool {
			if broken {
				w.WriteHeader(http.StatusForbidden)
			}
			return broken
		}}
		r := direct(t, server, openai.Config{MinBackoff: time.Second, MaxBackoff: 3 * time.Second})
		early := open(t, r, asr.Params{})
		fail := func() {
			t.Helper()
			if _, err := recognize(t, r, asr.Params{}); !errors.Is(err, asr.ErrUnavailable) {
				t.Errorf("recv: %v, want ErrUnavailable", err)
			}
		}
		refused := func() bool {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel() // one that was let through is gone, and lets the next one through
			_, err := r.Open(ctx, asr.Params{})
			if err != nil && !errors.Is(err, asr.ErrUnavailable) {
				t.Errorf("open: %v", err)
			}
			return err != nil
		}
		for _, wait := range []time.Duration{time.Second, 2 * time.Second, 3 * time.Second, 3 * time.Second} {
			fail()
			time.Sleep(wait - time.Millisecond)
			if !refused() {
				t.Errorf("let through before %v had passed", wait)
			}
			time.Sleep(time.Millisecond)
			if refused() {
				t.Errorf("refused after %v", wait)
			}
		}
		speak(t, early)
		if _, err := early.Recv(); !errors.Is(err, asr.ErrUnavailable) {
			t.Errorf("recv: %v, want ErrUnavailable", err)
		}
		if refused() {
			t.Error("what an older utterance met counts again")
		}
		broken = false
		probe := open(t, r, asr.Params{})
		if !refused() {
			t.Error("a second one was let through with the first still under way")
		}
		speak(t, probe)
		if _, err := probe.Recv(); err != nil {
			t.Fatal(err)
		}
		open(t, r, asr.Params{})
		if refused() {
			t.Error("refused after a success")
		}
	})
}

// refusedAtOnce reports whether utterances are refused.
func refusedAtOnce(t *testing.T, r *openai.Recognizer) bool {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err := r.Open(ctx, asr.Params{})
	if err != nil && !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("open: %v", err)
	}
	return err != nil
}

// TestOwnFault has a server that refuses single utterances, however often they are tried: the
// others continue. One that refuses several in a row refuses all.
func TestOwnFault(t *testing.T) {
	for name, refuse := range map[string]struct {
		status int
		body   string
	}{
		"bad request": {400, ``},
		"too large":   {413, `<html>nginx</html>`},
		"file":        {422, `{"detail":[{"loc":["body","file"],"msg":"no speech in it"}]}`},
		"prompt":      {400, `{"error":{"message":"too long","param":"prompt","code":null}}`},
		"repetitive":  {200, `{"text":"` + strings.Repeat("you ", 5000) + `"}`},
	} {
		synctest.Test(t, func(t *testing.T) {
			well := false
			r := direct(t, &api{t: t, tell: "words", before: func(w http.ResponseWriter, _ *http.Request,
				_ request) bool {
				if !well {
					w.WriteHeader(refuse.status)
					_, _ = w.Write([]byte(refuse.body))
				}
				return !well
			}}, openai.Config{})
			lose := func(attempt int) {
				t.Helper()
				if _, err := recognize(t, r, asr.Params{Attempt: attempt}); !errors.Is(err, asr.ErrUnavailable) {
					t.Errorf("%s: %v, want ErrUnavailable", name, err)
				}
			}
			for attempt := range 9 {
				lose(attempt)
			}
			lose(0)
			if refusedAtOnce(t, r) {
				t.Errorf("%s: others are refused after two utterances", name)
			}
			well = true
			if _, err := recognize(t, r, asr.Params{}); err != nil {
				t.Errorf("%s: the next one: %v", name, err)
			}
			well = false
			lose(0)
			lose(0)
			if refusedAtOnce(t, r) {
				t.Errorf("%s: what was refused before a success counts", name)
			}
			lose(0)
			if !refusedAtOnce(t, r) {
				t.Errorf("%s: no other is refused after three in a row", name)
			}
			time.Sleep(500 * time.Millisecond)
			lose(0)
			time.Sleep(500 * time.Millisecond)
			if !refusedAtOnce(t, r) {
				t.Errorf("%s: the one on trial counts for nothing", name)
			}
		})
	}
}

// TestFieldOfAll has a server refuse what all utterances have.
func TestFieldOfAll(t *testing.T) {
	r := direct(t, &api{t: t, before: func(w http.ResponseWriter, _ *http.Request, _ request) bool {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"error":{"message":"no such model","param":"model","code":null}}`))
		return true
	}}, openai.Config{})
	if _, err := recognize(t, r, asr.Params{}); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("%v, want ErrUnavailable", err)
	}
	if !refusedAtOnce(t, r) {
		t.Error("the next one is not refused")
	}
}

// TestTrialOfSpeech has the utterance on trial continue: it does not keep others out for as long.
// Once it has ended they wait for its outcome.
func TestTrialOfSpeech(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := true
		server := &api{t: t, tell: "words", before: func(w http.ResponseWriter, r *http.Request, _ request) bool {
			if broken {
				w.WriteHeader(http.StatusForbidden)
				return true
			}
			select {
			case <-time.After(20 * time.Second):
			case <-r.Context().Done():
			}
			return false
		}}
		r := direct(t, server, openai.Config{MinBackoff: time.Second, MaxBackoff: 5 * time.Second})
		if _, err := recognize(t, r, asr.Params{}); !errors.Is(err, asr.ErrUnavailable) {
			t.Fatal(err)
		}
		broken = false
		time.Sleep(time.Second)
		open(t, r, asr.Params{})
		time.Sleep(5*time.Second - 1)
		if !refusedAtOnce(t, r) {
			t.Error("a second one was let through at once")
		}
		time.Sleep(time.Nanosecond)
		ended := open(t, r, asr.Params{})
		speak(t, ended)
		time.Sleep(15 * time.Second)
		if !refusedAtOnce(t, r) {
			t.Error("a third one did not wait for the outcome of the second")
		}
		if _, err := ended.Recv(); err != nil {
			t.Fatal(err)
		}
		if refusedAtOnce(t, r) {
			t.Error("refused after a success")
		}
	})
}

// TestProbeWithoutVerdict admits another utterance if the one on trial was too short to be posted.
func TestProbeWithoutVerdict(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := direct(t, fails(t, "", "", 403), openai.Config{})
		if _, err := recognize(t, r, asr.Params{}); !errors.Is(err, asr.ErrUnavailable) {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		u := open(t, r, asr.Params{})
		if err := u.End(); err != nil {
			t.Fatal(err)
		}
		if _, err := u.Recv(); err != nil {
			t.Fatal(err)
		}
		if _, err := recognize(t, r, asr.Params{}); err != nil {
			t.Error(err)
		}
	})
}

// TestHanging has a server that never answers: a request ends in its time, and no second is made,
// the utterance in its own. Several such utterances in a row are the server's fault.
func TestHanging(t *testing.T) {
	hang := func(_ http.ResponseWriter, r *http.Request, _ request) bool {
		<-r.Context().Done()
		return true
	}
	for name, test := range map[string]struct {
		config openai.Config
		p      asr.Priority
		want   time.Duration
	}{
		"timeout": {openai.Config{Timeout: 10 * time.Second, MinBackoff: time.Second}, asr.Live,
			10 * time.Second},
		"budget":        {openai.Config{Timeout: time.Hour, Budget: 5 * time.Second}, asr.Live, 5 * time.Second},
		"replay budget": {openai.Config{Timeout: time.Hour, Budget: 5 * time.Second}, asr.Replay, 25 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := direct(t, &api{t: t, before: hang}, test.config)
			for range 3 {
				begin := time.Now()
				_, err := recognize(t, r, asr.Params{Priority: test.p})
				if took := time.Since(begin); !errors.Is(err, asr.ErrUnavailable) || took != test.want {
					t.Errorf("%s: %v after %v; want ErrUnavailable after %v", name, err, took, test.want)
				}
			}
			if _, err := r.Open(t.Context(), asr.Params{}); !errors.Is(err, asr.ErrUnavailable) {
				t.Errorf("%s: open: %v, want ErrUnavailable", name, err)
			}
		})
	}
}

// TestBadAnswers comes over a real connection.
func TestBadAnswers(t *testing.T) {
	for name, write := range map[string]func(w http.ResponseWriter){
		"garbage": func(w http.ResponseWriter) { _, _ = w.Write([]byte("<html>amber</html>")) },
		"page as text": func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/plain")
			_, _ = w.Write([]byte("<html>amber</html>"))
		},
		"error and text": func(w http.ResponseWriter) {
			_,
				_ = w.Write([]byte(`{"error":{"message":"amber"},"text":""}`))
		},
		"half":       func(w http.ResponseWriter) { _, _ = w.Write([]byte(`{"text":"amber","segm`)) },
		"nothing":    func(w http.ResponseWriter) {},
		"no text":    func(w http.ResponseWriter) { _, _ = w.Write([]byte(`{"error":"amber"}`)) },
		"other type": func(w http.ResponseWriter) { _, _ = w.Write([]byte(`{"text":["amber"]}`)) },
		"truncated": func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte(`{"text":"amb`))
		},
		"oversized": func(w http.ResponseWriter) {
			_, _ = fmt.Fprintf(w, `{"text":"%s"}`, strings.Repeat("amber ", 1<<20))
		},
		"too many words": func(w http.ResponseWriter) {
			_, _ = fmt.Fprintf(w, `{"text":"%s"}`, strings.Repeat("amber ", 5000))
		},
		"too many segments": func(w http.ResponseWriter) {
			_, _ = fmt.Fprintf(w, `{"segments":[%s{}]}`, strings.Repeat("{},", 5000))
		},
		"cut off": func(w http.ResponseWriter) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				_ = conn.Close()
			}
		},
	} {
		server := &api{t: t, before: func(w http.ResponseWriter, _ *http.Request, _ request) bool {
			write(w)
			return true
		}}
		r := serve(t, server, openai.Config{MinBackoff: time.Millisecond})
		_, err := recognize(t, r, asr.Params{})
		if !errors.Is(err, asr.ErrUnavailable) || strings.Contains(err.Error(), "amber") {
			t.Errorf("%s: %v; want ErrUnavailable without words", name, err)
		}
	}
}

func TestNobodyThere(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	r := create(t, openai.Config{URL: "http://" + listener.Addr().String(), MinBackoff: time.Millisecond})
	_, err = recognize(t, r, asr.Params{})
	if !errors.Is(err, asr.ErrUnavailable) || !strings.Contains(err.Error(), "refused") {
		t.Errorf("recv: %v, want ErrUnavailable with the reason", err)
	}
}

// TestFormsRefused has servers that cannot answer in every form: they are asked for one after the
// other, then for the best they can, and after a while again for all.
func TestFormsRefused(t *testing.T) {
	verbose := func(q request) bool { return q.format() == "verbose_json" }
	granular := func(q request) bool { return q.fields["timestamp_granularities[]"] != nil }
	notText := func(q request) bool { return q.format() != "text" }
	optional := func(q request) bool { return q.format() != "" || q.fields["temperature"] != nil }
	for name, test := range map[string]struct {
		status  int
		body    string
		refuses func(q request) bool
		refused int // requests before the first answer
	}{
		"no details": {400,
			`{"error":{"message":"no","type":"invalid_request_error","param":"response_format","code":"unsupported_value"}}`, verbose, 1},
		"no details, in words": {500,
			`{"error":{"message":"OpenAIException - ValueError: verbose_json is not supported","code":"500"}}`,
			verbose, 1},
		"no details, without a reason": {400,
			`{"object":"error","message":"Currently not supported","type":"BadRequestError","param":null,"code":400}`,
			verbose, 2},
		"no granularities": {422,
			`{"detail":[{"type":"x","loc":["body","timestamp_granularities[]"],"msg":"no"}]}`, granular, 1},
		"text alone":                   {400, `{"message":"Invalid value for response_format"}`, notText, 2},
		"text alone, without a reason": {422, `bad`, notText, 3},
		"not found":                    {404, `{"detail":"Not Found"}`, verbose, 2},
		"not acceptable":               {406, ``, notText, 3},
		"unknown media type":           {415, `<html>no</html>`, verbose, 2},
		"broken by details":            {500, `Internal Server Error`, verbose, 4},
		"broken by granularities":      {500, `{"error":"'NoneType' object is not iterable"}`, granular, 3},
		"nothing beside the file":      {400, `unknown parameter`, optional, 4},
		"no temperature":               {400, `{"error":{"message":"unknown","param":"temperature"}}`, optional, 1},
		"extra fields forbidden": {422,
			`{"detail":[{"type":"extra_forbidden","loc":["body","timestamp_granularities[]"],"msg":"x"}]}`,
			granular, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := &api{t: t, tell: "segments", textAs: "text/plain", before: func(w http.ResponseWriter,
					_ *http.Request, q request) bool {
					if test.refuses(q) {
						w.WriteHeader(test.status)
						_, _ = w.Write([]byte(test.body))
						return true
					}
					return false
				}}
				r := direct(t, server, openai.Config{})
				ask := func(want int) {
					t.Helper()
					before := len(server.Seen())
					got, err := recognize(t, r, asr.Params{})
					if n := len(server.Seen()) - before; err != nil || !got.Timed || len(got.Words) == 0 || n != want {
						t.Errorf("%+v, %v, %d requests, want %d", got, err, n, want)
					}
				}
				ask(test.refused + 1)
				ask(1)
				time.Sleep(59 * time.Minute)
				ask(1)
				time.Sleep(time.Minute)
				ask(test.refused + 1)
				ask(1)
			})
		})
	}
}

// TestRefusedInAllForms has a server refuse one utterance without a reason that it has answered
// others in the same form: it is not asked for less.
func TestRefusedInAllForms(t *testing.T) {
	refuse := true
	server := &api{t: t, tell: "words", before: func(w http.ResponseWriter, _ *http.Request, _ request) bool {
		if refuse {
			w.WriteHeader(http.StatusBadRequest)
		}
		return refuse
	}}
	r := serve(t, server, openai.Config{})
	for _, want := range []int{5, 1, 1} {
		before := len(server.Seen())
		_, err := recognize(t, r, asr.Params{})
		if n := len(server.Seen()) - before; n != want || errors.Is(err, asr.ErrUnavailable) != refuse {
			t.Errorf("%d requests, %v; want %d", n, err, want)
		}
		refuse = len(server.Seen()) == 6 // after the second
	}
	if f := server.Seen()[5].fields; f["timestamp_granularities[]"] == nil {
		t.Errorf("after refusals without a reason asked for %v", f)
	}
}

func TestLanguageRefused(t *testing.T) {
	server := &api{t: t, tell: "words", before: func(w http.ResponseWriter, _ *http.Request, q request) bool {
		if q.fields["language"] == nil {
			return false
		}
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"error":{"message":"Invalid language","param":"language","code":"invalid_language_format"}}`))
		return true
	}}
	r := serve(t, server, openai.Config{})
	if _, err := recognize(t, r, asr.Params{Language: "haw"}); !errors.Is(err, asr.ErrLanguage) {
		t.Errorf("recv: %v, want ErrLanguage", err)
	}
	if _, err := recognize(t, r, asr.Params{}); err != nil {
		t.Errorf("the next one: %v", err)
	}
}
