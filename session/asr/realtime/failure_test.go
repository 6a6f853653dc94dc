package realtime_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/realtime"
)

// quick are limits with which failures take no time.
func quick(c realtime.Config) realtime.Config {
	c.MinBackoff, c.MaxBackoff = time.Nanosecond, time.Hour
	return c
}

// TestLostConnection breaks the first connection off at each message: the whole utterance is sent
// again on another one, and its final is as if nothing had been.
func TestLostConnection(t *testing.T) {
	each(t, func(t *testing.T, variant string) {
		want, err := recognize(t, serve(t, &server{t: t, variant: variant}, realtime.Config{}), asr.Params{})
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []string{"connect", "session.update", "input_audio_buffer.append",
			"input_audio_buffer.commit", "completed"} {
			if at == "completed" && variant == realtime.VLLM {
				continue
			}
			s := &server{t: t, variant: variant, at: func(visit int, what string) fault {
				if visit == 1 && what == at {
					return hangUp
				}
				return none
			}}
			got, err := recognize(t, serve(t, s, quick(realtime.Config{})), asr.Params{})
			if err != nil || texts(got.Words) != texts(want.Words) || s.visits != 2 ||
				s.heard[len(s.heard)-1] != asr.Rate {
				t.Errorf("lost at %s: %+v, %v; %d connections, heard %v", at, got, err, s.visits, s.heard)
			}
		}
	})
}

// TestLostInSpeech loses the connection after partials: those that follow are not shorter.
func TestLostInSpeech(t *testing.T) {
	lost := make(chan struct{})
	s := &server{t: t, variant: realtime.OpenAI, deltas: true, at: func(visit int, what string) fault {
		select {
		case <-lost:
			if visit == 1 {
				return hangUp
			}
		default:
		}
		return none
	}}
	r := serve(t, s, quick(realtime.Config{}))
	u := open(t, r, asr.Params{Partials: true})
	if err := u.Write(asrtest.Ramp(3*asr.Rate, 1)); err != nil {
		t.Fatal(err)
	}
	shown := 0
	for shown < 3 {
		got, err := u.Recv()
		if err != nil {
			t.Fatal(err)
		}
		shown = len(got.Words)
	}
	close(lost)
	if err := errors.Join(u.Write(asrtest.Ramp(asr.Rate, 2)), u.End()); err != nil {
		t.Fatal(err)
	}
	for {
		got, err := u.Recv()
		if err != nil {
			t.Fatal(err)
		}
		if got.Final {
			break
		}
		if len(got.Words) < shown {
			t.Errorf("partial %q after one of %d words", texts(got.Words), shown)
		}
		shown = len(got.Words)
	}
	if !slices.Equal(s.heard, []int{4 * asr.Rate}) {
		t.Errorf("heard %v", s.heard)
	}
}

// TestStaleConnection has the server close the connection between utterances: that is no failure.
func TestStaleConnection(t *testing.T) {
	for _, at := range []string{"session.update", "input_audio_buffer.append"} {
		served := false
		s := &server{t: t, variant: realtime.OpenAI, at: func(visit int, what string) fault {
			if visit == 1 && served && what == at {
				return hangUp
			}
			return none
		}}
		r := serve(t, s, realtime.Config{Attempts: 1})
		for _, language := range []string{"en", "de"} {
			if _, err := recognize(t, r, asr.Params{Language: language}); err != nil {
				t.Fatalf("at %s: %v", at, err)
			}
			s.note(func() { served = true })
		}
		if s.visits != 2 {
			t.Errorf("at %s: %d connections", at, s.visits)
		}
	}
}

// TestRefusedHandshake counts attempts, and lets Open refuse after them. Errors never hold what the
// server said.
func TestRefusedHandshake(t *testing.T) {
	for status, attempts := range map[int]int{401: 1, 403: 1, 404: 1, 307: 1, 429: 3, 500: 3, 503: 3} {
		asked := 0
		handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked++
			w.Header().Set("Location", "/elsewhere")
			http.Error(w, r.Header.Get("Authorization"), status)
		})
		r := serve(t, handler, realtime.Config{MinBackoff: time.Millisecond, MaxBackoff: time.Hour})
		_, err := recognize(t, r, asr.Params{})
		if !errors.Is(err, asr.ErrUnavailable) || errors.Is(err, asr.ErrTried) || asked != attempts ||
			strings.Contains(err.Error(), key) {
			t.Errorf("HTTP %d: asked %d times, %v", status, asked, err)
		}
	}
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	r := create(t, realtime.Config{URL: gone.URL, Key: key, Attempts: 1, MinBackoff: time.Hour, MaxBackoff: time.Hour})
	if _, err := recognize(t, r, asr.Params{}); !errors.Is(err, asr.ErrUnavailable) || errors.Is(err, asr.ErrTried) {
		t.Errorf("nobody listens: %v", err)
	}
	if u, err := r.Open(t.Context(), asr.Params{}); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("open after that: %v, %v", u, err)
	}
}

