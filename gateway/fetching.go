package gateway

import (
	"context"
	"errors"
	"fmt"

	"steno/gateway/recovery"
	"steno/session/store"
)

// fetching is where the audio of recordings elsewhere is fetched, apart from the workers: servers may be as slow as they
// must not be, and keep no processor from other recordings. Jobs and uploads have places of their own.
//
// A job whose audio is fetched goes back into the queue, to be taken by a worker.

// fetchJobs takes the jobs whose audio is to be fetched, some at a time, until the server drains.
func (s *Server) fetchJobs() {
	want := store.Want{Fetch: true, PerAccount: s.cfg.AccountFetches}
	for s.fetches.Take(s.hiring, 0) == nil {
		lease, ok := s.take(want)
		if !ok {
			s.fetches.Give()
			return
		}
		s.tasks.Go(func() {
			defer s.fetches.Give()
			s.recoverer.Run(recovery.Job, lease.Record.ID, func() { s.obtain(lease) })
		})
	}
}

// obtain fetches a job's audio. A job that cannot go on ends.
func (s *Server) obtain(lease store.Lease) {
	ctx, release := s.hold(lease)
	defer release()
	a := s.newAttempt(lease)
	if err := a.during(stageFetching, func() error { return a.fetch(ctx) }); err != nil {
		a.end(ctx, nil, err)
	}
}

// fetch stores the job's audio as an upload and puts the job back into the queue. The upload has the job's own id, so
// another attempt finds it.
func (a *attempt) fetch(ctx context.Context) error {
	if err := a.readRequest(); err != nil {
		return err
	}
	s, r := a.server, a.lease.Record
	_, err := s.deps.Store.Upload(ctx, r.Account, r.ID)
	if errors.Is(err, store.ErrNotFound) {
		_, err = s.fetch(ctx, r.Account, r.ID, a.request.AudioURL, s.deps.Media.Probe)
	}
	if err != nil {
		return err
	}
	a.stored = true
	if err := s.deps.Store.FetchedJob(ctx, a.lease, r.ID); err != nil {
		return fmt.Errorf("keep what was fetched: %w", err)
	}
	return nil
}
