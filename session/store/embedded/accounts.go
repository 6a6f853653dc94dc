package embedded

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"steno/session/store"
)

// accounts is the tables of quotas and usage. What accounts spend of rates is in memory: one
// process at a time has the folder.
type accounts struct {
	*database
	rates *rates
}

func newAccounts(db *database) accounts { return accounts{db, newRates(db.now)} }

// SetQuota implements store.Accounts.
func (a accounts) SetQuota(ctx context.Context, account string, q store.Quota) error {
	err := q.Check()
	if account == "" {
		err = store.ErrInvalid
	}
	var text []byte
	if err == nil {
		text, err = json.Marshal(q)
	}
	if err == nil {
		_, err = a.write.ExecContext(ctx, `INSERT INTO quotas (account, quota) VALUES (?, ?)
			ON CONFLICT (account) DO UPDATE SET quota = excluded.quota`, account, string(text))
	}
	if err != nil {
		return fmt.Errorf("set quota: %w", err)
	}
	return nil
}

// RemoveQuota implements store.Accounts.
func (a accounts) RemoveQuota(ctx context.Context, account string) error {
	r, err := a.write.ExecContext(ctx, `DELETE FROM quotas WHERE account = ?`, account)
	return changedOne(r, err, "remove quota", store.ErrNotFound)
}

// Quotas implements store.Accounts.
func (a accounts) Quotas(ctx context.Context) (map[string]store.Quota, error) {
	type row struct {
		account string
		quota   store.Quota
	}
	rows, err := a.read.QueryContext(ctx, `SELECT account, quota FROM quotas`)
	list, err := collect(rows, err, "list quotas", func(scan scanner) (r row, err error) {
		var text string
		if err = scan(&r.account, &text); err == nil {
			err = json.Unmarshal([]byte(text), &r.quota)
		}
		return r, err
	})
	all := make(map[string]store.Quota, len(list))
	for _, r := range list {
		all[r.account] = r.quota
	}
	return all, err
}

// unfinished counts the account's live sessions that are not finished.
const unfinished = `SELECT count(*) FROM records INDEXED BY records_live
	WHERE account = ? AND kind = 'live' AND status NOT IN ('done', 'error')`

// checkSessions answers ErrQuota where an account has as many unfinished live sessions as it may; 0
// for any number.
func checkSessions(ctx context.Context, tx *sql.Tx, account string, most int64) error {
	if most == 0 {
		return nil
	}
	var n int64
	if err := tx.QueryRowContext(ctx, unfinished, account).Scan(&n); err != nil {
		return fmt.Errorf("count sessions: %w", err)
	}
	if n >= most {
		return store.ErrQuota
	}
	return nil
}

// Standing implements store.Accounts.
func (a accounts) Standing(ctx context.Context, account string) (s store.Standing, err error) {
	var audio int64
	err = a.read.QueryRowContext(ctx, unfinished, account).Scan(&s.Sessions)
	if err == nil {
		err = a.read.QueryRowContext(ctx, `SELECT coalesce(sum(amount), 0) FROM usage
			WHERE day = ? AND account = ? AND item IN (?, ?)`,
			store.Day(a.now()), account, store.UsedLive, store.UsedRecorded).Scan(&audio)
	}
	if err != nil {
		return s, fmt.Errorf("look up account: %w", err)
	}
	s.Audio = time.Duration(audio) * time.Millisecond
	return s, nil
}

// Stored implements store.Accounts.
func (a accounts) Stored(ctx context.Context, account string) (int64, error) {
	var bytes float64
	err := a.read.QueryRowContext(ctx, `SELECT coalesce(sum(bytes), 0) FROM (`+holdings+`) WHERE account = ?`,
		account).Scan(&bytes)
	if err != nil {
		return 0, fmt.Errorf("add up uploads: %w", err)
	}
	return int64(bytes), nil
}

// Spend implements store.Accounts.
func (a accounts) Spend(ctx context.Context, account, what string, most int64,
	window time.Duration) (left int64, wait time.Duration, err error) {
	if err = ctx.Err(); err == nil && (account == "" || what == "" || most < 1 || window < time.Millisecond) {
		err = store.ErrInvalid
	}
	if err != nil {
		return 0, 0, fmt.Errorf("spend: %w", err)
	}
	left, wait = a.rates.spend(account+"\x00"+what, most, window)
	return left, wait, nil
}

// useIn adds what the record of that number has used, in the transaction that finishes it.
func (d *database) useIn(ctx context.Context, tx *sql.Tx, n int64, list []store.Use) error {
	if err := store.CheckUse(list); err != nil {
		return err
	}
	for _, u := range list {
		_, err := tx.ExecContext(ctx, `INSERT INTO usage (day, account, model, item, amount)
			SELECT ?, account, ?, ?, ? FROM records WHERE n = ?
			ON CONFLICT DO UPDATE SET amount = amount + excluded.amount`,
			store.Day(d.now()), u.Model, u.Item, u.Amount, n)
		if err != nil {
			return fmt.Errorf("count use: %w", err)
		}
	}
	return nil
}

// Usage implements store.Accounts. What has been kept for long enough goes with the first question
// of a day.
func (a accounts) Usage(ctx context.Context, q store.UsageQuery) ([]store.Usage, error) {
	if err := q.Check(); err != nil {
		return nil, fmt.Errorf("read usage: %w", err)
	}
	if err := a.forgetUsage(ctx); err != nil {
		return nil, err
	}
	rows, err := a.read.QueryContext(ctx, `SELECT day, account, model, item, amount FROM usage
		WHERE day BETWEEN ? AND ? AND ?3 IN (account, '') ORDER BY day, account, model, item`,
		store.Day(q.From), store.Day(q.To), q.Account)
	return collect(rows, err, "read usage", func(scan scanner) (u store.Usage, err error) {
		var day int64
		err = scan(&day, &u.Account, &u.Model, &u.Item, &u.Amount)
		u.Day = store.DayOf(day)
		return u, err
	})
}

func (a accounts) forgetUsage(ctx context.Context) error {
	var first int64
	oldest := store.Day(a.now()) - store.UsageKept
	err := a.read.QueryRowContext(ctx, `SELECT day FROM usage ORDER BY day LIMIT 1`).Scan(&first)
	if errors.Is(err, sql.ErrNoRows) || err == nil && first > oldest {
		return nil
	}
	if err == nil {
		_, err = a.write.ExecContext(ctx, `DELETE FROM usage WHERE day <= ?`, oldest)
	}
	if err != nil {
		return fmt.Errorf("forget usage: %w", err)
	}
	return nil
}
