// Package outbox keeps the callbacks of a store on a Valkey server until they are sent.
package outbox

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/valkey-io/valkey-go"

	"steno/session/store"
	"steno/session/store/valkey/server"
)

// Outbox implements store.Outbox.
type Outbox struct {
	server *server.Conn
	writer server.Writer  // for what is enqueued
	doubts *server.Doubts // claims whose call ended without an answer
	Kept   int            // how many deliveries that were sent are kept at most
}

// maxSent bounds the deliveries that were sent, about 75 MB: a thousand sessions with callbacks
// send as many in ten minutes.
const maxSent = 100_000

func New(w server.Writer) *Outbox { return &Outbox{w.Conn, w, new(server.Doubts), maxSent} }

var (
	enqueueScript    = Scripts.Script("outbox_enqueue", "record", "outbox")
	lastScript       = Scripts.Script("outbox_last", "record", "outbox")
	claimScript      = Scripts.Script("outbox_claim", "record", "outbox")
	settleScript     = Scripts.Script("outbox_settle", "record", "outbox")
	outboxScript     = Scripts.Script("outbox_due")
	deliveriesScript = Scripts.Script("outbox_list", "record", "outbox")
	jobScript        = Scripts.Script("outbox_job", "record", "outbox")
	nextScript       = Scripts.Script("outbox_next", "record", "outbox")
	redeliverScript  = Scripts.Script("outbox_redeliver", "record", "outbox")
	pruneScript      = Scripts.Script("outbox_prune", "record", "outbox")
)

// Enqueue implements store.Outbox.
func (o *Outbox) Enqueue(ctx context.Context, deliveries ...store.Delivery) error {
	args, err := Arguments(deliveries)
	if err == nil {
		_, err = o.writer.Run(ctx, enqueueScript, args...)
	}
	if err != nil {
		return fmt.Errorf("enqueue deliveries: %w", err)
	}
	return nil
}

// Arguments are the number of deliveries and what scripts take of them.
func Arguments(deliveries []store.Delivery) ([]string, error) {
	args := []string{strconv.Itoa(len(deliveries))}
	for _, d := range deliveries {
		if d.Event == "" || d.URL == "" || d.Method == "" || d.Seq < 0 {
			return nil, fmt.Errorf("delivery: %w", store.ErrInvalid)
		}
		args = append(args, d.Account, d.Job, strconv.FormatInt(d.Seq, 10), d.Event, d.URL, d.Method, string(d.Body))
	}
	return args, nil
}

// LastSeq implements store.Outbox.
func (o *Outbox) LastSeq(ctx context.Context, account, job string) (seq int64, err error) {
	m, err := o.server.Look(ctx, lastScript, account, job)
	if err == nil && !m.IsNil() {
		seq, err = m.AsInt64()
	}
	if err != nil {
		return 0, fmt.Errorf("find last delivery: %w", err)
	}
	return seq, nil
}

const (
	// maxClaimed and maxClaimedBytes bound what one call claims: as much as fits into an answer
	// that is read as a whole.
	maxClaimed      = 256
	maxClaimedBytes = 8 << 20
	// listPage is how many deliveries one call of a script lists or forgets.
	listPage = 500
)

