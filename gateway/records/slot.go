package records

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"steno/gateway/web"
	"steno/session/semaphore"
)

// slot is a place among those that read records at a time. A client that takes its answer slowly
// has none meanwhile.
type slot struct {
	places   *semaphore.Semaphore
	patience time.Duration
	ctx      context.Context
	party    string
	held     bool
}

// newSlot returns a slot for a request among places, which is not held yet. The caller releases it.
func newSlot(r *http.Request, places *semaphore.Semaphore) *slot {
	p := web.PrincipalOf(r)
	return &slot{places: places, patience: listsPatience, ctx: r.Context(), party: string(p.Key[:])}
}

// acquire waits for the slot. Errors: semaphore.ErrFull, context.DeadlineExceeded, those of the
// request's context.
func (s *slot) acquire() error {
	ctx, cancel := context.WithTimeout(s.ctx, s.patience)
	defer cancel()
	err := s.places.Acquire(ctx, s.party, 1)
	s.held = err == nil
	return err
}

// release releases the slot, if it is held.
func (s *slot) release() {
	if s.held {
		s.places.Release(s.party, 1)
		s.held = false
	}
}

// during returns a writer that writes without the slot.
func (s *slot) during(to io.Writer) io.Writer { return pausedWriter{s, to} }

type pausedWriter struct {
	slot *slot
	to   io.Writer
}

func (w pausedWriter) Write(p []byte) (int, error) {
	w.slot.release()
	n, err := w.to.Write(p)
	return n, errors.Join(err, w.slot.acquire())
}
