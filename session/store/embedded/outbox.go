package embedded

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"steno/session/store"
)

// outbox is the tables of callbacks. A job's outbox has one row of its own: when something of it
// may be claimed.
type outbox struct {
	*database
	wake *wake // rung when a delivery may have become due
}

// Outbox is the store's outbox and what its callbacks are signed with, opened beside a process that
// has the rest.
type Outbox struct {
	outbox
	secrets
	folder sharedDatabase
}

var (
	_ store.Outbox  = (*Outbox)(nil)
	_ store.Secrets = (*Outbox)(nil)
)

// OpenOutbox opens the outbox of a data folder as OpenKeys does the keys: deliveries can be listed
// and put back, and secrets changed, while a process is sending.
func OpenOutbox(ctx context.Context, dir string) (*Outbox, error) {
	b, err := openShared(ctx, dir)
	if err != nil {
		return nil, err
	}
	return &Outbox{outbox{b.database, newWake(recheck)}, secrets{b.database}, b}, nil
}

// Close releases the database.
func (o *Outbox) Close() error { return o.folder.close() }

// freeClaims ends the claims of an earlier process: this one alone has the folder. Their attempts
// stay counted.
func (o outbox) freeClaims(ctx context.Context) error {
	_, err := o.write.ExecContext(ctx, `UPDATE outboxes SET claimed = NULL, due_at = 0 WHERE claimed IS NOT NULL`)
	if err != nil {
		return fmt.Errorf("free deliveries: %w", err)
	}
	return nil
}

// Enqueue implements store.Outbox.
func (o outbox) Enqueue(ctx context.Context, deliveries ...store.Delivery) error {
	err := o.inTx(ctx, func(tx *sql.Tx) error { return o.enqueueIn(ctx, tx, deliveries) })
	if err != nil {
		return fmt.Errorf("enqueue deliveries: %w", err)
	}
	o.wake.ring()
	return nil
}

func (o outbox) enqueueIn(ctx context.Context, tx *sql.Tx, deliveries []store.Delivery) error {
	for i := range deliveries {
		if err := o.enqueueOne(ctx, tx, &deliveries[i]); err != nil {
			return err
		}
	}
	return nil
}

func (o outbox) enqueueOne(ctx context.Context, tx *sql.Tx, d *store.Delivery) error {
	if d.Event == "" || d.URL == "" || d.Method == "" || d.Seq < 0 {
		return fmt.Errorf("delivery: %w", store.ErrInvalid)
	}
	record, _, err := lookUp(ctx, tx, d.Account, d.Job)
	if err != nil {
		return err
	}
	var last int64
	err = tx.QueryRowContext(ctx, `INSERT INTO outboxes (account, record) VALUES (?, ?)
		ON CONFLICT DO UPDATE SET record = record RETURNING last_seq`, d.Account, record).Scan(&last)
	if err != nil {
		return err
	}
	if d.Seq > 0 && d.Seq <= last {
		return nil
	}
	body := d.Body
	if body == nil {
		body = []byte{}
	}
	now := o.now().UnixMilli()
	r, err := tx.ExecContext(ctx, `INSERT INTO deliveries (id, account, record, seq, event, url, method, body, state, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (record, event) WHERE seq = 0 DO NOTHING`,
		"msg_"+rand.Text(), d.Account, record, d.Seq, d.Event, d.URL, d.Method, body, store.DeliveryPending, now)
	if err != nil {
		return err
	}
	if n, err := r.RowsAffected(); err != nil || n == 0 {
		return err
	}
	_, err = tx.ExecContext(ctx,
		`UPDATE outboxes SET last_seq = max(last_seq, ?), due_at = coalesce(due_at, ?) WHERE record = ?`,
		d.Seq, now, record)
	return err
}

// LastSeq implements store.Outbox.
func (o outbox) LastSeq(ctx context.Context, account, job string) (seq int64, err error) {
	err = o.read.QueryRowContext(ctx, `SELECT coalesce(last_seq, 0) FROM records LEFT JOIN outboxes ON record = n
		WHERE records.account = ? AND id = ?`, account, job).Scan(&seq)
	if errors.Is(err, sql.ErrNoRows) {
		err = store.ErrNotFound
	}
	if err != nil {
		return 0, fmt.Errorf("find last delivery: %w", err)
	}
	return seq, nil
}

// Deliveries implements store.Outbox.
func (o outbox) Deliveries(ctx context.Context, account string, state store.DeliveryState,
	limit int) ([]store.Delivery, error) {
	switch state {
	case store.DeliveryPending, store.DeliverySent, store.DeliveryDead:
	default:
		return nil, fmt.Errorf("list deliveries: state: %w", store.ErrInvalid)
	}
	where, args := `state = ?`, []any{state}
	if account != "" {
		where, args = where+` AND d.account = ?`, append(args, account)
	}
	rows, err := o.read.QueryContext(ctx, `SELECT `+deliveryColumns(`NULL`)+` FROM `+deliveryTables+`
		WHERE `+where+` ORDER BY d.n LIMIT ?`, append(args, max(limit, 0))...)
	return collect(rows, err, "list deliveries", scanDelivery)
}

const deliveryTables = `deliveries d CROSS JOIN records r ON r.n = d.record CROSS JOIN outboxes o ON o.record = ` +
	`d.record`