// ClaimDeliveries implements store.Outbox. Those that an earlier call of this process claimed
// without its knowing are given first.
func (o *Outbox) ClaimDeliveries(
	ctx context.Context, ttl time.Duration, limit int,
) (claimed []store.Delivery, err error) {
	if ttl < time.Millisecond {
		return nil, fmt.Errorf("claim deliveries: %w", store.ErrInvalid)
	}
	if limit <= 0 {
		return nil, ctx.Err()
	}
	err = o.doubts.Call("deliveries", func(number, again string) error {
		m, err := o.server.Run(ctx, claimScript, server.Milliseconds(ttl), strconv.Itoa(min(limit, maxClaimed)), number,
			strconv.Itoa(maxClaimedBytes), again)
		if err != nil {
			return err
		}
		list, err := m.ToArray()
		if err == nil {
			claimed, err = decodeDeliveries(list)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("claim deliveries: %w", err)
	}
	return claimed, nil
}

// decodeDeliveries reads a list of what delivery_answer returns.
func decodeDeliveries(list []valkey.ValkeyMessage) ([]store.Delivery, error) {
	var all []store.Delivery
	for _, m := range list {
		d, err := decodeDelivery(m)
		if err != nil {
			return nil, fmt.Errorf("read delivery: %w", err)
		}
		all = append(all, d)
	}
	return all, nil
}

func decodeDelivery(m valkey.ValkeyMessage) (d store.Delivery, err error) {
	parts, err := m.ToArray()
	if err != nil || len(parts) != 16 {
		return d, fmt.Errorf("%d parts: %w", len(parts), err)
	}
	var r server.Reader
	d.ID, d.Account, d.Job, d.Event = r.Text(parts[0]), r.Text(parts[1]), r.Text(parts[2]), r.Text(parts[3])
	d.URL, d.Method, d.State = r.Text(parts[4]), r.Text(parts[5]), store.DeliveryState(r.Text(parts[6]))
	d.CreatedAt = time.UnixMilli(r.Integer(parts[7])).UTC()
	if first := parts[8]; !first.IsNil() {
		at := time.UnixMilli(r.Integer(first)).UTC()
		d.FirstAttempt = &at
	}
	d.Seq, d.Attempts, d.Status = r.Integer(parts[9]), int(r.Integer(parts[10])), int(r.Integer(parts[11]))
	d.Failure, d.Claim = r.Text(parts[12]), r.Integer(parts[13])
	if r.Integer(parts[14]) == 1 {
		d.Body, err = parts[15].AsBytes()
		r.Keep(err)
	}
	return d, r.Err
}

// Sent implements store.Outbox.
func (o *Outbox) Sent(ctx context.Context, d store.Delivery) error {
	return o.settle(ctx, d, "sent", time.Time{}, 0, "")
}

// Failed implements store.Outbox.
func (o *Outbox) Failed(ctx context.Context, d store.Delivery, next time.Time, status int, failure string) error {
	return o.settle(ctx, d, "failed", next, status, failure)
}

// Dead implements store.Outbox.
func (o *Outbox) Dead(ctx context.Context, d store.Delivery, status int, failure string) error {
	return o.settle(ctx, d, "dead", time.Time{}, status, failure)
}

// Postpone implements store.Outbox.
func (o *Outbox) Postpone(ctx context.Context, d store.Delivery, next time.Time) error {
	return o.settle(ctx, d, "postponed", next, 0, "")
}

// settle ends a claim. If its delivery is pending still, it is due again at next.
func (o *Outbox) settle(
	ctx context.Context, d store.Delivery, what string, next time.Time, status int, failure string,
) error {
	if len(failure) > store.MaxFailure {
		failure = failure[:store.MaxFailure]
	}
	err := o.server.Insist(ctx, settleScript, d.Job, d.ID, strconv.FormatInt(d.Claim, 10), server.NewNumber(), what,
		o.server.Ahead(next),
		strconv.Itoa(status), strings.ToValidUTF8(failure, ""), strconv.Itoa(o.Kept))
	if err != nil {
		return fmt.Errorf("settle delivery: %w", err)
	}
	return nil
}

// WaitDelivery implements store.Outbox.
func (o *Outbox) WaitDelivery(ctx context.Context) error {
	err := o.server.Wait(ctx, "outbox", outboxScript)
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("wait for deliveries: %w", err)
	}
	return err
}

// Deliveries implements store.Outbox, in pages.
func (o *Outbox) Deliveries(
	ctx context.Context, account string, state store.DeliveryState, limit int,
) ([]store.Delivery, error) {
	switch state {
	case store.DeliveryPending, store.DeliverySent, store.DeliveryDead:
	default:
		return nil, fmt.Errorf("list deliveries: state: %w", store.ErrInvalid)
	}
	all, err := o.pages("0", limit, func(after, want string) (valkey.ValkeyMessage, error) {
		return o.server.Look(ctx, deliveriesScript, account, string(state), after, want)
	})
	if err != nil {
		return nil, fmt.Errorf("list deliveries: %w", err)
	}
	return all, nil
}

// JobDeliveries implements store.Outbox, in pages.
func (o *Outbox) JobDeliveries(ctx context.Context, account, job string, limit int) ([]store.Delivery, error) {
	all, err := o.pages("inf", limit, func(after, want string) (valkey.ValkeyMessage, error) {
		return o.server.Look(ctx, jobScript, account, job, after, want)
	})
	if err != nil {
		return nil, fmt.Errorf("list deliveries of job: %w", err)
	}
	return all, nil
}

// pages lists at most limit deliveries with numbers above after. run runs a script that returns one
// page of them.
func (o *Outbox) pages(
	after string, limit int, run func(after, want string) (valkey.ValkeyMessage, error),
) (all []store.Delivery, err error) {
	for len(all) < limit {
		want := min(limit-len(all), listPage)
		m, err := run(after, strconv.Itoa(want))
		if err != nil {
			return nil, err
		}
		page, last, err := decodePage(m)
		if err != nil {
			return nil, err
		}
		if all = append(all, page...); len(page) < want {
			break
		}
		after = last
	}
	return all, nil
}

// decodePage reads what deliveriesScript answers: where the next page begins, and the deliveries.
func decodePage(m valkey.ValkeyMessage) (page []store.Delivery, last string, err error) {
	list, err := m.ToArray()
	if err != nil || len(list) == 0 {
		return nil, "", fmt.Errorf("read page of %d parts: %w", len(list), err)
	}
	if last, err = list[0].ToString(); err != nil {
		return nil, "", err
	}
	page, err = decodeDeliveries(list[1:])
	return page, last, err
}

// NextDue implements store.Outbox.
func (o *Outbox) NextDue(ctx context.Context, account, job string) (time.Time, error) {
	m, err := o.server.Look(ctx, nextScript, account, job)
	if err == nil && m.IsNil() {
		return time.Time{}, nil
	}
	var at int64
	if err == nil {
		at, err = m.AsInt64()
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("find next delivery: %w", err)
	}
	return time.UnixMilli(at).UTC(), nil
}

// Redeliver implements store.Outbox.
func (o *Outbox) Redeliver(ctx context.Context, id string) error {
	if err := o.server.Insist(ctx, redeliverScript, id, server.NewNumber()); err != nil {
		return fmt.Errorf("redeliver: %w", err)
	}
	return nil
}

// PruneDeliveries implements store.Outbox, in steps that leave the server to others in between.
func (o *Outbox) PruneDeliveries(ctx context.Context, before time.Time) (all int, err error) {
	for {
		m, err := o.server.Run(ctx, pruneScript, o.server.Ahead(before), strconv.Itoa(listPage))
		if err != nil {
			return all, fmt.Errorf("prune deliveries: %w", err)
		}
		n, err := m.AsInt64()
		if err != nil {
			return all, fmt.Errorf("prune deliveries: %w", err)
		}
		if all += int(n); n < listPage {
			return all, nil
		}
	}
}
