package store

import (
	"context"
	"time"
)

// MaxFailure bounds what is kept of a failed attempt's text, in bytes.
const MaxFailure = 1 << 10

// DeliveryState is what has become of a delivery.
type DeliveryState string

// The states of a delivery.
const (
	DeliveryPending DeliveryState = "pending"
	DeliverySent    DeliveryState = "sent"
	DeliveryDead    DeliveryState = "dead" // no more attempts follow
)

// Delivery is one callback, from when it is enqueued until its job is deleted or it is pruned.
type Delivery struct {
	// ID is the store's: unguessable, never given twice, the same for each attempt. Enqueue does
	// not look at it.
	ID string

	Account string
	Job     string // the record's id
	// Seq is the number of the event in the job's log, 0 for a callback that stands for no logged
	// event.
	Seq    int64
	Event  string // its name; one of each per job where Seq is 0
	URL    string
	Method string
	Body   []byte

	// What follows is the store's; Enqueue does not look at it.

	State     DeliveryState
	CreatedAt time.Time
	// Attempts counts claims, those postponed left out. FirstAttempt is when the first was, nil
	// before. Redeliver resets both if the delivery is dead.
	Attempts     int
	FirstAttempt *time.Time
	// Status and Failure are what the last failed attempt met: an HTTP status, 0 for none, and a
	// text.
	Status  int
	Failure string
	// Claim tells the claims of the job's outbox apart.
	Claim int64
}

// Outbox keeps the callbacks of jobs until they are sent, strictly in order per job: the one
// enqueued first is sent, or is dead, before the next is handed out. Times are by the store's
// clock.
type Outbox interface {
	// Enqueue appends deliveries to the outboxes of their jobs, all or none. One that is known
	// changes nothing: one whose Seq is not above LastSeq, or with Seq 0 one whose event its job
	// has had. Bodies are not kept. Errors: ErrNotFound (the account has no such job), ErrInvalid
	// (no event, URL or method, a negative Seq).
	Enqueue(ctx context.Context, deliveries ...Delivery) error
	// LastSeq is the highest Seq enqueued for a job so far, whatever has become of it; 0 for none.
	// Errors: ErrNotFound.
	LastSeq(ctx context.Context, account, job string) (int64, error)

	// ClaimDeliveries hands out at most limit deliveries that are due, one per job and those
	// longest due first, and counts an attempt. No other claim gets anything of their jobs until
	// they are settled by one of the four methods below, or ttl has passed: it must be longer than
	// an attempt may take. Errors: ErrInvalid (a ttl under a millisecond).
	ClaimDeliveries(ctx context.Context, ttl time.Duration, limit int) ([]Delivery, error)
	// Sent settles a claim: the delivery has arrived. This and the three below answer ErrLost, and
	// change nothing, where the claim has ended because it was settled, another has followed it or
	// the job was deleted.
	Sent(ctx context.Context, d Delivery) error
	// Failed settles a claim: the delivery is due again at next. Status is that of the answer, 0
	// where none came.
	Failed(ctx context.Context, d Delivery, next time.Time, status int, failure string) error
	// Dead settles a claim: the delivery gets no more attempts, and the next of its job may be
	// claimed.
	Dead(ctx context.Context, d Delivery, status int, failure string) error
	// Postpone settles a claim without an attempt counted: the delivery is due again at next.
	Postpone(ctx context.Context, d Delivery, next time.Time) error
	// WaitDelivery blocks until ClaimDeliveries can return a delivery, and returns nil; another
	// node may claim it first. Changes by another process are seen within seconds. Errors: the
	// context's.
	WaitDelivery(ctx context.Context) error

	// Deliveries lists at most limit deliveries in a state, oldest first, without their bodies;
	// those of all accounts where account is empty. Errors: ErrInvalid (no such state).
	Deliveries(ctx context.Context, account string, state DeliveryState, limit int) ([]Delivery, error)
	// JobDeliveries lists at most limit deliveries of a job, whatever their state, newest first and
	// without their bodies. It is empty where the account has no such job.
	JobDeliveries(ctx context.Context, account, job string, limit int) ([]Delivery, error)
	// NextDue is when the first pending delivery of a job is due, perhaps a time that has passed;
	// the zero time where none is pending, one is being sent or the account has no such job.
	NextDue(ctx context.Context, account, job string) (time.Time, error)
	// Redeliver makes a delivery due immediately. A dead one is pending again, before those of its
	// job enqueued after it, unless its body was erased: ErrNotFound. For a pending one that waits
	// for another of its job, that other is due immediately; while one is being sent, it changes
	// nothing. Errors: ErrNotFound, ErrSent.
	Redeliver(ctx context.Context, id string) error
	// PruneDeliveries forgets deliveries that were sent before a time, and returns how many. Known
	// ones stay known.
	PruneDeliveries(ctx context.Context, before time.Time) (int, error)
}
