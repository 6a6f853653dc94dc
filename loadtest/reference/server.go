package reference

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"steno/messages"
)

const (
	maxSessions = 20_000  // known at a time
	maxBody     = 1 << 20 // bytes of a request for a session

	// patience is how long a session waits for its socket, and after that for the request of its
	// record. Then it is forgotten.
	patience = 10 * time.Minute
)

// Config is what the server does for a frame beyond counting it.
type Config struct {
	// Service is how long the one worker of the server takes for each binary message, of all
	// sessions one after the other; zero: messages need no worker. A server of sessions that send f
	// messages a second therefore carries 1/(f·Service) of them. No processor is used for it.
	Service time.Duration
	// Utterance is the audio after which a final is sent, again and again; zero: there are none.
	Utterance time.Duration
}

// Server is the handler of the routes that a live client uses. Its zero value is not ready, see
// [New].
type Server struct {
	mux    http.ServeMux
	config Config
	worker worker

	mu       sync.Mutex
	sessions map[string]*session
}

// New returns a server.
func New(c Config) *Server {
	s := &Server{config: c, worker: worker{service: c.Service}, sessions: map[string]*session{}}
	s.mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK,
			struct{}{})
	})
	s.mux.HandleFunc("POST /v2/live", s.create)
	s.mux.HandleFunc("GET /v2/live", s.live)
	s.mux.HandleFunc("GET /v2/live/{id}", s.record)
	s.mux.HandleFunc("DELETE /v2/live/{id}", s.remove)
	return s
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

func (s *Server) create(w http.ResponseWriter, r *http.Request) {
	request := format{Encoding: "wav/pcm", BitDepth: 16, SampleRate: 16000, Channels: 1}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&request); err != nil {
		answer(w, http.StatusBadRequest, messages.ErrorBody{StatusCode: http.StatusBadRequest, Message: err.Error()})
		return
	}
	v := newSession(rand.Text(), request.bytesPerSecond(), s)
	s.mu.Lock()
	full := len(s.sessions) >= maxSessions
	if !full {
		s.sessions[v.id] = v
		v.expiry = time.AfterFunc(patience, func() { s.take(v.id) })
	}
	s.mu.Unlock()
	if full {
		answer(w, http.StatusServiceUnavailable, messages.ErrorBody{StatusCode: http.StatusServiceUnavailable,
			Message: "too many sessions"})
		return
	}
	scheme := "ws"
	if r.TLS != nil {
		scheme = "wss"
	}
	answer(w, http.StatusCreated, map[string]string{"id": v.id, "url": fmt.Sprintf("%s://%s/v2/live?token=%s", scheme,
		r.Host, v.id)})
}

// format is what the server looks at in a request for a session.
type format struct {
	Encoding   string `json:"encoding"`
	BitDepth   int    `json:"bit_depth"`
	SampleRate int    `json:"sample_rate"`
	Channels   int    `json:"channels"`
}

// bytesPerSecond is the size of a second of audio, at least 1.
func (f format) bytesPerSecond() int64 {
	if f.Encoding != "wav/pcm" {
		f.BitDepth = 8
	}
	return max(int64(f.SampleRate)*int64(f.Channels)*int64(f.BitDepth)/8, 1)
}

// record answers with the record of a session, and forgets the session.
func (s *Server) record(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	v := s.forget(w, id)
	if v == nil {
		return
	}
	result, err := json.Marshal(messages.LiveResult{Transcription: messages.Transcription{Utterances: v.utterances()}})
	if err != nil {
		answer(w, http.StatusInternalServerError, messages.ErrorBody{StatusCode: http.StatusInternalServerError,
			Message: err.Error()})
		return
	}
	answer(w, http.StatusOK, messages.Job{ID: id, Status: messages.StatusDone, Result: result})
}

// remove forgets a session.
func (s *Server) remove(w http.ResponseWriter, r *http.Request) {
	if s.forget(w, r.PathValue("id")) != nil {
		w.WriteHeader(http.StatusAccepted)
	}
}

// forget removes a session and returns it. Where there is none it answers the request, and returns
// nil.
func (s *Server) forget(w http.ResponseWriter, id string) *session {
	v := s.take(id)
	if v == nil {
		answer(w, http.StatusNotFound, messages.ErrorBody{StatusCode: http.StatusNotFound, Message: "no such session"})
	}
	return v
}

// take removes a session and returns it; nil: there is none.
func (s *Server) take(id string) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.sessions[id]
	if v != nil {
		v.expiry.Stop()
		delete(s.sessions, id)
	}
	return v
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// A client that is gone needs no answer.
	_ = json.NewEncoder(w).Encode(body)
}

// worker does one thing after the other, in no processor time.
type worker struct {
	service time.Duration

	mu   sync.Mutex
	free time.Time // when it has done everything it was given
}

// work returns when the worker has come to one more message and is done with it.
func (w *worker) work() {
	if w.service == 0 {
		return
	}
	now := time.Now()
	w.mu.Lock()
	if w.free.Before(now) {
		w.free = now
	}
	w.free = w.free.Add(w.service)
	done := w.free
	w.mu.Unlock()
	time.Sleep(done.Sub(now))
}
