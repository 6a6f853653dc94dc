package loadtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"

	"steno/messages"
)

// server is a small gateway for one session after the other: it acknowledges audio, hears an
// utterance in every 300 ms, and lets a client resume by the content of what it sends again.
type server struct {
	*httptest.Server
	t *testing.T

	// cutEvery closes the connection without a word after so many binary messages on a socket; 0:
	// never.
	cutEvery int
	// cutAtStop drops the socket on which the first stop arrives, before it is answered.
	cutAtStop bool
	// closeWith closes the first socket immediately with a code; 0: not.
	closeWith websocket.StatusCode
	// swallow leaves the n-th final (from 1) of a session off the socket; 0: none.
	swallow int
	// refuse answers so many requests for a session with 503.
	refuse int

	mu       sync.Mutex
	sessions map[string]*served
	// cancelled are the sessions that were deleted though they were not finished.
	cancelled map[string]bool
}

type served struct {
	id      string
	rate    int64 // bytes per second
	journal []byte
	acks    []int64 // boundaries sent
	log     [][]byte
	finals  []messages.Utterance
	stopped bool
	sockets int
}

func newServer(t *testing.T, change func(*server)) *server {
	s := &server{t: t, sessions: map[string]*served{}, cancelled: map[string]bool{}}
	if change != nil {
		change(s)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v2/live", s.create)
	mux.HandleFunc("GET /v2/live", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Has("token") {
			s.live(w, r)
			return
		}
		s.list(w, r)
	})
	mux.HandleFunc("GET /readyz", s.ready)
	mux.HandleFunc("GET /v2/live/{id}", s.job)
	mux.HandleFunc("DELETE /v2/live/{id}", s.cancel)
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

func (s *server) create(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refuse > 0 {
		s.refuse--
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	if r.Header.Get("X-Service-Key") != "secret" {
		w.WriteHeader(http.StatusUnauthorized)
		_ = json.NewEncoder(w).Encode(messages.ErrorBody{StatusCode: 401, Message: "key unknown"})
		return
	}
	var req request
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		s.t.Errorf("request: %v", err)
	}
	id := fmt.Sprintf("session-%d", len(s.sessions))
	s.sessions[id] = &served{id: id, rate: int64(req.SampleRate * req.Channels * req.BitDepth / 8)}
	w.WriteHeader(http.StatusCreated)
	_ = json.NewEncoder(w).Encode(created{ID: id, URL: strings.Replace(s.URL, "http", "ws", 1) +
		"/v2/live?token=" + id})
}

func (s *server) ready(w http.ResponseWriter, _ *http.Request) {
	if s.refuse > 0 {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_, _ = w.Write([]byte("{}"))
}

func (s *server) list(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("X-Service-Key") != "secret" {
		w.WriteHeader(http.StatusUnauthorized)
	}
	_ = json.NewEncoder(w).Encode(messages.Page{})
}

func (s *server) job(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.sessions[r.PathValue("id")]
	result, err := json.Marshal(messages.LiveResult{Transcription: messages.Transcription{Utterances: v.finals}})
	if err != nil {
		s.t.Errorf("result: %v", err)
	}
	_ = json.NewEncoder(w).Encode(messages.Job{ID: v.id, Status: messages.StatusDone, Result: result})
}

func (s *server) cancel(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancelled[r.PathValue("id")] = r.FormValue("cancel") == "true"
	w.WriteHeader(http.StatusAccepted)
}

func (s *server) live(w http.ResponseWriter, r *http.Request) {
	conn, err := websocket.Accept(w, r, nil)
	if err != nil {
		s.t.Errorf("accept: %v", err)
		return
	}
	defer conn.CloseNow()
	conn.SetReadLimit(messages.MaxBinaryFrame)
	s.mu.Lock()
	v := s.sessions[r.URL.Query().Get("token")]
	v.sockets++
	first := v.sockets == 1
	s.mu.Unlock()
	if first && s.closeWith != 0 {
		_ = conn.Close(s.closeWith, "test")
		return
	}
	c := &conversation{server: s, served: v, conn: conn, ctx: r.Context(), skip: -1}
	c.run()
}

// conversation is one socket of the server.
type conversation struct {
	server *server
	served *served
	conn   *websocket.Conn
	ctx    context.Context
	skip   int64 // bytes still to be skipped as sent again; -1: not yet known
	binary int
}

func (c *conversation) run() {
	if c.served.sockets == 1 {
		c.skip = 0
	}
	for _, b := range c.served.log {
		c.write(b)
	}
	if c.served.stopped { // a stop is said once
		_ = c.conn.Close(websocket.StatusNormalClosure, "")
		return
	}
	for {
		kind, b, err := c.conn.Read(c.ctx)
		if err != nil {
			return
		}
		if kind == websocket.MessageText {
			if c.text(b) {
				return
			}
			continue
		}
		c.audio(b)
		if c.binary++; c.server.cutEvery > 0 && c.binary == c.server.cutEvery {
			return
		}
	}
}

// text handles a stop and reports whether the conversation is finished.
func (c *conversation) text(b []byte) bool {
	if string(b) != stopFrame {
		c.server.t.Errorf("text frame %s", b)
		return true
	}
	again := c.served.stopped
	c.served.stopped = true
	if !again {
		c.log(`{"type":"stop_recording","acknowledged":true,"error":null,"data":{}}`)
		if c.server.cutAtStop {
			return true
		}
	}
	_ = c.conn.Close(websocket.StatusNormalClosure, "")
	return true
}

func (c *conversation) audio(b []byte) {
	v := c.served
	if c.skip < 0 {
		c.skip = c.overlap(b)
	}
	n := min(c.skip, int64(len(b)))
	c.skip -= n
	before := int64(len(v.journal))
	v.journal = append(v.journal, b[n:]...)
	size := int64(len(v.journal))
	v.acks = append(v.acks, size)
	c.write(fmt.Appendf(nil,
		`{"type":"audio_chunk","acknowledged":true,"error":null,"data":{"byte_range":[%d,%d],"time_range":[0,0]}}`,
		before, size))
	for span := v.rate * 3 / 10; before/span < size/span; before += span {
		c.utterance(before / span)
	}
}

// overlap finds how much of the journal the client sends again, by content: b is what it sends
// first.
func (c *conversation) overlap(b []byte) int64 {
	for _, at := range append([]int64{0}, c.served.acks...) {
		rest := c.served.journal[at:]
		n := min(len(rest), len(b))
		if bytes.Equal(rest[:n], b[:n]) {
			return int64(len(rest))
		}
	}
	c.server.t.Error("what is sent again was never sent before")
	return 0
}

// utterance sends what was heard in the n-th 300 ms.
func (c *conversation) utterance(n int64) {
	start := float64(n) * 0.3
	u := messages.Utterance{Start: start + 0.05, End: start + 0.2, Text: fmt.Sprintf(" word %d.", n), Language: "en"}
	body, err := json.Marshal(u)
	if err != nil {
		c.server.t.Errorf("utterance: %v", err)
	}
	transcript := func(final bool) string {
		return fmt.Sprintf(`{"type":"transcript","data":{"id":"%s","is_final":%t,"utterance":%s}}`,
			messages.UtteranceID(0, n), final, body)
	}
	c.log(fmt.Sprintf(`{"type":"speech_start","data":{"time":%g,"channel":0}}`, start))
	c.write([]byte(transcript(false)))
	c.log(fmt.Sprintf(`{"type":"speech_end","data":{"time":%g,"channel":0}}`, start+0.25))
	c.served.finals = append(c.served.finals, u)
	if len(c.served.finals) != c.server.swallow {
		c.log(transcript(true))
	}
}

// log keeps a message for the sockets to come and sends it.
func (c *conversation) log(m string) {
	c.served.log = append(c.served.log, []byte(m))
	c.write([]byte(m))
}

func (c *conversation) write(b []byte) {
	// A client that is gone is noticed by the next read.
	_ = c.conn.Write(c.ctx, websocket.MessageText, b)
}
