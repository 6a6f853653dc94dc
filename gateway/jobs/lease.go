package jobs

import (
	"context"
	"errors"
	"sync"
	"time"

	"steno/gateway/recovery"
	"steno/session/store"
)

// errSlowJob says that an attempt has used up its time.
var errSlowJob = errors.New("attempt took too long")

// leases are those that this process works under, so that the work on a job that is cancelled here
// ends at once. Of a job that another process cancels, the heartbeat learns.
type leases struct {
	mu  sync.Mutex
	all map[leaseID]context.CancelCauseFunc
}

// leaseID identifies a lease. Two leases of one job may be worked under for a moment, the first of
// them lost.
type leaseID struct {
	job    string
	number int64
}

// add notes a lease and the function that ends its work. The caller calls remove when the work has
// ended.
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
// [store.ErrLost] when the lease is lost, with errSlowJob when the attempt has used up its time,
// and with the service's life.
func (s *Service) keepLease(lease store.Lease) (ctx context.Context, release func()) {
	leased, lose := context.WithCancelCause(s.life)
	ctx, cancel := context.WithTimeoutCause(leased, s.Limits.RecordedWork, errSlowJob)
	stopped, stop := context.WithCancel(context.Background())
	remove := s.leases.add(lease, lose)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if !s.Recoverer.Run(recovery.Job, lease.Record.ID, func() { s.heartbeat(stopped, lease, lose) }) {
			lose(store.ErrLost) // nothing extends it any more
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

// heartbeat extends a lease until stop ends, and calls lose when the lease is lost. It asks for the
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
