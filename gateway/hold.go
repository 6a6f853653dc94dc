package gateway

import (
	"context"
	"errors"
	"time"

	"steno/gateway/recovery"
	"steno/session/store"
)

// errSlowJob says that an attempt has used up its time.
var errSlowJob = errors.New("attempt took too long")

// hold keeps a lease until release, which its caller owes. The context ends when the lease is lost, with [store.ErrLost],
// when the attempt has used up its time, with errSlowJob, and with the server's life.
func (s *Server) hold(lease store.Lease) (ctx context.Context, release func()) {
	held, lose := context.WithCancelCause(s.life)
	ctx, cancel := context.WithTimeoutCause(held, s.cfg.Limits.RecordedWork, errSlowJob)
	beating := make(chan struct{})
	stopped, stop := context.WithCancel(context.Background())
	leave := s.held.enter(lease, lose)
	go func() {
		defer close(beating)
		if !s.recoverer.Run(recovery.Job, lease.Record.ID, func() { s.heartbeat(stopped, lease, lose) }) {
			lose(store.ErrLost) // nothing keeps it any more
		}
	}()
	return ctx, func() {
		stop()
		<-beating
		leave()
		cancel()
		lose(nil)
	}
}

// heartbeat keeps the lease until stop, and lets go of the work when the lease is lost. A job that was cancelled before its
// lease was known here is found out at once.
func (s *Server) heartbeat(stop context.Context, lease store.Lease, lose context.CancelCauseFunc) {
	if _, err := s.deps.Store.Get(stop, lease.Record.Account, lease.Record.ID); errors.Is(err, store.ErrNotFound) {
		lose(store.ErrLost)
		return
	}
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
