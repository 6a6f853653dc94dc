package subscribers

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// everyFlag wants all kinds.
const everyFlag = "receive_partial_transcripts=true&receive_final_transcripts=true&receive_speech_events=true&receive_lifecycle_events=true&receive_acknowledgments=true"

// script logs a short session.
func script(k *testSession) {
	k.logs(messages.KindStartSession, "", 0)
	k.logs(messages.KindSpeechStart, "00_00000000", 0)
	k.logs(messages.KindSpeechEnd, "00_00000000", 0)
	k.logs(messages.KindFinal, "00_00000000", 10)
	k.logs(messages.KindFinal, "00_00000001", 10)
}

// Server-sent events have the number, the type and the exact text of each message; the flags of the
// session are the default.
func TestSSE(t *testing.T) {
	s := newTestServer(t, nil)
	k := s.testSession("a1")
	script(k)
	e, status := s.open("/v2/live/a1/events")
	if status != http.StatusOK || e.response.Header.Get("X-Accel-Buffering") != "no" ||
		e.response.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%d %v", status, e.response.Header)
	}
	for i, want := range []received{
		{"1-2", "speech_start", ""}, {"1-3", "speech_end", ""}, {"1-4", "transcript", ""}, {"1-5", "transcript", ""},
	} {
		got, err := e.next()
		want.data = k.bodies(^messages.Filter(0))[i+1]
		if err != nil || got != want {
			t.Fatalf("got %v, %v, want %v", got, err, want)
		}
	}
	k.logs(messages.KindFinal, "00_00000002", 0)
	if got, err := e.next(); err != nil || got.id != "1-6" {
		t.Fatalf("live: %v, %v", got, err)
	}
	k.ends()
	last, err := e.next()
	if err != nil || last.event != typeEnd || last.id != "1-7" || !strings.Contains(last.data, `"session_ended"`) {
		t.Fatalf("end: %v, %v", last, err)
	}
	if _, err := e.next(); err != io.EOF {
		t.Fatalf("after the end: %v", err)
	}
	if _, status := s.open("/v2/live/a1/events", "Last-Event-ID", last.id); status != http.StatusNoContent {
		t.Errorf("opened again after the end: %d", status)
	}
	if e, _ := s.open("/v2/live/a1/events", "Last-Event-ID", "1-4"); len(all(t, e)) != 2 {
		t.Error("the rest after an id is not two messages")
	}
	if e, _ := s.open("/v2/live/a1/events?from=4"); len(all(t, e)) != 3 {
		t.Error("the rest from a number is not three messages")
	}
}

// The messages of a WebSocket are those of the log byte for byte, and it is closed with 1000 after
// the end.
func TestWebSocket(t *testing.T) {
	s := newTestServer(t, nil)
	k := s.testSession("a1")
	script(k)
	w, numbered := s.dial("/v2/live/a1/events?"+everyFlag), s.dial("/v2/live/a1/events?seq=true&"+everyFlag)
	k.ends()
	want := k.bodies(^messages.Filter(0))
	if got := all(t, w); !slices.Equal(got, want) || w.code != websocket.StatusNormalClosure {
		t.Errorf("got %q (%d), want %q", got, w.code, want)
	}
	for i := range want {
		want[i] = `{"seq":` + strconv.Itoa(i+1) + "," + want[i][1:]
	}
	if got := all(t, numbered); !slices.Equal(got, want) {
		t.Errorf("numbered: got %q, want %q", got, want)
	}
	over := s.dial("/v2/live/a1/events?from=1-6")
	if got := all(t, over); len(got) > 0 || over.code != websocket.StatusNormalClosure {
		t.Errorf("after the end: %v, %d", got, over.code)
	}
}

