package gateway

import (
	"bufio"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"steno/gateway/limits"
)

const everyFlag = `"receive_partial_transcripts":true,"receive_lifecycle_events":true,"receive_errors":true`

// wordsOf returns the logged messages' texts, except start_session, which a session's own socket is
// not sent.
func wordsOf(frames []frame) (logged []string, partials int) {
	for _, f := range frames {
		switch {
		case f.Acknowledged != nil || f.Type == "start_session":
		case f.Type == "transcript" && f.final() == "":
			partials++
		default:
			logged = append(logged, f.text)
		}
	}
	return logged, partials
}

// readEvents reads a response of server-sent events to its end.
func readEvents(t *testing.T, body io.Reader) (frames []frame, comments int) {
	t.Helper()
	for lines := bufio.NewScanner(body); lines.Scan(); {
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok && !strings.Contains(data, `"subscription_end"`) {
			frames = append(frames, parseFrame(t, data))
		}
		if strings.HasPrefix(lines.Text(), ":") {
			comments++
		}
	}
	return frames, comments
}

// A browser opens a session with a token, and others follow it with tokens of their own, before it
// speaks, meanwhile and afterwards: all of them get the messages of the session's socket.
func TestSubscribers(t *testing.T) {
	inBubble(t, func(t *testing.T, w *bubble) {
		var browser, screen made
		if status := w.do("POST", "/v2/tokens", `{"scopes":["live"]}`, &browser); status != 201 {
			t.Fatalf("token: %d", status)
		}
		var session struct{ ID, URL string }
		if status := w.doWith(browser.Token, "POST", "/v2/live", `{"messages_config":{`+everyFlag+`}}`,
			&session); status != 201 {
			t.Fatalf("session: %d", status)
		}
		if status := w.do("POST", "/v2/live/"+session.ID+"/subscribers", "", &screen); status != 201 {
			t.Fatalf("subscriber: %d", status)
		}
		var ticket struct{ Ticket string }
		if status := w.doWith(screen.Token, "POST", "/v2/tickets", "", &ticket); status != 201 {
			t.Fatalf("ticket: %d", status)
		}
		path := "/v2/live/" + session.ID + "/events"
		first := w.call("http://steno" + path + "?ticket=" + ticket.Ticket)
		if again := call(t, "http://steno"+path+"?ticket="+
			ticket.Ticket); func() bool { again.dial = w.net.Dial; return again.connect() == nil }() {
			t.Error("a ticket was used twice")
		}
		speaker := w.call(session.URL)
		for piece := range slices.Chunk(speech(8, 5), 3200) { // as they are spoken, so that there are partials
			if err := speaker.send(piece); err != nil {
				t.Fatal(err)
			}
			time.Sleep(100 * time.Millisecond)
		}
		during, err := w.request("GET", path, "", screen.Token)
		if err != nil || during.StatusCode != 200 {
			t.Fatal(during, err)
		}
		defer during.Body.Close()
		if err := speaker.stop(); err != nil {
			t.Fatal(err)
		}
		if code := speaker.end(); code != 1000 {
			t.Errorf("speaker: closed with %d", code)
		}
		if code := first.end(); code != 1000 {
			t.Errorf("subscriber: closed with %d", code)
		}
		want, spoken := wordsOf(speaker.all())
		got, partials := wordsOf(first.all())
		if len(want) < 8 || !slices.Equal(got, want) || partials == 0 || spoken == 0 {
			t.Errorf("subscriber has %d messages and %d partials of %d and %d", len(got), partials, len(want), spoken)
		}
		for _, f := range first.all() {
			if f.Acknowledged != nil {
				t.Errorf("subscriber is sent %s", f.text)
			}
		}
		frames, _ := readEvents(t, during.Body)
		if got, _ := wordsOf(frames); !slices.Equal(got, want) {
			t.Errorf("later subscriber has %d messages of %d", len(got), len(want))
		}
		after, err := w.request("GET", path, "", screen.Token)
		if err != nil {
			t.Fatal(err)
		}
		frames, _ = readEvents(t, after.Body)
		_ = after.Body.Close()
		if got, partials := wordsOf(frames); !slices.Equal(got, want) || partials > 0 {
			t.Errorf("last subscriber has %d messages and %d partials of %d", len(got), partials, len(want))
		}
	})
}

// A subscriber of a silent session is sent something every 20 s, regardless of the limits of other
// answers, until its token expires.
func TestSubscriberHeartbeat(t *testing.T) {
	inBubbleWith(t, limits.Limits{NeverConnected: time.Hour}, func(t *testing.T, w *bubble) {
		id, _ := w.create()
		var token made
		if status := w.do("POST", "/v2/live/"+id+"/subscribers", `{"lifetime":600}`, &token); status != 201 {
			t.Fatalf("token: %d", status)
		}
		socket := call(t, "http://steno/v2/live/"+id+"/events?ticket="+w.ticket(token.Token))
		socket.dial = w.net.Dial
		socket.mustConnect()
		began := time.Now()
		r, err := w.request("GET", "/v2/live/"+id+"/events", "", token.Token)
		if err != nil || r.StatusCode != http.StatusOK {
			t.Fatal(r, err)
		}
		defer r.Body.Close()
		_, comments := readEvents(t, r.Body)
		if lasted := time.Since(began); lasted < 10*time.Minute || lasted > 10*time.Minute+2*time.Second ||
			comments < 30 {
			t.Errorf("lasted %v, with %d heartbeats", lasted, comments)
		}
		if code := socket.end(); code != 4401 {
			t.Errorf("WebSocket closed with %d", code)
		}
		if r, err := w.request("GET", "/v2/live/"+id+"/events", "", token.Token); err != nil || r.StatusCode != 401 {
			t.Errorf("after the end: %v, %v", r, err)
		} else {
			_ = r.Body.Close()
		}
	})
}

// ticket makes a ticket for a key or token.
func (w *bubble) ticket(credential string) string {
	w.t.Helper()
	var got struct{ Ticket string }
	if status := w.doWith(credential, "POST", "/v2/tickets", "", &got); status != 201 {
		w.t.Fatalf("ticket: %d", status)
	}
	return got.Ticket
}

// The server stops while there are subscribers: sockets are closed with 1012, responses end, no
// goroutine is left.
func TestSubscribersAtRestart(t *testing.T) {
	inBubble(t, func(t *testing.T, w *bubble) {
		id, url := w.create()
		speaker := w.call(url)
		if err := speaker.send(speech(3, 1)); err != nil {
			t.Fatal(err)
		}
		socket := w.call("http://steno/v2/live/" + id + "/events?ticket=" + w.ticket(testKey))
		r, err := w.request("GET", "/v2/events", "", testKey)
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		w.stop()
		if code := socket.end(); code != 1012 {
			t.Errorf("closed with %d", code)
		}
		_, _ = io.ReadAll(r.Body) // it ends; how does not matter, browsers open it again
		_ = r.Body.Close()
		w.start()
		synctest.Wait()
	})
}
