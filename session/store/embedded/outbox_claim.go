package embedded

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"steno/session/store"
)

// ClaimDeliveries implements store.Outbox.
func (o outbox) ClaimDeliveries(ctx context.Context, ttl time.Duration, limit int) ([]store.Delivery, error) {
	if ttl < time.Millisecond {
		return nil, fmt.Errorf("claim deliveries: %w", store.ErrInvalid)
	}
	var claimed []store.Delivery
	err := o.inTx(ctx, func(tx *sql.Tx) error {
		now := o.now()
		rows, err := tx.QueryContext(ctx,
			`SELECT record FROM outboxes WHERE due_at <= ? ORDER BY due_at, record LIMIT ?`,
			now.UnixMilli(), max(limit, 0))
		due, err := collect(rows, err, "list due jobs", func(scan scanner) (n int64, err error) {
			err = scan(&n)
			return n, err
		})
		if err != nil {
			return err
		}
		for _, record := range due {
			d, err := claimIn(ctx, tx, record, now, now.Add(ttl))
			if err != nil {
				return err
			}
			claimed = append(claimed, d)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("claim deliveries: %w", err)
	}
	return claimed, nil
}

// claimIn claims the first pending delivery of a record.
func claimIn(ctx context.Context, tx *sql.Tx, record int64, now, until time.Time) (store.Delivery, error) {
	var n int64
	err := tx.QueryRowContext(ctx, `UPDATE deliveries SET attempts = attempts + 1, first_at = coalesce(first_at, ?)
		WHERE n = (SELECT min(n) FROM deliveries WHERE record = ? AND state = ?) RETURNING n`,
		now.UnixMilli(), record, store.DeliveryPending).Scan(&n)
	if err == nil {
		_, err = tx.ExecContext(ctx, `UPDATE outboxes SET claim = claim + 1, claimed = ?, due_at = ? WHERE record = ?`,
			n, until.UnixMilli(), record)
	}
	if err != nil {
		return store.Delivery{}, fmt.Errorf("claim: %w", err)
	}
	row := tx.QueryRowContext(ctx, `SELECT `+deliveryColumns(`d.body`)+` FROM `+deliveryTables+` WHERE d.n = ?`, n)
	return scanDelivery(row.Scan)
}

// Sent implements store.Outbox.
func (o outbox) Sent(ctx context.Context, d store.Delivery) error {
	return o.settle(ctx, d, time.Time{}, `state = 'sent', sent_at = ?`, o.now().UnixMilli())
}

// Failed implements store.Outbox.
func (o outbox) Failed(ctx context.Context, d store.Delivery, next time.Time, status int, failure string) error {
	return o.settle(ctx, d, next, `status = ?, failure = ?`, status, cut(failure))
}

// Dead implements store.Outbox.
func (o outbox) Dead(ctx context.Context, d store.Delivery, status int, failure string) error {
	return o.settle(ctx, d, time.Time{}, `state = 'dead', status = ?, failure = ?`, status, cut(failure))
}

// Postpone implements store.Outbox.
func (o outbox) Postpone(ctx context.Context, d store.Delivery, next time.Time) error {
	return o.settle(ctx, d, next, `attempts = attempts - 1, first_at = CASE WHEN attempts > 1 THEN first_at END`)
}

// settle ends a claim with a change of its delivery. If that is pending still, it is due again at
// next.
func (o outbox) settle(ctx context.Context, d store.Delivery, next time.Time, change string, args ...any) error {
	var erased bool
	err := o.inTx(ctx, func(tx *sql.Tx) error {
		var n, record int64
		err := tx.QueryRowContext(ctx, `SELECT n, d.record FROM deliveries d JOIN outboxes o ON o.record = d.record
			WHERE id = ? AND o.claim = ? AND o.claimed = n`, d.ID, d.Claim).Scan(&n, &record)
		if errors.Is(err, sql.ErrNoRows) {
			return store.ErrLost
		}
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE deliveries SET `+change+` WHERE n = ?`, append(args, n)...); err !=
			nil {
			return err
		}
		if erased, err = eraseBody(ctx, tx, n); err != nil {
			return err
		}
		return o.free(ctx, tx, record, n, next)
	})
	if err != nil {
		return fmt.Errorf("settle delivery: %w", err)
	}
	if erased {
		o.deleted()
	}
	o.wake.ring()
	return nil
}

// eraseBody empties a delivery that is pending no more, where its record's transcripts are not to
// be kept, and tells whether it did.
func eraseBody(ctx context.Context, tx *sql.Tx, n int64) (erased bool, err error) {
	r, err := tx.ExecContext(ctx, `UPDATE deliveries SET body = x'', failure = '' WHERE n = ? AND state <> ?
		AND (SELECT transient & ? FROM records WHERE records.n = record) <> 0`, n, store.DeliveryPending,
		store.PartTranscripts)
	if err != nil {
		return false, err
	}
	changed, err := r.RowsAffected()
	return changed > 0, err
}

// free ends the claim of a record's outbox. Its first pending delivery is due at next if it is the
// one that was claimed, else immediately.
func (o outbox) free(ctx context.Context, tx *sql.Tx, record, claimed int64, next time.Time) error {
	var first sql.NullInt64
	err := tx.QueryRowContext(ctx, `SELECT min(n) FROM deliveries WHERE record = ? AND state = ?`,
		record, store.DeliveryPending).Scan(&first)
	if err != nil {
		return err
	}
	due := sql.NullInt64{Int64: o.now().UnixMilli(), Valid: first.Valid}
	if first.Int64 == claimed {
		due.Int64 = next.UnixMilli()
	}
	_, err = tx.ExecContext(ctx, `UPDATE outboxes SET claimed = NULL, due_at = ? WHERE record = ?`, due, record)
	return err
}

// WaitDelivery implements store.Outbox.
func (o outbox) WaitDelivery(ctx context.Context) error {
	return o.wake.wait(ctx, o.now, func(ctx context.Context) (at sql.NullInt64, err error) {
		if err = o.read.QueryRowContext(ctx,
			`SELECT min(due_at) FROM outboxes WHERE due_at IS NOT NULL`).Scan(&at); err != nil {
			err = fmt.Errorf("look for due deliveries: %w", err)
		}
		return at, err
	})
}
