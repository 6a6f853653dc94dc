package embedded

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"steno/messages"
	"steno/session/store"
)

// jobQueue implements store.Queue.
type jobQueue struct {
	*database
	outbox   outbox
	changed  *wake // rung when a job enters or leaves the queue
	rotation *rotation
}

// queueIn puts a record that was just made into the queue.
func queueIn(ctx context.Context, tx *sql.Tx, r *store.Record, n int64) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO jobs (account, record, created_at, fetch) VALUES (?, ?, ?, ?)`,
		r.Account, n, r.CreatedAt.UnixMilli(), r.Upload == "")
	if err != nil {
		return fmt.Errorf("queue job: %w", err)
	}
	return nil
}

// freeLeases ends the leases of an earlier process: this one alone has the folder. Their attempts
// stay counted.
func (q *jobQueue) freeLeases(ctx context.Context) error {
	if _, err := q.write.ExecContext(ctx, `UPDATE jobs SET lease_until = 0 WHERE lease_until > 0`); err != nil {
		return fmt.Errorf("free jobs: %w", err)
	}
	return nil
}

// LeaseJob implements store.Queue.
func (q *jobQueue) LeaseJob(ctx context.Context, node string, ttl time.Duration, w store.Want) (l store.Lease, ok bool,
	err error) {
	if node == "" || ttl < time.Millisecond {
		return store.Lease{}, false, fmt.Errorf("lease job: %w", store.ErrInvalid)
	}
	err = q.inTx(ctx, func(tx *sql.Tx) error {
		l, err = q.leaseIn(ctx, tx, node, ttl, w)
		return err
	})
	if errors.Is(err, sql.ErrNoRows) {
		return store.Lease{}, false, nil
	}
	if err != nil {
		return store.Lease{}, false, fmt.Errorf("lease job: %w", err)
	}
	return l, true, nil
}

// startRecord makes a record processing.
func startRecord(ctx context.Context, tx *sql.Tx, n int64) (store.Record, error) {
	row := tx.QueryRowContext(ctx, `UPDATE records SET status = ? WHERE n = ? RETURNING `+columns,
		messages.StatusProcessing, n)
	return scanRecord(row.Scan)
}

// held finds the record of a lease that is its holder's still.
func held(ctx context.Context, tx *sql.Tx, l store.Lease) (n int64, err error) {
	err = tx.QueryRowContext(ctx,
		`SELECT record FROM jobs JOIN records ON n = record WHERE id = ? AND lease = ? AND lease_until > 0`,
		l.Record.ID, l.Number).Scan(&n)
	if errors.Is(err, sql.ErrNoRows) {
		err = store.ErrLost
	}
	return n, err
}

// asHolder runs f in a transaction on the record of a lease, if the lease is its holder's still.
func (q *jobQueue) asHolder(ctx context.Context, l store.Lease, what string, f func(tx *sql.Tx, n int64) error) error {
	err := q.inTx(ctx, func(tx *sql.Tx) error {
		n, err := held(ctx, tx, l)
		if err != nil {
			return err
		}
		return f(tx, n)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// ExtendJob implements store.Queue.
func (q *jobQueue) ExtendJob(ctx context.Context, l store.Lease, ttl time.Duration) error {
	if ttl < time.Millisecond {
		return fmt.Errorf("extend lease: %w", store.ErrInvalid)
	}
	return q.asHolder(ctx, l, "extend lease", func(tx *sql.Tx, n int64) error {
		_, err := tx.ExecContext(ctx, `UPDATE jobs SET lease_until = ? WHERE record = ?`,
			q.now().Add(ttl).UnixMilli(), n)
		return err
	})
}

// FetchedJob implements store.Queue.
func (q *jobQueue) FetchedJob(ctx context.Context, l store.Lease, upload string) error {
	if upload == "" {
		return fmt.Errorf("hand on job: upload: %w", store.ErrInvalid)
	}
	err := q.asHolder(ctx, l, "hand on job", func(tx *sql.Tx, n int64) error {
		if err := setUpload(ctx, tx, n, l.Record.Account, upload); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE jobs SET fetch = 0, attempts = 0, lease_owner = NULL, lease_until = 0
			WHERE record = ?`, n)
		return err
	})
	if err == nil {
		q.changed.ring()
	}
	return err
}

