package jobs

import (
	"context"
	"errors"
	"sync"
	"time"

	"steno/gateway/recovery"
	"steno/session/store"
)

// errSlowJob reports that an attempt has exceeded its time limit.
var errSlowJob = errors.New("attempt took too long")

// leases are the leases of this process, so that the work on a job that is cancelled here ends
// immediately. If another process cancels a job, the heartbeat notices.
type leases struct {
	mu  sync.Mutex
	all map[leaseID]context.CancelCauseFunc
}

// leaseID identifies a lease. For a moment a process may work under two leases of a job, the first
// of which is lost.
type leaseID struct {
	job    string
	number int64
}

// add adds a lease and the function that ends its work. The caller must call remove when the work
// is done.
func (l *leases) add(lease store.Lease, lose context.CancelCauseFunc) (remove func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all == nil {
		l.all = map[leaseID]context.CancelCauseFunc{}
	}
	id := leaseID{lease.Record.ID, lease.Number}
	l.all[id] = lose
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.all, id)
	}
}

// cancel ends the work on a job.
func (l *leases) cancel(job string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, lose := range l.all {
		if id.job == job {
			lose(store.ErrLost)
		}
	}
}

func (l *leases) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.all)
}

// keepLease extends a lease until release, which the caller must call. The context ends with
// [store.ErrLost] when the lease is lost, with errSlowJob when the attempt has exceeded its time
// limit, and with the service's life.
func (s *Service) keepLease(lease store.Lease) (ctx context.Context, release func()) {
	leased, lose := context.WithCancelCause(s.life)
	ctx, cancel := context.WithTimeoutCause(leased, s.Limits.RecordedWork, errSlowJob)
	stopped, stop := context.WithCancel(context.Background())
	remove := s.leases.add(lease, lose)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if !s.Recoverer.Run(recovery.Job, lease.Record.ID, func() { s.heartbeat(stopped, lease, lose) }) {
			lose(store.ErrLost) // nothing extends it
		}
	}()
	return ctx, func() {
		stop()
		<-ended
		remove()
		cancel()
		lose(nil)
	}
}

// heartbeat extends a lease until stop is done, and calls lose when the lease is lost. It reads the
// record first: the job may have been cancelled before its lease was added.
func (s *Service) heartbeat(stop context.Context, lease store.Lease, lose context.CancelCauseFunc) {
	if _, err := s.Store.Get(stop, lease.Record.Account, lease.Record.ID); errors.Is(err, store.ErrNotFound) {
		lose(store.ErrLost)
		return
	}
	tick := time.NewTicker(s.Limits.Lease / 3)
	defer tick.Stop()
	for {
		select {
		case <-stop.Done():
			return
		case <-tick.C:
		}
		err := s.Store.ExtendJob(stop, lease, s.Limits.Lease)
		if errors.Is(err, store.ErrLost) {
			lose(store.ErrLost)
			return
		}
		if err != nil && stop.Err() == nil {
			s.Log.Error().Str("job", lease.Record.ID).Err(err).Msg("lease not extended, tried again later")
		}
	}
}
