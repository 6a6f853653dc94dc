package gateway

import (
	"context"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"steno/gateway/admission"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/store/embedded/embeddedtest"
)

// creations creates n sessions and returns the number of answers by status, and the last refusal.
func creations(w *bubble, n int) (by map[int]int, last messages.ErrorBody) {
	by = map[int]int{}
	for range n {
		var body messages.ErrorBody
		status := w.do("POST", "/v2/live", `{}`, &body)
		by[status]++
		if status >= 400 {
			last = body
		}
	}
	return by, last
}

// One key gets a part of the capacity, and is refused with the name of the key that configures it;
// the rest is for other keys.
func TestOneKeyDoesNotTakeAll(t *testing.T) {
	inBubble(t, func(t *testing.T, w *bubble) {
		limits := w.server.cfg.Limits
		if limits.KeySessions > limits.Sessions/2 {
			t.Errorf("one key may have %d of %d sessions", limits.KeySessions, limits.Sessions)
		}
		total := 0
		for range limits.KeySessions/50 + 1 {
			by, last := creations(w, 70)
			total += by[201]
			if by[201]+by[429] != 70 {
				t.Fatalf("answers %v", by)
			}
			if total == limits.KeySessions && !strings.Contains(last.Message, "unfinished sessions") {
				t.Errorf("refused with %q", last.Message)
			}
			time.Sleep(2 * time.Second)
		}
		if total != limits.KeySessions {
			t.Errorf("one key has %d sessions, want %d", total, limits.KeySessions)
		}
		other := w.addKey("other", "key-of-another-account")
		if status := w.doWith(other, "POST", "/v2/live", `{}`, nil); status != 201 {
			t.Errorf("another key: status %d, want 201", status)
		}
		time.Sleep(time.Minute) // none was connected: the places are free again
		if by, _ := creations(w, 10); by[201] != 10 {
			t.Errorf("answers after a minute %v", by)
		}
	})
}

// A key that creates sessions too fast is sent the time after which it may continue, and that time
// holds.
func TestCreationIsPaced(t *testing.T) {
	inBubble(t, func(t *testing.T, w *bubble) {
		by, last := creations(w, 150)
		if by[201] != 100 || by[429] != 50 || !strings.Contains(last.Message, "sessions a second") {
			t.Errorf("answers %v, %q", by, last.Message)
		}
		resp := w.raw("POST", "/v2/live", testKey)
		after, err := strconv.Atoi(resp.Header.Get("Retry-After"))
		if err != nil || after < 1 || after > 2 {
			t.Errorf("Retry-After %q", resp.Header.Get("Retry-After"))
		}
		time.Sleep(time.Duration(after) * time.Second)
		if by, _ := creations(w, 50); by[201] != 50 {
			t.Errorf("answers after the wait %v", by)
		}
	})
}

func TestSessionsCountForTheirKeyAfterARestart(t *testing.T) {
	r := newTestServer(t, func(c *Config) { c.Limits.KeySessions = 2 })
	var clients []*caller
	for range 2 {
		_, url := r.create(`{}`)
		clients = append(clients, call(t, url).mustConnect())
	}
	r.restart()
	for _, c := range clients {
		c.url = "ws" + strings.TrimPrefix(r.http.URL, "http") + c.url[strings.Index(c.url, "/v2"):]
		c.mustConnect()
		if err := c.send(make([]byte, 3200)); err != nil {
			t.Fatal(err)
		}
		c.ackedTo(3200)
	}
	if a := r.do("POST", "/v2/live", `{}`); a.status != 429 {
		t.Errorf("status %d, want 429: %s", a.status, a.body)
	}
}

