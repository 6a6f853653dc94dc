package gateway

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
	sweepLeast = time.Minute // where finished jobs are kept for a short time
	sweepPage  = 100
)

// sweepOften removes now and then what nobody needs any more.
func (s *Server) sweepOften() {
	tick := time.NewTicker(sweepPause(s.cfg.Limits.Retention))
	defer tick.Stop()
	for {
		if err := panics.Catch(s.sweepAll); err != nil && s.life.Err() == nil {
			s.recoverer.Report(recovery.Task, "sweep", err)
			s.log.Error().Err(err).Msg("not all was removed that is not needed, tried again later")
		}
		select {
		case <-s.life.Done():
			return
		case <-tick.C:
		}
	}
}

func (s *Server) sweepAll() error {
	err := s.sweep(s.life, time.Now().Add(-s.cfg.Limits.Keep))
	if keep := s.cfg.Limits.Retention; keep > 0 {
		err = errors.Join(err, s.sweepFinished(s.life, time.Now().Add(-keep)))
	}
	return err
}

// sweep removes the uploads made before a time that no job ever referred to.
func (s *Server) sweep(ctx context.Context, before time.Time) error {
	for {
		unused, err := s.deps.Store.UnusedUploads(ctx, before, sweepPage)
		if err != nil {
			return fmt.Errorf("list unused uploads: %w", err)
		}
		gone := 0
		for _, u := range unused {
			err := s.deps.Store.DeleteUpload(ctx, u.Account, u.ID)
			switch {
			case err == nil:
				gone++
			case !errors.Is(err, store.ErrUsed) && !errors.Is(err, store.ErrNotFound):
				return fmt.Errorf("remove upload: %w", err)
			}
		}
		if gone > 0 {
			s.log.Info().Int("uploads", gone).Msg("unused uploads removed")
		}
		if len(unused) < sweepPage || gone == 0 {
			return nil
		}
	}
}
