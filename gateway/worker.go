package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"steno/messages"
	"steno/session/store"
)

const (
	workerPause = time.Second      // after the store failed, or while no engine is ready
	settleTime  = 10 * time.Second // for the store to take a job's end
)

// errSlowJob says that an attempt has used up its time.
var errSlowJob = errors.New("attempt took too long")

// hire starts the workers that do the jobs of recorded files. They take jobs until the server drains; one that is still
// at work when everything ends gives its job back, uncounted.
func (s *Server) hire() {
	if s.deps.Media == nil {
		return
	}
	for range s.cfg.Workers {
		s.tasks.Go(s.work)
	}
}

func (s *Server) work() {
	for s.hiring.Err() == nil {
		if err := s.deps.Store.WaitJob(s.hiring); err != nil {
			s.rest(err)
			continue
		}
		if s.deps.Ready != nil && s.deps.Ready() != nil {
			s.rest(nil) // its utterances would be given up
			continue
		}
		// Not to be interrupted: a lease whose taker does not hear of it is lost until it runs out.
		lease, ok, err := s.deps.Store.LeaseJob(context.WithoutCancel(s.life), s.cfg.Node, s.cfg.Limits.Lease)
		if err != nil {
			s.rest(err)
			continue
		}
		if ok {
			s.attend(lease)
		}
	}
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

// attend sees one lease through to its end.
func (s *Server) attend(lease store.Lease) {
	s.metrics.working.Inc()
	defer s.metrics.working.Dec()
	held, lose := context.WithCancelCause(s.life)
	defer lose(nil)
	beating := make(chan struct{})
	stopped, stop := context.WithCancel(context.Background())
	go func() {
		defer close(beating)
		s.heartbeat(stopped, lease, lose)
	}()
	defer func() { stop(); <-beating }()

	ctx, cancel := context.WithTimeoutCause(held, s.cfg.Limits.RecordedWork, errSlowJob)
	defer cancel()
	a := &attempt{server: s, lease: lease, began: time.Now()}
	err := a.run(ctx)
	switch {
	case errors.Is(context.Cause(held), store.ErrLost):
		s.log.Warn().Str("job", lease.Record.ID).Int("attempt", lease.Attempt).Msg("job was taken by another worker")
	case err != nil && s.life.Err() != nil:
		a.giveBack()
	default:
		if err != nil && errors.Is(context.Cause(ctx), errSlowJob) {
			err = &messages.Problem{Status: http.StatusGatewayTimeout, Message: "the job took too long", Err: errSlowJob}
		}
		a.finish(err)
	}
}

// heartbeat keeps the lease until stop, and lets go of the work when the lease is lost.
func (s *Server) heartbeat(stop context.Context, lease store.Lease, lose context.CancelCauseFunc) {
	tick := time.NewTicker(s.cfg.Limits.Lease / 3)
	defer tick.Stop()
	for {
		select {
		case <-stop.Done():
			return
		case <-tick.C:
		}
		err := s.deps.Store.ExtendJob(stop, lease, s.cfg.Limits.Lease)
		if errors.Is(err, store.ErrLost) {
			lose(store.ErrLost)
			return
		}
		if err != nil && stop.Err() == nil {
			s.log.Error().Str("job", lease.Record.ID).Err(err).Msg("lease not extended, tried again later")
		}
	}
}

// giveBack lets another worker begin the job anew.
func (a *attempt) giveBack() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.server.life), settleTime)
	defer cancel()
	log, id := a.server.log, a.lease.Record.ID
	if err := a.server.deps.Store.GiveBackJob(ctx, a.lease); err != nil {
		log.Error().Str("job", id).Err(err).Msg("job not given back: it waits for the end of its lease")
		return
	}
	log.Info().Str("job", id).Int("attempt", a.lease.Attempt).Msg("job given back")
}

// finish keeps the outcome and enqueues the callback. Where the store does not take it, the lease runs out, and the
// job has another attempt.
func (a *attempt) finish(failed error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.server.life), settleTime)
	defer cancel()
	o, cause := a.outcome(failed)
	deliveries, err := announcements(a.lease.Record, a.request, o, a.result)
	if err == nil {
		err = a.server.deps.Store.FinishJob(ctx, a.lease, o, deliveries...)
	}
	log, record := a.server.log, a.lease.Record
	if err != nil {
		log.Error().Str("job", record.ID).Err(err).Msg("outcome of job not kept: it waits for the end of its lease")
		return
	}
	a.dropOriginal(ctx)
	a.server.metrics.recorded.WithLabelValues(strconv.Itoa(o.ErrorCode)).Inc()
	log.Info().Str("job", record.ID).Str("account", record.Account).Int("error_code", o.ErrorCode).
		Int("attempt", a.lease.Attempt).Float64("audio_seconds", o.Seconds).Dur("took", time.Since(a.began)).
		Dur("age", time.Since(record.CreatedAt)).AnErr("cause", cause).Msg("job ended")
}

// outcome is how the job ended, and for the log why it failed.
func (a *attempt) outcome(failed error) (store.Outcome, error) {
	o := store.Outcome{Seconds: a.seconds, Channels: a.channels, Upload: a.silenced}
	if failed == nil && a.lease.Exhausted() {
		return store.GaveUp(), nil
	}
	if failed == nil {
		result, err := json.Marshal(a.result)
		if err == nil {
			o.Result = result
			return o, nil
		}
		failed = err
	}
	p := failure(failed)
	o.ErrorCode, o.Message = p.Status, p.Message
	return o, p.Err
}
