package records

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rs/zerolog"

	"steno/gateway/recovery"
	"steno/session/panics"
	"steno/session/store"
)

const (
	sweepInterval         = time.Hour
	shortestSweepInterval = time.Minute // for a short retention
	sweepPage             = 100         // uploads or jobs deleted at a time
)

// Sweeper deletes finished jobs that have expired, and uploads that no job refers to.
type Sweeper struct {
	Store     Store
	Keep      time.Duration // after which an upload that no job refers to is deleted
	Retention time.Duration // after which a finished job is deleted; 0: never
	Removed   func(id string)
	Recoverer *recovery.Recoverer
	Log       zerolog.Logger
}

// Run sweeps now and from time to time, until ctx ends.
func (s *Sweeper) Run(ctx context.Context) {
	tick := time.NewTicker(s.interval())
	defer tick.Stop()
	for {
		if err := panics.Catch(func() error { return s.sweep(ctx) }); err != nil && ctx.Err() == nil {
			s.Recoverer.Report(recovery.Task, "sweep", err)
			s.Log.Error().Err(err).Msg("not all was removed that is not needed, tried again later")
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// interval returns the time between two sweeps.
func (s *Sweeper) interval() time.Duration {
	if s.Retention <= 0 {
		return sweepInterval
	}
	return max(shortestSweepInterval, min(sweepInterval, s.Retention/10))
}

func (s *Sweeper) sweep(ctx context.Context) error {
	err := s.SweepUploads(ctx, time.Now().Add(-s.Keep))
	if s.Retention > 0 {
		err = errors.Join(err, s.sweepFinished(ctx, time.Now().Add(-s.Retention)))
	}
	return err
}

// SweepUploads removes the uploads made before a time that no job has ever referred to.
func (s *Sweeper) SweepUploads(ctx context.Context, before time.Time) error {
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

// sweepFinished deletes the jobs that ended before a time.
func (s *Sweeper) sweepFinished(ctx context.Context, before time.Time) error {
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