// Flags of the query, the token and the session decide in this order, and a token never shows more
// than it was made for.
func TestFlags(t *testing.T) {
	s := newTestServer(t, nil)
	k := s.testSession("a1")
	script(k)
	k.ends()
	finals := messages.FilterOf(messages.KindFinal)
	for _, c := range []struct {
		name, query string
		token       messages.Filter
		want        messages.Filter
	}{
		{"session's", "", 0, finals.With(messages.KindSpeechStart, messages.KindSpeechEnd)},
		{"one more", "?receive_lifecycle_events=true", 0, ^messages.Filter(0)},
		{"one less", "?receive_speech_events=false", 0, finals},
		{"token's", "", finals.With(messages.KindEndSession), finals.With(messages.KindEndSession)},
		{"more than the token's", "?" + everyFlag, finals, finals},
		{"less than the token's", "?receive_final_transcripts=false", finals, 0},
	} {
		s.as(func(p *web.Principal) { p.Kinds = c.token })
		e, _ := s.open("/v2/live/a1/events" + c.query)
		if got, want := all(t, e), k.bodies(c.want); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", c.name, got, want)
		}
	}
	s.as(func(p *web.Principal) { p.Kinds = 0 })
	for _, bad := range []string{"receive_errors=maybe", "from=x", "from=-1", "seq=2",
		"receive_errors=true&receive_errors=true"} {
		if _, status := s.open("/v2/live/a1/events?" + bad); status != http.StatusBadRequest {
			t.Errorf("%s: %d", bad, status)
		}
	}
	if _, status := s.open("/v2/live/none/events"); status != http.StatusNotFound {
		t.Errorf("unknown session: %d", status)
	}
	s.as(func(p *web.Principal) { p.Account = "zeta" })
	if _, status := s.open("/v2/live/a1/events"); status != http.StatusNotFound {
		t.Errorf("another account's session: %d", status)
	}
}

// Partials are published while somebody follows them, and come in their place.
func TestPartials(t *testing.T) {
	s := newTestServer(t, nil)
	k := s.testSession("a1")
	k.logs(messages.KindSpeechStart, "u", 0)
	plain, _ := s.open("/v2/live/a1/events")
	if k.emitPartial("u", "not wanted") {
		t.Error("a partial is published though only logged events are followed")
	}
	w := s.dial("/v2/live/a1/events?receive_partial_transcripts=true")
	waitUntil(t, "partials are followed", func() bool { return s.store.Followed("a1") })
	k.emitPartial("u", "one")
	if got, err := w.next(); err != nil || !strings.Contains(got.data, "speech_start") {
		t.Fatalf("%v, %v", got, err)
	}
	if got, err := w.next(); err != nil || !strings.Contains(got.data, `"one"`) {
		t.Fatalf("%v, %v", got, err)
	}
	k.logs(messages.KindFinal, "u", 0)
	for _, want := range []string{"pad", `"next"`} {
		if got, err := w.next(); err != nil || !strings.Contains(got.data, want) {
			t.Fatalf("%v, %v, want %s", got, err, want)
		}
		k.publisher.last = 1
		k.emitPartial("u", "too late")
		k.publisher.last = 2
		k.emitPartial("v", "next")
	}
	w.close()
	waitUntil(t, "partials are not followed any more", func() bool { return !s.store.Followed("a1") })
	k.ends()
	if got := all(t, plain); len(got) != 2 {
		t.Errorf("the other has %q", got)
	}
}

// The subscription of an account has beginnings, ends and finals of all its sessions, or of those
// of its token.
func TestAccount(t *testing.T) {
	s := newTestServer(t, nil)
	before := s.testSession("b0")
	script(before)
	sessions := []*testSession{s.testSession("a1"), s.testSession("b2"), s.testSession("c3")}
	every, _ := s.open("/v2/events")
	s.as(func(p *web.Principal) { p.Sessions = []string{"c3"} })
	bound, _ := s.open("/v2/events?from=0")
	if _, status := s.open("/v2/events?session=b0"); status != http.StatusForbidden {
		t.Errorf("a session that the token is not for: %d", status)
	}
	s.as(func(p *web.Principal) { p.Sessions = nil })
	if _, status := s.open("/v2/events?session=none"); status != http.StatusNotFound {
		t.Errorf("unknown session: %d", status)
	}
	for _, k := range sessions {
		script(k)
	}
	for _, k := range sessions {
		k.ends()
	}
	read := func(e *eventSource, n int) (list []string) {
		for range n {
			got, err := e.next()
			if err != nil {
				t.Fatalf("after %q: %v", list, err)
			}
			list = append(list, got.data)
		}
		return list
	}
	var want []string
	for _, k := range sessions {
		want = append(want, k.bodies(store.AccountKinds.Without(messages.KindEndSession))...)
	}
	for _, k := range sessions {
		want = append(want, k.bodies(messages.FilterOf(messages.KindEndSession))...)
	}
	if got := read(every, 12); !slices.Equal(got, want) {
		t.Errorf("all: %q, want %q", got, want)
	}
	if got, want := read(bound, 4), sessions[2].bodies(store.AccountKinds); !slices.Equal(got, want) {
		t.Errorf("token's: %q, want %q", got, want)
	}
}

