// Package accounts keeps the quotas of accounts, what they spend of them and what they have used,
// on a Valkey server.
package accounts

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"steno/session/store"
	"steno/session/store/valkey/server"
)

// Accounts implements store.Accounts.
type Accounts struct {
	server *server.Conn
	writer server.Writer
}

// New returns the accounts of a server.
func New(w server.Writer) Accounts { return Accounts{w.Conn, w} }

var (
	quotaSetScript    = Scripts.Script("quota_set")
	quotaRemoveScript = Scripts.Script("quota_remove")
	standingScript    = Scripts.Script("account_standing", "record")
	spendScript       = Scripts.Script("account_spend")
	usageScript       = Scripts.Script("usage_list")
)

// SetQuota implements store.Accounts.
func (a Accounts) SetQuota(ctx context.Context, account string, q store.Quota) error {
	err := q.Check()
	if account == "" {
		err = store.ErrInvalid
	}
	var text []byte
	if err == nil {
		text, err = json.Marshal(q)
	}
	if err == nil {
		err = a.writer.Persist(ctx, quotaSetScript, account, string(text))
	}
	if err != nil {
		return fmt.Errorf("set quota: %w", err)
	}
	return nil
}

// RemoveQuota implements store.Accounts.
func (a Accounts) RemoveQuota(ctx context.Context, account string) error {
	if _, err := a.writer.Run(ctx, quotaRemoveScript, account); err != nil {
		return fmt.Errorf("remove quota: %w", err)
	}
	return nil
}

// Quotas implements store.Accounts.
func (a Accounts) Quotas(ctx context.Context) (map[string]store.Quota, error) {
	fields, err := a.server.Hash(ctx, "quotas")
	all := make(map[string]store.Quota, len(fields))
	for account, text := range fields {
		var q store.Quota
		if err == nil {
			err = json.Unmarshal([]byte(text), &q)
		}
		all[account] = q
	}
	if err != nil {
		return nil, fmt.Errorf("list quotas: %w", err)
	}
	return all, nil
}

// Standing implements store.Accounts.
func (a Accounts) Standing(ctx context.Context, account string) (s store.Standing, err error) {
	m, err := a.server.Look(ctx, standingScript, account, store.UsedLive, store.UsedRecorded)
	var n []int64
	if err == nil {
		n, err = m.AsIntSlice()
	}
	if err == nil && len(n) != 2 {
		err = fmt.Errorf("answer has %d parts", len(n))
	}
	if err != nil {
		return s, fmt.Errorf("look up account: %w", err)
	}
	return store.Standing{Sessions: n[0], Audio: time.Duration(n[1]) * time.Millisecond}, nil
}

// Stored implements store.Accounts.
func (a Accounts) Stored(ctx context.Context, account string) (int64, error) {
	m, err := a.server.Field(ctx, "held:accounts", account)
	if err != nil {
		return 0, fmt.Errorf("add up uploads: %w", err)
	}
	var r server.Reader
	return r.Integer(m), r.Err
}

// Spend implements store.Accounts.
func (a Accounts) Spend(ctx context.Context, account, what string, most int64,
	window time.Duration) (left int64, wait time.Duration, err error) {
	err = store.ErrInvalid
	var n []int64
	if account != "" && what != "" && most > 0 && window >= time.Millisecond {
		n, err = a.spend(ctx, what+":"+account, most, window)
	}
	if err != nil {
		return 0, 0, fmt.Errorf("spend: %w", err)
	}
	return n[0], time.Duration(n[1]) * time.Microsecond, nil
}

// spend returns how many are left, and in how many microseconds there is one.
func (a Accounts) spend(ctx context.Context, name string, most int64, window time.Duration) ([]int64, error) {
	m, err := a.server.Run(ctx, spendScript, name, server.Decimal(most), server.Decimal(window.Microseconds()))
	if err != nil {
		return nil, err
	}
	n, err := m.AsIntSlice()
	if err == nil && len(n) != 2 {
		err = fmt.Errorf("answer has %d parts", len(n))
	}
	return n, err
}

// Usage implements store.Accounts.
func (a Accounts) Usage(ctx context.Context, q store.UsageQuery) ([]store.Usage, error) {
	err := q.Check()
	var all []store.Usage
	for skip, more := 0, true; more && err == nil; skip += server.MaxRows {
		var rows []server.Row
		rows, err = a.server.Hashes(ctx, usageScript, q.Account, server.Decimal(store.Day(q.From)),
			server.Decimal(store.Day(q.To)), strconv.Itoa(skip), strconv.Itoa(server.MaxRows))
		for i := 0; err == nil && i < len(rows); i++ {
			all, err = appendUsage(all, rows[i])
		}
		more = len(rows) == server.MaxRows
	}
	if err != nil {
		return nil, fmt.Errorf("read usage: %w", err)
	}
	store.SortUsage(all)
	return all, nil
}

// appendUsage reads what an account has used on a day. A day of which there is nothing has no
// fields.
func appendUsage(all []store.Usage, row server.Row) ([]store.Usage, error) {
	number, account, _ := strings.Cut(row.ID, ":")
	day, err := strconv.ParseInt(number, 10, 64)
	n := server.Numbers{Fields: row.Fields, Err: err}
	for field := range row.Fields {
		model, item, _ := strings.Cut(field, "\x00")
		all = append(all, store.Usage{
			Day: store.DayOf(day), Account: account,
			Use: store.Use{Model: model, Item: item, Amount: n.Integer(field)},
		})
	}
	return all, n.Err
}
