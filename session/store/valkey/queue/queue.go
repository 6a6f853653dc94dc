// Package queue hands out the pre-recorded jobs of a store on a Valkey server.
package queue

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/valkey-io/valkey-go"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/valkey/server"
)

// Queue implements store.Queue.
type Queue struct {
	server *server.Conn
	writer server.Writer  // for outcomes
	doubts *server.Doubts // leases whose call ended without an answer
	rooms  Rooms
}

// Rooms is what the queue needs of records and of the outbox.
type Rooms struct {
	// Decode reads the record of an id from its hash.
	Decode func(id string, fields map[string]string) (store.Record, error)
	// Deliveries are the number of deliveries and what scripts take of them. Errors:
	// store.ErrInvalid.
	Deliveries func([]store.Delivery) ([]string, error)
}

func New(w server.Writer, n Rooms) *Queue {
	return &Queue{w.Conn, w, new(server.Doubts), n}
}

var (
	leaseScript   = Scripts.Script("job_lease", "record", "outage", "queue")
	extendScript  = Scripts.Script("job_extend", "record", "outage", "queue")
	releaseScript = Scripts.Script("job_release", "record", "outage", "queue")
	finishScript  = Scripts.Script("job_finish", "record", "outage", "queue", "outbox")
	queueScript   = Scripts.Script("queue_due", "record", "outage", "queue")
)

// jobKind is how scripts name the jobs that are wanted.
func jobKind(fetch bool) string {
	if fetch {
		return "fetch"
	}
	return "work"
}

// LeaseJob implements store.Queue. A job that an earlier call of this process got without its
// knowing is given first.
func (q *Queue) LeaseJob(
	ctx context.Context, node string, ttl time.Duration, w store.Want,
) (l store.Lease, ok bool, err error) {
	if node == "" || ttl < time.Millisecond {
		return store.Lease{}, false, fmt.Errorf("lease job: %w", store.ErrInvalid)
	}
	kind := jobKind(w.Fetch)
	err = q.doubts.Call(kind, func(number, again string) error {
		m, err := q.server.Run(ctx, leaseScript, kind, strconv.Itoa(max(w.PerAccount, 0)), node,
			server.Milliseconds(ttl), number, again)
		if err != nil || m.IsNil() {
			return err
		}
		ok = true
		l, err = q.decodeLease(m, number)
		return err
	})
	if err != nil {
		return store.Lease{}, false, fmt.Errorf("lease job: %w", err)
	}
	return l, ok, nil
}

// decodeLease reads what leaseScript answers.
func (q *Queue) decodeLease(m valkey.ValkeyMessage, number string) (l store.Lease, err error) {
	parts, err := m.ToArray()
	if err != nil || len(parts) != 4 {
		return l, fmt.Errorf("read lease of %d parts: %w", len(parts), err)
	}
	var r server.Reader
	id, ends := r.Text(parts[0]), r.Integer(parts[1])
	l.Attempt, l.Until = int(r.Integer(parts[2])), time.UnixMilli(ends).UTC()
	fields, err := parts[3].AsStrMap()
	r.Keep(err)
	l.Number, err = strconv.ParseInt(number, 10, 64)
	r.Keep(err)
	if r.Err == nil {
		l.Record, r.Err = q.rooms.Decode(id, fields)
	}
	return l, r.Err
}

// leaseArgs are a lease as scripts have it.
func leaseArgs(l store.Lease, more ...string) []string {
	return append([]string{l.Record.ID, strconv.FormatInt(l.Number, 10)}, more...)
}

// ExtendJob implements store.Queue.
func (q *Queue) ExtendJob(ctx context.Context, l store.Lease, ttl time.Duration) error {
	var err error = store.ErrInvalid
	if ttl >= time.Millisecond {
		_, err = q.server.Run(ctx, extendScript, leaseArgs(l, server.Milliseconds(ttl))...)
	}
	if err != nil {
		return fmt.Errorf("extend lease: %w", err)
	}
	return nil
}

// FetchedJob implements store.Queue.
func (q *Queue) FetchedJob(ctx context.Context, l store.Lease, upload string) error {
	err := store.ErrInvalid
	if upload != "" {
		err = q.server.Insist(ctx, releaseScript, leaseArgs(l, server.NewNumber(), upload)...)
	}
	if err != nil {
		return fmt.Errorf("hand on job: %w", err)
	}
	return nil
}

// GiveBackJob implements store.Queue.
func (q *Queue) GiveBackJob(ctx context.Context, l store.Lease) error {
	if err := q.server.Insist(ctx, releaseScript, leaseArgs(l, server.NewNumber(), "")...); err != nil {
		return fmt.Errorf("give job back: %w", err)
	}
	return nil
}

// FinishJob implements store.Queue.
func (q *Queue) FinishJob(ctx context.Context, l store.Lease, o store.Outcome, callbacks ...store.Delivery) error {
	status := messages.StatusDone
	if o.ErrorCode != 0 {
		status = messages.StatusError
	}
	upload := ""
	switch {
	case o.NoUpload:
		upload = "none"
	case o.Upload != "":
		upload = "to:" + o.Upload
	}
	uses, err := server.Uses(o.Use)
	if err != nil {
		return fmt.Errorf("finish job: %w", err)
	}
	fields := append(outcomeFields(o), uses...)
	args := leaseArgs(l, server.NewNumber(), string(status), upload, strconv.Itoa(len(fields)))
	args = append(args, fields...)
	deliveries, err := q.rooms.Deliveries(callbacks)
	if err == nil {
		args = append(args, deliveries...)
		err = server.Insist(ctx, func() error {
			_, err := q.writer.RunOutcome(ctx, finishScript, args...)
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("finish job: %w", err)
	}
	return nil
}

// outcomeFields returns the names and values of the fields that an outcome sets in a pre-recorded
// record; an empty value is none.
func outcomeFields(o store.Outcome) []string {
	code, seconds := "", ""
	if o.ErrorCode != 0 {
		code = strconv.Itoa(o.ErrorCode)
	}
	if o.Seconds != 0 {
		seconds = strconv.FormatFloat(o.Seconds, 'g', -1, 64)
	}
	fields := []string{"code", code, "message", o.Message, "result", string(o.Result), "seconds", seconds}
	if o.Channels != 0 {
		fields = append(fields, "channels", strconv.Itoa(o.Channels))
	}
	if o.Params != nil {
		fields = append(fields, "params", string(o.Params))
	}
	return fields
}

// WaitJob implements store.Queue.
func (q *Queue) WaitJob(ctx context.Context, w store.Want) error {
	err := q.server.Wait(ctx, "queue", queueScript, jobKind(w.Fetch), strconv.Itoa(max(w.PerAccount, 0)))
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("wait for jobs: %w", err)
	}
	return err
}
