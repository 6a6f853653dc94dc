package gateway

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"steno/audio/media"
	"steno/gateway/admission"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

const (
	readyMaxAge  = time.Second     // for which an answer is reused
	readyTimeout = 5 * time.Second // for an answer of the store
)

// pinger is health's view of the store.
type pinger interface {
	// Ping returns nil if the store answers.
	Ping(ctx context.Context) error
}

// health answers whether the server runs and accepts new sessions. Its methods may be called from
// any goroutine.
type health struct {
	draining   *atomic.Bool
	ready      func() error // of the engines; nil: not asked
	disk       *admission.Disk
	store      pinger
	cutOff     func() bool    // reports whether other nodes reach the store and this one does not
	sample     bool           // see readiness
	media      *media.Decoder // nil: there is none
	life       context.Context
	retryAfter time.Duration

	mu    sync.Mutex // held while the engines and the store are asked
	asked time.Time
	last  error
}

// alive answers that the process runs.
func (h *health) alive(w http.ResponseWriter, _ *http.Request) error {
	web.WriteJSON(w, http.StatusOK, map[string]string{"status": "ok"})
	return nil
}

// accepting answers whether new sessions are accepted.
func (h *health) accepting(w http.ResponseWriter, _ *http.Request) error {
	if h.draining.Load() {
		return h.unready("shutting down", nil)
	}
	if err := h.check(); err != nil {
		return err
	}
	web.WriteJSON(w, http.StatusOK, probe{Status: "ready", Damaged: len(h.damages())})
	return nil
}

// damages lists the damage that the store has found.
func (h *health) damages() []store.Damage {
	if s, ok := h.store.(store.Inspected); ok {
		return s.Damages()
	}
	return nil
}

// readiness is the answer for the console: to a browser a refusal would be an error, which it is
// not.
type readiness struct {
	Ready  bool   `json:"ready"`
	Reason string `json:"reason"` // empty if it is ready
	Sample bool   `json:"sample"` // there is a recording at console.SamplePath
}

// tell answers whether new sessions are accepted, and why not.
func (h *health) tell(w http.ResponseWriter, _ *http.Request) error {
	answer := readiness{Ready: true}
	if h.draining.Load() {
		answer = readiness{Reason: "shutting down"}
	} else if err := h.check(); err != nil {
		answer = readiness{Reason: web.AsProblem(err).Message}
	}
	answer.Sample = h.sample
	w.Header().Set("Cache-Control", "no-store")
	web.WriteJSON(w, http.StatusOK, answer)
	return nil
}

// check returns why no sessions are accepted, nil if they are, as of readyMaxAge ago at most: the
// operation requires no key, and must not cause work however often it is called. Concurrent callers
// wait for one answer.
func (h *health) check() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.asked.IsZero() || time.Since(h.asked) >= readyMaxAge {
		h.last = h.ask()
		h.asked = time.Now()
	}
	return h.last
}

// ask asks the engines, the decoder, the disk and the store. A store that is out of reach for a
// moment does not count: clients that return to their sessions can wait here, and new sessions are
// refused meanwhile. If other nodes share the store and it stays away, this node may be the only
// one that does not reach it.
func (h *health) ask() error {
	if h.ready != nil {
		if err := h.ready(); err != nil {
			return h.unready("no engine is ready", err)
		}
	}
	if h.media != nil && !h.media.Tried() {
		return h.unready("the decoder of recorded files is being tried", nil)
	}
	if err := h.disk.Check(); err != nil {
		return h.unready("the disk is nearly full", err)
	}
	if h.cutOff() {
		return h.unready("cut off from the store that other nodes share", nil)
	}
	for _, d := range h.damages() {
		if d.Fatal {
			return h.unready("the store is damaged: stop the gateway and run steno check", errors.New(d.What))
		}
	}
	ctx, cancel := context.WithTimeout(h.life, readyTimeout)
	defer cancel()
	if err := h.store.Ping(ctx); err != nil && !errors.Is(err, store.ErrAway) {
		return h.unready("the store does not answer", err)
	}
	return nil
}

func (h *health) unready(message string, cause error) error {
	return &messages.Problem{Status: http.StatusServiceUnavailable, Message: message, Err: cause,
		RetryAfter: h.retryAfter}
}
