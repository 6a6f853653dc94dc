package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"steno/gateway/recovery"
	"steno/session/panics"
	"steno/session/store"
)

const (
	sweepEvery = time.Hour
	sweepLeast = time.Minute // for a short retention
	sweepPage  = 100
)

// sweepOften removes expired jobs and unused uploads until the service's life ends.
func (s *Service) sweepOften() {
	tick := time.NewTicker(sweepPause(s.Limits.Retention))
	defer tick.Stop()
	for {
		if err := panics.Catch(s.sweepAll); err != nil && s.life.Err() == nil {
			s.Recoverer.Report(recovery.Task, "sweep", err)
			s.Log.Error().Err(err).Msg("not all was removed that is not needed, tried again later")
		}
		select {
		case <-s.life.Done():
			return
		case <-tick.C:
		}
	}
}

func (s *Service) sweepAll() error {
	err := s.SweepUploads(s.life, time.Now().Add(-s.Limits.Keep))
	if keep := s.Limits.Retention; keep > 0 {
		err = errors.Join(err, s.sweepFinished(s.life, time.Now().Add(-keep)))
	}
	return err
}

// SweepUploads removes the uploads made before a time that no job has ever referred to.
func (s *Service) SweepUploads(ctx context.Context, before time.Time) error {
	for {
		unused, err := s.Store.UnusedUploads(ctx, before, sweepPage)
		if err != nil {
			return fmt.Errorf("list unused uploads: %w", err)
		}
		gone := 0
		for _, u := range unused {
			err := s.Store.DeleteUpload(ctx, u.Account, u.ID)
			switch {
			case err == nil:
				gone++
			case !errors.Is(err, store.ErrUsed) && !errors.Is(err, store.ErrNotFound):
				return fmt.Errorf("remove upload: %w", err)
			}
		}
		if gone > 0 {
			s.Log.Info().Int("uploads", gone).Msg("unused uploads removed")
		}
		if len(unused) < sweepPage || gone == 0 {
			return nil
		}
	}
}

// sweepPause returns the time between two sweeps for a retention of finished jobs; 0: they are kept.
func sweepPause(retention time.Duration) time.Duration {
	if retention <= 0 {
		return sweepEvery
	}
	return max(sweepLeast, min(sweepEvery, retention/10))
}

// sweepFinished deletes the jobs that ended before a time.
func (s *Service) sweepFinished(ctx context.Context, before time.Time) error {
	for {
		old, err := s.Store.FinishedBefore(ctx, before, sweepPage)
		if err != nil {
			return fmt.Errorf("list finished jobs: %w", err)
		}
		gone := 0
		for _, r := range old {
			err := s.Store.Delete(ctx, r.Account, r.ID)
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return fmt.Errorf("remove finished job: %w", err)
			}
			s.Removed(r.ID)
			gone++
		}
		if gone > 0 {
			s.Log.Info().Int("jobs", gone).Msg("finished jobs removed, their time was over")
		}
		if len(old) < sweepPage {
			return nil
		}
	}
}
