package jobs

import (
	"context"
	"time"

	"steno/gateway/recovery"
	"steno/session/store"
	"steno/session/transcribe"
)

// retryPause is the pause before the queue is asked again after the store has failed, or while no
// engine is ready.
const retryPause = time.Second

// work is a worker: it works on jobs until the service drains. A job running at the end of the
// service's life is returned to the queue.
func (s *Service) work() {
	want := store.Want{PerAccount: s.config.AccountJobs}
	if s.Media.Wait(s.taking) != nil {
		return // another node may have a decoder
	}
	for s.taking.Err() == nil {
		done := s.Recoverer.Run(recovery.Task, "worker", func() {
			if lease, ok := s.take(want); ok {
				s.transcribe(lease)
			}
		})
		if !done {
			s.pause(nil)
		}
	}
}

// take waits for a wanted job and leases it. ok is false once the service drains.
func (s *Service) take(want store.Want) (lease store.Lease, ok bool) {
	for s.taking.Err() == nil {
		if err := s.Store.WaitJob(s.taking, want); err != nil {
			s.pause(err)
			continue
		}
		if !s.able(want) {
			s.pause(nil)
			continue
		}
		// Not cancelled: a lease that the store grants but this call does not return blocks the job
		// until it expires.
		lease, ok, err := s.Store.LeaseJob(context.WithoutCancel(s.life), s.config.Node, s.Limits.Lease, want)
		if err != nil {
			s.pause(err)
			continue
		}
		if ok {
			return lease, true
		}
	}
	return store.Lease{}, false
}

// able reports whether jobs can be worked on now. Fetching needs space on the disk. Transcribing
// needs an engine, without which utterances would be dropped, and must not take one from live
// speech.
func (s *Service) able(want store.Want) bool {
	if want.Fetch {
		return s.Disk.Check() == nil
	}
	if s.Admission.ReplayPaused() && s.leases.count() > 0 {
		return false // one job continues in any case, slowly
	}
	return s.Ready == nil || s.Ready() == nil
}

// transcribe works on a job up to its transcript, and finishes it if no add-on waits for a server.
// Other jobs continue in the post-processing stage.
func (s *Service) transcribe(lease store.Lease) {
	ctx, release := s.keepLease(lease)
	passed := false // to the next stage's goroutine, which releases it
	defer func() {
		if !passed {
			release()
		}
	}()
	a := s.newAttempt(lease)
	var transcript transcribe.Transcript
	err := a.during(stageTranscribing, func() (err error) {
		transcript, err = a.transcribe(ctx)
		return err
	})
	if err == nil && s.Addons.Remote(a.request) {
		if err = a.during(stageWaiting, func() error {
			return s.postProcessing.jobs.Acquire(ctx, lease.Record.Account, 1)
		}); err == nil {
			passed = true
			s.tasks.Go(func() {
				defer release()
				s.postProcessing.run(ctx, a, transcript)
			})
			return
		}
	}
	if err != nil {
		a.end(ctx, nil, err)
		return
	}
	a.complete(ctx, transcript)
}

// fetchJobs leases jobs whose audio must be fetched, a limited number at a time, until the service
// drains. Servers may be slow, so workers do not wait for them. A job whose audio was fetched is
// returned to the queue for a worker.
func (s *Service) fetchJobs() {
	want := store.Want{Fetch: true, PerAccount: s.config.AccountFetches}
	if s.Media.Wait(s.taking) != nil {
		return
	}
	for s.taking.Err() == nil && s.fetches.Acquire(s.taking, "", 1) == nil {
		var lease store.Lease
		var ok bool
		done := s.Recoverer.Run(recovery.Task, "fetcher", func() { lease, ok = s.take(want) })
		if !done {
			s.pause(nil)
		}
		if !ok {
			s.fetches.Release("", 1)
			continue
		}
		s.tasks.Go(func() {
			defer s.fetches.Release("", 1)
			s.Recoverer.Run(recovery.Job, lease.Record.ID, func() { s.fetch(lease) })
		})
	}
}

// fetch fetches a job's audio. If that fails the job ends.
func (s *Service) fetch(lease store.Lease) {
	ctx, release := s.keepLease(lease)
	defer release()
	a := s.newAttempt(lease)
	if err := a.during(stageFetching, func() error { return a.fetch(ctx) }); err != nil {
		a.end(ctx, nil, err)
		return
	}
	a.span.End(0)
}
