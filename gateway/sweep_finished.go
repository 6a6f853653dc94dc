package gateway

import (
	"context"
	"errors"
	"fmt"
	"time"

	"steno/session/store"
)

// sweepPause returns the time between two sweeps for a retention of finished jobs; 0: they are kept.
func sweepPause(retention time.Duration) time.Duration {
	if retention <= 0 {
		return sweepEvery
	}
	return max(sweepLeast, min(sweepEvery, retention/10))
}

// sweepFinished removes the jobs that ended before a time, as their deletion does.
func (s *Server) sweepFinished(ctx context.Context, before time.Time) error {
	for {
		old, err := s.deps.Store.FinishedBefore(ctx, before, sweepPage)
		if err != nil {
			return fmt.Errorf("list finished jobs: %w", err)
		}
		gone := 0
		for _, r := range old {
			err := s.deps.Store.Delete(ctx, r.Account, r.ID)
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return fmt.Errorf("remove finished job: %w", err)
			}
			s.sessions.forget(r.ID)
			gone++
		}
		if gone > 0 {
			s.log.Info().Int("jobs", gone).Msg("finished jobs removed, their time was over")
		}
		if len(old) < sweepPage {
			return nil
		}
	}
}