// Subscriptions end with their key or token, with the server, and with their session's record.
func TestEndings(t *testing.T) {
	for _, c := range []struct {
		name   string
		reason string
		code   websocket.StatusCode
		end    func(s *testServer, k *testSession, token store.Token)
	}{
		{"revoked", "token_revoked", 4401, func(s *testServer, _ *testSession, token store.Token) {
			must(s.t, s.store.RemoveToken(s.t.Context(), "acme", token.ID))
		}},
		{"key removed", "token_revoked", 4401, func(s *testServer, _ *testSession, token store.Token) {
			must(s.t, s.store.RemoveKey(s.t.Context(), token.Key))
		}},
		{"deleted", "session_deleted", 4410, func(s *testServer, k *testSession, _ store.Token) {
			must(s.t, s.store.Cancel(s.t.Context(), "acme", k.id))
		}},
		{"restart", "", 1012, func(s *testServer, _ *testSession, _ store.Token) { s.service.Halt() }},
		{"expired", "token_expired", 4401, func(*testServer, *testSession, store.Token) {}},
	} {
		t.Run(c.name, func(t *testing.T) {
			hash, key := web.KeyHash{1}, web.KeyHash{2}
			s := newTestServer(t, func(c *Config) { c.HasKey = func(web.KeyHash) bool { return false } })
			must(t, s.store.AddKey(t.Context(), store.Key{Hash: key[:], Account: "acme", CreatedAt: time.Now()}))
			k := s.testSession("a1")
			defer func() { _ = k.live.Close() }()
			script(k)
			token := store.Token{
				ID: "token", Hash: hash[:], Account: "acme", Key: key[:], Scopes: store.ScopeRead,
				CreatedAt: time.Now(),
				ExpiresAt: time.Now().Add(time.Hour),
			}
			must(t, s.store.AddToken(t.Context(), token))
			s.as(func(p *web.Principal) {
				p.Token, p.Key, p.Expires = hash, key, token.ExpiresAt
				switch c.name {
				case "expired":
					p.Expires = time.Now().Add(3 * time.Second)
				case "key removed": // the key itself is used
					p.Token, p.Expires = web.KeyHash{}, time.Time{}
				}
			})
			w := s.dial("/v2/live/a1/events")
			e, _ := s.open("/v2/live/a1/events")
			for range 4 {
				_, err := w.next()
				must(t, err)
				_, err = e.next()
				must(t, err)
			}
			c.end(s, k, token)
			if rest := all(t, w); len(rest) > 0 || w.code != c.code {
				t.Errorf("WebSocket: %q, closed with %d", rest, w.code)
			}
			got, err := e.next()
			if c.reason == "" && err != io.EOF || c.reason != "" &&
				(got.event != typeEnd || !strings.Contains(got.data, c.reason)) {
				t.Errorf("SSE: %v, %v", got, err)
			}
		})
	}
}