// TestRefusals has servers send errors in the variant's form: at the settings, at the audio and at
// the end.
func TestRefusals(t *testing.T) {
	each(t, func(t *testing.T, variant string) {
		for _, at := range []string{"session.update", "input_audio_buffer.append", "input_audio_buffer.commit"} {
			if variant == realtime.Speaches && at != "input_audio_buffer.commit" {
				continue // its errors beside a confirmed update are not heeded
			}
			s := &server{t: t, variant: variant, at: func(_ int, what string) fault {
				if what == at {
					return refuse
				}
				return none
			}}
			_, err := recognize(t, serve(t, s, quick(realtime.Config{})), asr.Params{})
			if !errors.Is(err, asr.ErrUnavailable) || !strings.Contains(err.Error(), "server_error") ||
				strings.Contains(err.Error(), "secret") || s.visits != 3 {
				t.Errorf("at %s: %v after %d connections", at, err, s.visits)
			}
		}
	})
}

// TestRefusedLanguage has it reported as such, so that nobody asks again.
func TestRefusedLanguage(t *testing.T) {
	s := &speaker{t: t, on: map[string][]string{
		"session.update": {`{"type":"error","error":{"type":"invalid_request_error","code":"invalid_value",
			"param":"session.audio.input.transcription.language","message":"no"}}`},
	}}
	if _, err := recognize(t, serve(t, s, realtime.Config{}), asr.Params{Language: "haw"}); !errors.Is(err,
		asr.ErrLanguage) {
		t.Errorf("%v, want ErrLanguage", err)
	}
}

// TestFailedItem has an item fail: another attempt may succeed.
func TestFailedItem(t *testing.T) {
	s := &speaker{t: t, on: map[string][]string{
		"session.update": {`{"type":"session.updated"}`},
		"input_audio_buffer.commit": {`{"type":"input_audio_buffer.committed","item_id":"a"}`,
			`{"type":"conversation.item.input_audio_transcription.failed","item_id":"a",` +
				`"error":{"type":"server_error"}}`},
	}}
	_, err := recognize(t, serve(t, s, quick(realtime.Config{Attempts: 4})), asr.Params{})
	if !errors.Is(err, asr.ErrTried) || s.visits != 4 {
		t.Errorf("%v after %d connections", err, s.visits)
	}
}

// TestNoAnswer has servers that take everything and answer nothing.
func TestNoAnswer(t *testing.T) {
	each(t, func(t *testing.T, variant string) {
		for _, at := range []string{"connect", "session.update", "input_audio_buffer.commit"} {
			if at == "session.update" && variant == realtime.VLLM {
				continue // it does not answer to that
			}
			s := &server{t: t, variant: variant, at: func(_ int, what string) fault {
				if what == at {
					return silence
				}
				return none
			}}
			c := realtime.Config{Connect: 200 * time.Millisecond, Timeout: 200 * time.Millisecond}
			if _, err := recognize(t, serve(t, s, c), asr.Params{}); !errors.Is(err, asr.ErrUnavailable) {
				t.Errorf("at %s: %v", at, err)
			}
		}
	})
}

// TestBudget bounds the time to a final, however often a server asks to come again.
func TestBudget(t *testing.T) {
	s := &server{t: t, variant: realtime.OpenAI, at: func(_ int, what string) fault {
		if what == "input_audio_buffer.commit" {
			return silence
		}
		return none
	}}
	r := serve(t, s, realtime.Config{Budget: 50 * time.Millisecond, Timeout: time.Hour})
	if _, err := recognize(t, r, asr.Params{}); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("%v", err)
	}
}

// TestTooMuch bounds what a server may send.
func TestTooMuch(t *testing.T) {
	long := strings.Repeat("word ", 20000)
	items := make([]string, 100)
	for name, texts := range map[string][]string{
		"text": {long}, "words": {strings.Repeat("a ", 5000)}, "items": items,
	} {
		s := &server{t: t, variant: realtime.OpenAI, texts: func() []string { return texts }}
		_, err := recognize(t, serve(t, s, quick(realtime.Config{})), asr.Params{})
		if !errors.Is(err, asr.ErrTried) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCloseEndsAll closes while utterances are in every state.
func TestCloseEndsAll(t *testing.T) {
	arrived := make(chan struct{}, 1)
	s := &server{t: t, variant: realtime.OpenAI, at: func(_ int, what string) fault {
		if what != "input_audio_buffer.commit" {
			return none
		}
		arrived <- struct{}{}
		return silence
	}}
	r := serve(t, s, realtime.Config{Concurrency: 1})
	var all []asr.Stream
	for range 3 {
		u := open(t, r, asr.Params{})
		if err := errors.Join(u.Write(asrtest.Ramp(asr.Rate, 1)), u.End()); err != nil {
			t.Fatal(err)
		}
		all = append(all, u)
	}
	all = append(all, open(t, r, asr.Params{}))
	<-arrived
	if err := errors.Join(r.Close(), r.Close()); err != nil {
		t.Error(err)
	}
	for _, u := range all {
		if _, err := u.Recv(); !errors.Is(err, asr.ErrUnavailable) {
			t.Errorf("recv: %v, want ErrUnavailable", err)
		}
	}
	if _, err := r.Open(t.Context(), asr.Params{}); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("open: %v, want ErrUnavailable", err)
	}
}
