// Package health tells whether a gateway runs and accepts new sessions, why it does not, and what
// damage its store has found.
package health

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

// Config is what is asked.
type Config struct {
	Draining *atomic.Bool
	Ready    func() error // of the engines; nil: they are not asked
	Disk     *admission.Disk
	Store    Store
	CutOff   func() bool    // reports whether other nodes reach the store and this one does not
	Sample   bool           // see Status
	Media    *media.Decoder // nil: there is none

	Life       context.Context // of the gateway, in which the store is asked
	RetryAfter time.Duration   // of refusals
}

// Store is the store as its health is asked for. It may be a store.Inspected.
type Store interface {
	// Ping returns nil if the store answers.
	Ping(ctx context.Context) error
}

// Health answers whether the server runs and accepts new sessions. Its methods may be called from
// any goroutine.
type Health struct {
	cfg Config

	mu    sync.Mutex // held while the engines and the store are asked
	asked time.Time
	last  error
}

// New returns the health of what the configuration names.
func New(c Config) *Health { return &Health{cfg: c} }

// Probe is the answer of a probe whose server is well.
type Probe struct {
	Status  string `json:"status" doc:"How it is"`
	Damaged int    `json:"damaged,omitempty" doc:"How many stored things are damaged; new sessions are not affected"`
}

// Alive answers that the process runs.
func (h *Health) Alive(w http.ResponseWriter, _ *http.Request) error {
	web.WriteJSON(w, http.StatusOK, Probe{Status: "ok"})
	return nil
}

// Accepting answers whether new sessions are accepted.
func (h *Health) Accepting(w http.ResponseWriter, _ *http.Request) error {
	if h.cfg.Draining.Load() {
		return h.unready("shutting down", nil)
	}
	if err := h.check(); err != nil {
		return err
	}
	web.WriteJSON(w, http.StatusOK, Probe{Status: "ready", Damaged: len(h.damages())})
	return nil
}

// damages lists the damage that the store has found.
func (h *Health) damages() []store.Damage {
	if s, ok := h.cfg.Store.(store.Inspected); ok {
		return s.Damages()
	}
	return nil
}

// Status is the answer for the console: to a browser a refusal would be an error, which it is
// not.
type Status struct {
	Ready  bool   `json:"ready"`
	Reason string `json:"reason"` // empty if it is ready
	Sample bool   `json:"sample"` // there is a recording at console.SamplePath
}

// Tell answers whether new sessions are accepted, and why not.
func (h *Health) Tell(w http.ResponseWriter, _ *http.Request) error {
	answer := Status{Ready: true}
	if h.cfg.Draining.Load() {
		answer = Status{Reason: "shutting down"}
	} else if err := h.check(); err != nil {
		answer = Status{Reason: web.AsProblem(err).Message}
	}
	answer.Sample = h.cfg.Sample
	w.Header().Set("Cache-Control", "no-store")
	web.WriteJSON(w, http.StatusOK, answer)
	return nil
}

// check returns why no sessions are accepted, nil if they are, as of readyMaxAge ago at most: the
// operation requires no key, and must not cause work however often it is called. Concurrent callers
// wait for one answer.
func (h *Health) check() error {
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
func (h *Health) ask() error {
	if h.cfg.Ready != nil {
		if err := h.cfg.Ready(); err != nil {
			return h.unready("no engine is ready", err)
		}
	}
	if h.cfg.Media != nil && !h.cfg.Media.Tried() {
		return h.unready("the decoder of recorded files is being tried", nil)
	}
	if err := h.cfg.Disk.Check(); err != nil {
		return h.unready("the disk is nearly full", err)
	}
	if h.cfg.CutOff() {
		return h.unready("cut off from the store that other nodes share", nil)
	}
	for _, d := range h.damages() {
		if d.Fatal {
			return h.unready("the store is damaged: stop the gateway and run steno check", errors.New(d.What))
		}
	}
	ctx, cancel := context.WithTimeout(h.cfg.Life, readyTimeout)
	defer cancel()
	if err := h.cfg.Store.Ping(ctx); err != nil && !errors.Is(err, store.ErrAway) {
		return h.unready("the store does not answer", err)
	}
	return nil
}

func (h *Health) unready(message string, cause error) error {
	return &messages.Problem{Status: http.StatusServiceUnavailable, Message: message, Err: cause,
		RetryAfter: h.cfg.RetryAfter}
}