// A subscription that is one too many is refused.
func TestLimits(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"subscribers":             func(c *Config) { c.Limits.Subscribers = 1 },
		"subscribers_per_key":     func(c *Config) { c.Limits.KeySubscribers = 1 },
		"subscribers_per_session": func(c *Config) { c.Limits.SessionSubscribers = 1 },
	} {
		s := newTestServer(t, change)
		k := s.testSession("a1")
		script(k)
		first, status := s.open("/v2/live/a1/events")
		if status != http.StatusOK {
			t.Fatalf("%s: first: %d", name, status)
		}
		second, status := s.open("/v2/live/a1/events")
		if text, _ := io.ReadAll(second.response.Body); status != http.StatusTooManyRequests ||
			!strings.Contains(string(text), "as many subscribers as are allowed") {
			t.Errorf("%s: second: %d %s", name, status, text)
		}
		first.close()
		waitUntil(t, "the place is free", func() bool {
			again, status := s.open("/v2/live/a1/events")
			again.close()
			return status == http.StatusOK
		})
		must(t, k.live.Close())
	}
}

// A client that asks for events to come gets those, and does not keep others from theirs.
func TestFromBeyondTheEnd(t *testing.T) {
	s := newTestServer(t, nil)
	k := s.testSession("a1")
	script(k)
	later, _ := s.open("/v2/live/a1/events?from=8&" + everyFlag)
	laterOfAll, _ := s.open("/v2/events?from=7")
	waitUntil(t, "it has joined", func() bool { return s.clients() == 2 })
	now, _ := s.open("/v2/live/a1/events?" + everyFlag)
	for i := range 4 {
		k.logs(messages.KindFinal, "later"+strconv.Itoa(i), 0)
	}
	k.ends()
	want := k.bodies(^messages.Filter(0))
	if got := all(t, now); !slices.Equal(got, want) {
		t.Errorf("from the beginning: %q", got)
	}
	if got := all(t, later); !slices.Equal(got, want[7:]) {
		t.Errorf("from 8: %q", got)
	}
	if got, err := laterOfAll.next(); err != nil || got.data != want[6] {
		t.Errorf("from 7 of the account: %v, %v", got, err)
	}
}

// A client that comes with an id of another history receives a notice and gets everything.
func TestOtherEpoch(t *testing.T) {
	s := newTestServer(t, nil)
	k := s.testSession("a1")
	script(k)
	k.ends()
	e, _ := s.open("/v2/live/a1/events", "Last-Event-ID", "7-4")
	got, err := e.next()
	if err != nil || got.event != typeResync || !strings.Contains(got.data, `"from":1}`) {
		t.Errorf("%v, %v", got, err)
	}
	if rest := all(t, e); len(rest) != 4 {
		t.Errorf("the rest is %q", rest)
	}
}

// The refusal of a place that is none names what it came with.
func TestRefusedPlaceIsNamed(t *testing.T) {
	s := newTestServer(t, nil)
	for _, id := range []string{"a1", "b2"} {
		s.testSession(id).ends()
	}
	for _, c := range []struct{ path, last, want string }{
		{"/v2/live/a1/events?from=1-2.3", "", "from must be an id as the stream sends them"},
		{"/v2/live/a1/events", "x", "Last-Event-ID must be an id as the stream sends them"},
		{"/v2/live/a1/events?from=2", "1-2.3", "Last-Event-ID must be an id as the stream sends them"},
		{"/v2/events?session=a1&session=b2&from=1-2", "", "from must be 0 or an id of a stream of the same sessions"},
		{"/v2/events?session=a1&session=b2", "x", "Last-Event-ID must be 0 or an id of a stream of the same sessions"},
	} {
		r := httptest.NewRequest("GET", c.path, nil)
		r.Header.Set("Last-Event-ID", c.last)
		query, fault := messages.ParseEventsQuery(r.URL.Query())
		if fault != nil {
			t.Fatal(fault)
		}
		var err error
		if r = web.WithPrincipal(r, s.principal); len(query.Sessions) > 0 {
			err = s.service.FollowAccount(httptest.NewRecorder(), r)
		} else {
			r.SetPathValue("id", "a1")
			err = s.service.FollowSession(httptest.NewRecorder(), r)
		}
		p, ok := errors.AsType[*messages.Problem](err)
		if !ok || p.Status != http.StatusBadRequest || !slices.Equal(p.ValidationErrors, []string{c.want}) {
			t.Errorf("%s, %s: %v, %+v", c.path, c.last, err, p)
		}
	}
}
