package store

import (
	"context"
	"net/http"
	"time"
)

// MaxAttempts is how often a pre-recorded job is begun when the workers that do it die.
const MaxAttempts = 2

// Queue hands pre-recorded jobs to workers. A record made as pre-recorded, and neither done nor
// failed, is in it until FinishJob. Times are by the store's clock.
type Queue interface {
	// LeaseJob takes a job that is wanted and no worker holds: one that is queued, or whose lease
	// has run out. It is then processing, by node, for ttl; that counts as an attempt. Accounts
	// take turns: it is the oldest job of the account that has the fewest under a lease, and of
	// those the one that was not served for the longest time. ok is false where there is none. A
	// job whose attempts have all run out is handed out too (see [Lease.Exhausted]), for the taker
	// to end it. Errors: ErrInvalid (an empty node, a ttl under a millisecond).
	LeaseJob(ctx context.Context, node string, ttl time.Duration, w Want) (l Lease, ok bool, err error)
	// ExtendJob makes the lease last ttl from now. A lease that has run out is still its holder's
	// as long as no other worker has taken the job. Errors: ErrLost.
	ExtendJob(ctx context.Context, l Lease, ttl time.Duration) error
	// FetchedJob makes the job's record refer to an upload of its account and ends the lease: the
	// job waits at its old place to be taken as one whose audio is there, and no attempt counts so
	// far. Its record stays processing. Errors: ErrLost, ErrInvalid (no upload), ErrNotFound (the
	// upload).
	FetchedJob(ctx context.Context, l Lease, upload string) error
	// GiveBackJob makes the job queued again, at its old place and with the attempt not counted:
	// its worker is stopping. Errors: ErrLost.
	GiveBackJob(ctx context.Context, l Lease) error
	// FinishJob keeps the outcome, makes the record done or failed, and enqueues the callbacks, all
	// or none of it. Errors: ErrLost, and those of Enqueue.
	FinishJob(ctx context.Context, l Lease, o Outcome, callbacks ...Delivery) error
	// WaitJob blocks until LeaseJob can return a wanted job, and returns nil; another worker may
	// take it first. Work of another process is seen within seconds. Errors: the context's.
	WaitJob(ctx context.Context, w Want) error
}

// Want specifies which jobs a worker takes.
type Want struct {
	// Fetch is for those whose audio is to be fetched: their records refer to no upload yet. Else
	// those whose audio is there.
	Fetch bool
	// PerAccount is how many jobs of an account, of that kind, may be under a lease at a time; 0
	// for any number.
	PerAccount int
}

// Lease is a worker's right to a job. It is a value: what makes it valid is in the store.
type Lease struct {
	// Record is as it was when the job was taken, its status processing.
	Record Record
	// Attempt counts from 1.
	Attempt int
	// Until is when other workers may take the job.
	Until time.Time
	// Number tells the job's leases apart.
	Number int64
}

// Exhausted tells that every attempt's lease has run out: the job is not to be begun again, but
// finished with [GaveUp].
func (l Lease) Exhausted() bool { return l.Attempt > MaxAttempts }

// GaveUp is the outcome of a job whose attempts are used up.
func GaveUp() Outcome {
	return Outcome{
		ErrorCode: http.StatusInternalServerError,
		Message:   "the job was begun twice, and both times its worker stopped before the end",
	}
}
