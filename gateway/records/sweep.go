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
	shortestSweepInterval = time.Minute      // for a short retention
	transientInterval     = 30 * time.Second // between looks for what is not to be kept, at most
	sweepPage             = 100              // uploads or jobs removed at a time
)

// Sweeper removes what of finished jobs is not to be kept any more, and uploads that no job refers
// to.
type Sweeper struct {
	Store  Store
	Keep   time.Duration // after which an upload that no job refers to is deleted
	Policy Policy
	// Grace is how long after its end a job still has what is not to be kept of it: a client may
	// come for it.
	Grace   time.Duration
	Removed func(id string)
	// Erased is called with how many jobs of an account had something removed, and what.
	Erased    func(account, kind string, jobs int)
	Recoverer *recovery.Recoverer
	Log       zerolog.Logger

	swept map[string]time.Time // by rule: the jobs that ended before have nothing left for it
}

// Run sweeps now and from time to time, until ctx ends.
func (s *Sweeper) Run(ctx context.Context) {
	s.swept = map[string]time.Time{}
	pause := min(transientInterval, max(time.Second, s.Grace))
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for next := time.Now(); ; {
		err := panics.Catch(func() error {
			err := s.sweepTransient(ctx)
			if now := time.Now(); !now.Before(next) {
				next = now.Add(s.interval() - pause/2)
				err = errors.Join(err, s.sweep(ctx))
			}
			return err
		})
		if err != nil && ctx.Err() == nil {
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
	shortest := s.Policy.shortest()
	if shortest <= 0 {
		return sweepInterval
	}
	return max(shortestSweepInterval, min(sweepInterval, shortest/10))
}

func (s *Sweeper) sweep(ctx context.Context) error {
	err := s.SweepUploads(ctx, time.Now().Add(-s.Keep))
	for _, r := range s.Policy.rules() {
		err = errors.Join(err, s.sweepRule(ctx, r))
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

// sweepRule removes what a rule is about. Jobs that were looked at before are not looked at again
// unless something of them was in use.
func (s *Sweeper) sweepRule(ctx context.Context, r rule) error {
	before := time.Now().Add(-r.after)
	q := store.Expired{
		From: s.swept[r.name()], Before: before, Parts: r.parts, Account: r.account, Except: r.except,
	}
	whole, err := s.removeAll(ctx, q, r.kind(), func(id store.RecordID) error {
		if r.parts != 0 {
			return s.Store.Strip(ctx, id.Account, id.ID, r.parts)
		}
		err := s.Store.Delete(ctx, id.Account, id.ID)
		if err == nil || errors.Is(err, store.ErrNotFound) {
			s.Removed(id.ID)
		}
		return err
	})
	if whole {
		s.swept[r.name()] = before
	}
	return err
}

// sweepTransient erases what was not to be kept of finished jobs.
func (s *Sweeper) sweepTransient(ctx context.Context) error {
	q := store.Expired{Transient: true, Before: time.Now().Add(-s.Grace)}
	_, err := s.removeAll(ctx, q, "transient", func(id store.RecordID) error {
		r, err := s.Store.Get(ctx, id.Account, id.ID)
		if err == nil && r.Transient&^r.Stripped != 0 {
			err = s.Store.Strip(ctx, id.Account, id.ID, r.Transient)
		}
		return err
	})
	return err
}

// removeAll removes something of all jobs that have expired. It reports whether nothing was left
// because it is in use, and tells how many had something removed, by account.
func (s *Sweeper) removeAll(ctx context.Context, q store.Expired, kind string,
	remove func(store.RecordID) error) (whole bool, err error) {
	gone := map[string]int{}
	defer func() {
		for account, n := range gone {
			s.Erased(account, kind, n)
			s.Log.Info().Str("account", account).Str("kind", kind).Int("jobs", n).
				Msg("finished jobs: removed what is not to be kept any more")
		}
	}()
	for {
		old, err := s.Store.Expired(ctx, q, sweepPage)
		if err != nil {
			return false, fmt.Errorf("list finished jobs: %w", err)
		}
		removed := 0
		for _, id := range old {
			switch err := remove(id); {
			case errors.Is(err, store.ErrClaimed):
				continue
			case err != nil && !errors.Is(err, store.ErrNotFound):
				return false, fmt.Errorf("remove %s of finished job: %w", kind, err)
			case err == nil:
				gone[id.Account]++
			}
			removed++
		}
		if len(old) < sweepPage || removed == 0 {
			return removed == len(old), nil
		}
	}
}
