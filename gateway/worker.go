package gateway

import (
	"context"
	"time"

	"steno/gateway/recovery"
	"steno/messages"
	"steno/session/panics"
	"steno/session/store"
	"steno/session/transcribe"
)

// workerPause is for when the store failed, or no engine is ready.
const workerPause = time.Second

// hire starts the workers that do the jobs of recorded files, and who fetches audio for them. They take jobs until the server
// drains; one that is still at work when everything ends gives its job back, uncounted. What takes long before and afterwards
// is not the workers': see [Server.fetchJobs] and [postProcessing].
func (s *Server) hire() {
	if s.deps.Media == nil {
		return
	}
	for range s.cfg.Workers {
		s.tasks.Go(s.work)
	}
	s.tasks.Go(s.fetchJobs)
}

func (s *Server) work() {
	for s.hiring.Err() == nil {
		if !s.recoverer.Run(recovery.Task, "worker", s.workOnce) {
			s.rest(nil)
		}
	}
}

// workOnce takes one job, and does it.
func (s *Server) workOnce() {
	if lease, ok := s.take(store.Want{PerAccount: s.cfg.AccountJobs}); ok {
		s.run(lease)
	}
}

// take waits for a job that is wanted and takes it. ok is false where no jobs are taken any more.
func (s *Server) take(want store.Want) (lease store.Lease, ok bool) {
	for s.hiring.Err() == nil {
		if err := s.deps.Store.WaitJob(s.hiring, want); err != nil {
			s.rest(err)
			continue
		}
		if !s.fit(want) {
			s.rest(nil)
			continue
		}
		// Not to be interrupted: a lease whose taker does not hear of it is lost until it runs out.
		lease, ok, err := s.deps.Store.LeaseJob(context.WithoutCancel(s.life), s.cfg.Node, s.cfg.Limits.Lease, want)
		if err != nil {
			s.rest(err)
			continue
		}
		if ok {
			return lease, true
		}
	}
	return store.Lease{}, false
}

// fit tells whether there is what jobs need now: room for what is fetched, or an engine to transcribe, else their utterances
// would be given up.
func (s *Server) fit(want store.Want) bool {
	if want.Fetch {
		return s.disk.Check() == nil
	}
	return s.deps.Ready == nil || s.deps.Ready() == nil
}

// rest lets a little time pass, so that what does not work is not tried without end.
func (s *Server) rest(cause error) {
	if s.hiring.Err() != nil {
		return
	}
	if cause != nil {
		s.log.Error().Err(cause).Msg("no job taken, tried again later")
	}
	pause := time.NewTimer(workerPause)
	defer pause.Stop()
	select {
	case <-pause.C:
	case <-s.hiring.Done():
	}
}

// run takes a job as far as a worker does: to its transcript, and to its end where no add-on waits for a server. Other jobs
// go on in the stage of post-processing.
func (s *Server) run(lease store.Lease) {
	ctx, release := s.hold(lease)
	released := false
	defer func() {
		if !released {
			release()
		}
	}()
	a := s.newAttempt(lease)
	var transcript transcribe.Transcript
	err := a.during(stageTranscribing, func() (err error) {
		transcript, err = a.transcribe(ctx)
		return err
	})
	if err == nil && s.deps.Ways.Waits(a.request) {
		if err = a.during(stageWaiting, func() error { return s.postProcessing.jobs.Take(ctx, 0) }); err == nil {
			released = true
			s.tasks.Go(func() {
				defer release()
				defer s.postProcessing.jobs.Give()
				result, err := s.postProcessing.run(ctx, a, transcript)
				a.end(ctx, result, err)
			})
			return
		}
	}
	var result *messages.PreRecordedResult
	if err == nil {
		err = panics.Catch(func() (err error) {
			result, err = a.postProcess(ctx, transcript)
			return err
		})
	}
	a.end(ctx, result, err)
}
