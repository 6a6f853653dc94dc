package embedded

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"steno/session/store"
)

// auditLog implements store.Audit.
type auditLog struct{ *database }

// AddAudit implements store.Audit.
func (a auditLog) AddAudit(ctx context.Context, list []store.AuditEntry, b store.AuditBounds) error {
	err := a.inTx(ctx, func(tx *sql.Tx) error {
		for _, e := range list {
			if _, err := tx.ExecContext(ctx, `INSERT INTO audit (at, account, action, body) VALUES (?, ?, ?, ?)`,
				e.At.UnixMilli(), e.Account, e.Action, notNull(e.Body)); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM audit WHERE at < ?`, a.now().Add(-b.Keep).UnixMilli())
		if err == nil {
			_, err = tx.ExecContext(ctx, `DELETE FROM audit WHERE n <= (SELECT max(n) FROM audit) - ?`, b.Most)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("add to audit log: %w", err)
	}
	return nil
}

// AuditEntries implements store.Audit.
func (a auditLog) AuditEntries(ctx context.Context, q store.AuditQuery) (list []store.AuditEntry, next int64,
	err error) {
	if err := q.Check(); err != nil {
		return nil, 0, fmt.Errorf("read audit log: %w", err)
	}
	where, args := `at >= ?`, []any{q.Since.UnixMilli()}
	for column, value := range map[string]string{"account": q.Account, "action": q.Action} {
		if value != "" {
			where, args = where+` AND `+column+` = ?`, append(args, value)
		}
	}
	if q.Before > 0 {
		where, args = where+` AND n < ?`, append(args, q.Before)
	}
	rows, err := a.read.QueryContext(ctx, `SELECT n, at, account, action, body FROM audit WHERE `+where+
		` ORDER BY n DESC LIMIT ?`, append(args, q.Limit)...)
	list, err = collect(rows, err, "read audit log", func(scan scanner) (e store.AuditEntry, err error) {
		var at int64
		err = scan(&e.Number, &at, &e.Account, &e.Action, &e.Body)
		e.At = time.UnixMilli(at).UTC()
		return e, err
	})
	if len(list) == q.Limit {
		next = list[len(list)-1].Number
	}
	return list, next, err
}
