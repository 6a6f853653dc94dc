package embedded

import (
	"context"
	"database/sql"
	"fmt"

	"steno/messages"
	"steno/session/store"
)

// accountLog implements store.AccountLog.
type accountLog struct{ *database }

// logForAccount adds an event of record n to the log of its account, where its kind belongs there.
func (s *statements) logForAccount(ctx context.Context, tx *sql.Tx, n, seq int64, k messages.Kind) error {
	if !store.AccountKinds.Has(k) {
		return nil
	}
	if _, err := tx.StmtContext(ctx, s.insertAccountEvent).ExecContext(ctx, seq, n); err != nil {
		return fmt.Errorf("log for account: %w", err)
	}
	return nil
}

// AccountEvents implements store.AccountLog. Nothing goes but with its record, so the log is always whole.
func (l accountLog) AccountEvents(ctx context.Context, account string, after int64, limit int) ([]store.AccountEvent, bool, error) {
	rows, err := l.read.QueryContext(ctx, `SELECT a.n, r.id, e.seq, e.kind, e.key, e.body FROM account_events a
		JOIN events e ON e.record = a.record AND e.seq = a.seq JOIN records r ON r.n = a.record
		WHERE a.account = ? AND a.n > ? ORDER BY a.n LIMIT ?`, account, after, max(limit, 0))
	events, err := collect(rows, err, "list events of account", func(scan scanner) (a store.AccountEvent, err error) {
		a.Event, err = scanEvent(func(dest ...any) error { return scan(append([]any{&a.N, &a.Session}, dest...)...) })
		return a, err
	})
	return events, err == nil, err
}

// AccountEnd implements store.AccountLog.
func (l accountLog) AccountEnd(ctx context.Context, account string) (n int64, err error) {
	err = l.read.QueryRowContext(ctx, `SELECT coalesce(max(n), 0) FROM account_events WHERE account = ?`, account).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("look for end of account's log: %w", err)
	}
	return n, nil
}

// Epoch implements store.AccountLog. What is committed is never lost while the folder is the same.
func (l accountLog) Epoch(ctx context.Context) (int64, error) { return 1, ctx.Err() }
