package store

import (
	"context"
	"fmt"
	"time"
)

// AuditEntry is a line of the audit log.
type AuditEntry struct {
	// Number is the store's: entries that are added later have higher ones.
	Number  int64
	At      time.Time // UTC, cut to milliseconds
	Account string    // may be empty
	Action  string
	Body    []byte // the rest
}

// AuditBounds are how long entries are kept, and how many.
type AuditBounds struct {
	Keep time.Duration
	Most int64
}

// AuditQuery asks for entries.
type AuditQuery struct {
	Account, Action string    // empty: any
	Since           time.Time // those before are left out
	Before          int64     // only lower numbers; 0: from the newest on
	Limit           int       // 1 to MaxAudit
}

// MaxAudit bounds the entries that are added, or listed, with one call.
const MaxAudit = 1000

// Check returns ErrInvalid for a question that has no answer.
func (q AuditQuery) Check() error {
	if q.Limit < 1 || q.Limit > MaxAudit || q.Before < 0 {
		return fmt.Errorf("limit or number: %w", ErrInvalid)
	}
	return nil
}

// Audit keeps the audit log.
type Audit interface {
	// AddAudit adds entries, and forgets what is beyond the bounds, or soon beyond.
	AddAudit(ctx context.Context, list []AuditEntry, b AuditBounds) error
	// AuditEntries lists entries, newest first. next is Before of what follows, 0 where there is
	// nothing more; fewer than Limit may come before that.
	AuditEntries(ctx context.Context, q AuditQuery) (list []AuditEntry, next int64, err error)
}