// Unknown keys slow their address down. Known keys from there are unaffected, others wait a little.
func TestGuessingIsSlow(t *testing.T) {
	inBubble(t, func(t *testing.T, w *bubble) {
		most := w.server.cfg.Limits.FailedKeys
		w.job(w.createdID())
		began := time.Now()
		for i := range most {
			if status := w.doWith("guess-"+strconv.Itoa(i), "GET", "/v2/live", "", nil); status != 401 {
				t.Fatalf("guess %d: status %d, want 401", i, status)
			}
		}
		if waited := time.Since(began); waited > 0 {
			t.Errorf("the first guesses waited %v", waited)
		}
		resp := w.raw("GET", "/v2/live", "guess-too-many")
		if after, err := strconv.Atoi(resp.Header.Get("Retry-After")); resp.StatusCode != 429 || err != nil ||
			after < 1 {
			t.Errorf("status %d, Retry-After %q", resp.StatusCode, resp.Header.Get("Retry-After"))
		}
		guesser := make(chan int)
		go func() { // as fast as it is answered, from the same address
			n := 0
			for time.Since(began) < time.Minute {
				w.raw("GET", "/v2/live", "guess-more-"+strconv.Itoa(n))
				n++
			}
			guesser <- n
		}()
		for range 20 {
			at := time.Now()
			if status := w.do("GET", "/v2/live", "", nil); status != 200 || time.Since(at) > 0 {
				t.Errorf("a known key: status %d after %v", status, time.Since(at))
			}
			time.Sleep(time.Second)
		}
		late := w.addKey("late", "key-that-was-never-used")
		at := time.Now()
		if status := w.doWith(late, "GET", "/v2/live", "", nil); status != 200 || time.Since(at) > 0 {
			t.Errorf("a new key: status %d after %v", status, time.Since(at))
		}
		var token made
		var ticket struct{ Ticket string }
		if status := w.doWith(late, "POST", "/v2/tokens", `{"scopes":["read","live"]}`, &token); status != 201 {
			t.Errorf("a token: status %d", status)
		}
		for range 2 * maxWaitingKeys {
			if status := w.doWith(token.Token, "POST", "/v2/tickets", "", &ticket); status != 201 ||
				time.Since(at) > 0 {
				t.Errorf("a ticket by a new token: status %d after %v", status, time.Since(at))
			}
			if status := w.doWith("", "GET", "/v2/events?from=x&ticket="+ticket.Ticket, "", nil); status != 400 ||
				time.Since(at) > 0 {
				t.Errorf("a stream by a new ticket: status %d after %v", status, time.Since(at))
			}
		}
		if n := <-guesser; n > 70+most {
			t.Errorf("%d guesses in a minute", n)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if status := w.doWith("guess-again", "GET", "/v2/live", "", nil); status != 401 {
			t.Errorf("after a minute's rest: status %d, want 401", status)
		}
	})
}

// When many unknown keys arrive concurrently, a few are delayed and the rest are refused
// immediately. Other addresses are not affected.
func TestGuessesInParallel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newKeyLimiter(1)
		from := netip.MustParseAddr("192.0.2.1")
		status := func(from netip.Addr) int { return web.AsProblem(g.reject(t.Context(), from, "unknown")).Status }
		if got := status(from); got != 401 {
			t.Errorf("the first: %d", got)
		}
		began, waited := time.Now(), make(chan time.Duration, 100)
		for range 100 {
			go func() {
				if got := status(from); got != 429 {
					t.Errorf("one too many: %d", got)
				}
				waited <- time.Since(began)
			}()
		}
		n := 0
		for range 100 {
			if <-waited >= unknownKeyDelay {
				n++
			}
		}
		if n != maxWaitingKeys {
			t.Errorf("%d of 100 keys waited", n)
		}
		if got := status(netip.MustParseAddr("192.0.2.2")); got != 401 || len(g.queues) != 0 {
			t.Errorf("another address: %d; queues %v are left", got, g.queues)
		}
	})
}

// addKey stores another key.
func (w *bubble) addKey(account, text string) string {
	w.t.Helper()
	if err := w.store.AddKey(w.t.Context(), keyOf(account, text)); err != nil {
		w.t.Fatal(err)
	}
	return text
}

// createdID returns the id of a new session.
func (w *bubble) createdID() string {
	w.t.Helper()
	id, _ := w.create()
	return id
}

// raw makes a request with a key and returns the answer without its body.
func (w *bubble) raw(method, path, key string) *http.Response {
	resp, err := w.request(method, path, "{}", key)
	if err != nil {
		w.t.Error(err)
		return &http.Response{}
	}
	_ = resp.Body.Close()
	return resp
}

// Sessions beyond the engine's capacity are refused with 503 and the time to retry. A session that
// ends makes room.
func TestSessionsWithoutHeadroomAreRefused(t *testing.T) {
	dir := embeddedtest.Folder(t)
	synctest.Test(t, func(t *testing.T) {
		w := &bubble{t: t, dir: dir, config: Config{Admission: admission.Config{Headroom: true}}}
		var engine string
		w.change = func(d *Deps) {
			m, _ := d.Engines.Model(t.Context(), "stt-1")
			engine = m.Engines[0].Name
			d.EngineLoad = func(context.Context) []admission.EngineLoad {
				return []admission.EngineLoad{{Engine: engine, Slots: 1}}
			}
		}
		w.start()
		defer w.stop()
		time.Sleep(time.Second) // until the engine was measured
		by, last := creations(w, 10)
		if by[201] != 4 || by[503] != 6 || !strings.Contains(last.Message, "recognition engine is fully used") {
			t.Errorf("answers %v, %q", by, last.Message)
		}
		resp := w.raw("POST", "/v2/live", testKey)
		after, err := strconv.Atoi(resp.Header.Get("Retry-After"))
		if err != nil || resp.StatusCode != 503 || after < 20 || after > 30 {
			t.Errorf("status %d, Retry-After %q, want about half a minute", resp.StatusCode,
				resp.Header.Get("Retry-After"))
		}
		time.Sleep(time.Duration(after+1) * time.Second) // none has a socket, so none counts any more
		if by, _ := creations(w, 2); by[201] != 2 {
			t.Errorf("answers after Retry-After %v", by)
		}
	})
}

// A key's speakers are bounded, those on other nodes included.
func TestSpeakersOfAKeyAreBounded(t *testing.T) {
	dir := embeddedtest.Folder(t)
	synctest.Test(t, func(t *testing.T) {
		w := &bubble{t: t, dir: dir, config: Config{Admission: admission.Config{KeySpeakers: 2}}}
		w.start()
		defer w.stop()
		by, last := creations(w, 3)
		if by[201] != 2 || by[429] != 1 || !strings.Contains(last.Message, "speakers, no more") {
			t.Errorf("answers %v, %q", by, last.Message)
		}
		if status := w.doWith(w.addKey("other", "key-of-another-account"), "POST", "/v2/live", `{}`, nil); status !=
			201 {
			t.Errorf("another key: status %d", status)
		}
	})
}
