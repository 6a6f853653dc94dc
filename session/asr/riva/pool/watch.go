package pool

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"steno/session/asr"
)

// maxMissed is how many health checks in a row a server may leave unanswered before it loses its
// utterances.
const maxMissed = 3

// watch checks a server's health until ctx ends.
func (r *Recognizer) watch(ctx context.Context, s *server) {
	missed := 0
	for wait := time.Duration(0); ; wait = r.config.HealthEvery {
		if change, down := r.down(s); down {
			r.config.OnChange(change)
			sleep(ctx, change.Wait, nil)
		} else if sleep(ctx, wait, s.failed) {
			continue
		}
		err := r.health(ctx, s)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			missed = 0
			if r.admit(s) {
				r.config.OnChange(Change{Address: s.address, Up: true})
			}
			continue
		case errors.Is(err, context.DeadlineExceeded):
			missed++
		}
		r.mu.Lock()
		r.exclude(s, err)
		r.mu.Unlock()
		if missed >= maxMissed {
			r.lose(s)
		}
	}
}

// sleep waits for the time to pass, ctx to end, or a token, and reports whether it was the token.
func sleep(ctx context.Context, d time.Duration, token <-chan struct{}) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-token:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}

// health asks whether a server serves. A server that answers anything else than that it does not
// serve may have no health service: its calls decide.
func (r *Recognizer) health(ctx context.Context, s *server) error {
	ctx, cancel := context.WithTimeout(ctx, r.config.HealthTimeout)
	defer cancel()
	err := s.client.Healthy(ctx, false)
	if errors.Is(err, asr.ErrUnavailable) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}

// lose fails the utterances of a server, as ones that it has lost.
func (r *Recognizer) lose(s *server) {
	r.mu.Lock()
	lost := slices.Collect(maps.Keys(s.open))
	r.mu.Unlock()
	for _, u := range lost {
		u.lose()
	}
}