// setUpload makes a record refer to an upload of its account.
func setUpload(ctx context.Context, tx *sql.Tx, n int64, account, upload string) error {
	if err := checkUpload(ctx, tx, account, upload); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `UPDATE records SET upload = nullif(?, '') WHERE n = ?`, upload, n)
	return err
}

// GiveBackJob implements store.Queue.
func (q *jobQueue) GiveBackJob(ctx context.Context, l store.Lease) error {
	err := q.asHolder(ctx, l, "give job back", func(tx *sql.Tx, n int64) error {
		_, err := tx.ExecContext(ctx,
			`UPDATE jobs SET attempts = attempts - 1, lease_owner = NULL, lease_until = 0 WHERE record = ?`, n)
		if err == nil {
			_, err = tx.ExecContext(ctx, `UPDATE records SET status = ? WHERE n = ?`, messages.StatusQueued, n)
		}
		return err
	})
	if err == nil {
		q.changed.ring()
	}
	return err
}

// FinishJob implements store.Queue.
func (q *jobQueue) FinishJob(ctx context.Context, l store.Lease, o store.Outcome, callbacks ...store.Delivery) error {
	var seconds *float64
	if o.Seconds != 0 {
		seconds = &o.Seconds
	}
	err := q.asHolder(ctx, l, "finish job", func(tx *sql.Tx, n int64) error {
		if err := q.finishIn(ctx, tx, n, o, seconds); err != nil {
			return err
		}
		if o.Upload != "" || o.NoUpload {
			if err := setUpload(ctx, tx, n, l.Record.Account, o.Upload); err != nil {
				return err
			}
		}
		if o.Params != nil {
			if _, err := tx.ExecContext(ctx, `UPDATE records SET params = ? WHERE n = ?`, text(o.Params), n); err !=
				nil {
				return err
			}
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM jobs WHERE record = ?`, n); err != nil {
			return err
		}
		return q.outbox.enqueueIn(ctx, tx, callbacks)
	})
	if err == nil {
		q.outbox.wake.ring()
		q.changed.ring() // its account may have another one taken
	}
	return err
}

// WaitJob implements store.Queue.
func (q *jobQueue) WaitJob(ctx context.Context, w store.Want) error {
	return q.changed.wait(ctx, q.now, func(ctx context.Context) (sql.NullInt64, error) {
		all, err := loadAccounts(ctx, q.read, w, q.now())
		if err != nil {
			return sql.NullInt64{}, err
		}
		return due(all, w), nil
	})
}

// leaseIn answers sql.ErrNoRows where there is no job to take.
func (q *jobQueue) leaseIn(ctx context.Context, tx *sql.Tx, node string, ttl time.Duration,
	w store.Want) (l store.Lease, err error) {
	now := q.now()
	all, err := loadAccounts(ctx, tx, w, now)
	if err != nil {
		return l, err
	}
	next, ok := q.rotation.next(all, w)
	if !ok {
		return l, sql.ErrNoRows
	}
	l.Until = time.UnixMilli(now.Add(ttl).UnixMilli()).UTC()
	err = tx.QueryRowContext(ctx, `UPDATE jobs SET attempts = attempts + 1, lease = lease + 1, lease_owner = ?, lease_until = ?
		WHERE record = ? RETURNING attempts, lease`, node, l.Until.UnixMilli(), next.oldest.Int64).Scan(&l.Attempt, &l.Number)
	if err != nil {
		return l, fmt.Errorf("take job: %w", err)
	}
	if l.Record, err = startRecord(ctx, tx, next.oldest.Int64); err == nil {
		q.rotation.serve(next.account, all, w)
	}
	return l, err
}