// deliveryColumns are those scanDelivery reads, with what stands for the body.
func deliveryColumns(body string) string {
	return `d.id, d.account, r.id, d.seq, d.event, d.url, ` +
		`d.method, ` + body + `, d.state, d.created_at, d.attempts, d.first_at,
		d.status, d.failure, o.claim`
}

func scanDelivery(scan scanner) (store.Delivery, error) {
	var d store.Delivery
	var created int64
	var first sql.NullInt64
	err := scan(&d.ID, &d.Account, &d.Job, &d.Seq, &d.Event, &d.URL, &d.Method, &d.Body, &d.State, &created,
		&d.Attempts, &first,
		&d.Status, &d.Failure, &d.Claim)
	d.CreatedAt = time.UnixMilli(created).UTC()
	if first.Valid {
		at := time.UnixMilli(first.Int64).UTC()
		d.FirstAttempt = &at
	}
	return d, err
}

// JobDeliveries implements store.Outbox.
func (o outbox) JobDeliveries(ctx context.Context, account, job string, limit int) ([]store.Delivery, error) {
	rows, err := o.read.QueryContext(ctx, `SELECT `+deliveryColumns(`NULL`)+` FROM `+deliveryTables+`
		WHERE d.record = (SELECT n FROM records WHERE account = ? AND id = ?) AND d.state <> 'pruned' ORDER BY d.n DESC LIMIT ?`, account, job, max(limit, 0))
	return collect(rows, err, "list deliveries of job", scanDelivery)
}

// NextDue implements store.Outbox.
func (o outbox) NextDue(ctx context.Context, account, job string) (time.Time, error) {
	var at sql.NullInt64
	err := o.read.QueryRowContext(ctx, `SELECT due_at FROM outboxes WHERE claimed IS NULL
		AND record = (SELECT n FROM records WHERE account = ? AND id = ?)`, account, job).Scan(&at)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, fmt.Errorf("find next delivery: %w", err)
	}
	if !at.Valid {
		return time.Time{}, nil
	}
	return time.UnixMilli(at.Int64).UTC(), nil
}

// Redeliver implements store.Outbox.
func (o outbox) Redeliver(ctx context.Context, id string) error {
	err := o.inTx(ctx, func(tx *sql.Tx) error { return o.redeliverIn(ctx, tx, id) })
	if err != nil {
		return fmt.Errorf("redeliver: %w", err)
	}
	o.wake.ring()
	return nil
}

func (o outbox) redeliverIn(ctx context.Context, tx *sql.Tx, id string) error {
	var record int64
	var state store.DeliveryState
	var erased bool
	err := tx.QueryRowContext(ctx, `SELECT record, d.state, d.state = 'dead' AND (transient | stripped) & ? <> 0
		FROM deliveries d JOIN records r ON r.n = record WHERE d.id = ? AND d.state <> 'pruned'`,
		store.PartTranscripts, id).Scan(&record, &state, &erased)
	if errors.Is(err, sql.ErrNoRows) || erased {
		return store.ErrNotFound
	}
	if err != nil {
		return err
	}
	if state == store.DeliverySent {
		return store.ErrSent
	}
	_, err = tx.ExecContext(ctx,
		`UPDATE deliveries SET state = ?, attempts = 0, first_at = NULL WHERE id = ? AND state = ?`,
		store.DeliveryPending, id, store.DeliveryDead)
	if err != nil {
		return err
	}
	// While one of the job's is being sent, the end of that makes this one due.
	_, err = tx.ExecContext(ctx, `UPDATE outboxes SET due_at = ? WHERE record = ? AND claimed IS NULL`,
		o.now().UnixMilli(), record)
	return err
}

// PruneDeliveries implements store.Outbox, in steps that leave the writer to others in between.
func (o outbox) PruneDeliveries(ctx context.Context, before time.Time) (int, error) {
	const step = 500
	for all := 0; ; {
		n, err := o.pruneSome(ctx, before, step)
		if err != nil {
			return all, fmt.Errorf("prune deliveries: %w", err)
		}
		if n > 0 {
			o.deleted()
		}
		if all += n; n < step {
			return all, nil
		}
	}
}

// pruneSome deletes deliveries of logged events, which LastSeq accounts for, and empties the
// others.
func (o outbox) pruneSome(ctx context.Context, before time.Time, limit int) (n int, err error) {
	const old = ` WHERE n IN (SELECT n FROM deliveries INDEXED BY deliveries_sent
		WHERE state = 'sent' AND sent_at < ?1 ORDER BY sent_at LIMIT ?2)`
	err = o.inTx(ctx, func(tx *sql.Tx) error {
		for _, statement := range []string{
			`UPDATE deliveries SET state = 'pruned', url = '', body = x'', failure = ''` + old + ` AND seq = 0`,
			`DELETE FROM deliveries` + old,
		} {
			r, err := tx.ExecContext(ctx, statement, before.UnixMilli(), limit-n)
			if err != nil {
				return err
			}
			some, err := r.RowsAffected()
			if err != nil {
				return err
			}
			n += int(some)
		}
		return nil
	})
	return n, err
}

// cut bounds a failure's text.
func cut(text string) string {
	if len(text) > store.MaxFailure {
		text = text[:store.MaxFailure]
	}
	return strings.ToValidUTF8(text, "")
}
