package seal

import (
	"context"
	"errors"

	"steno/session/store"
)

// auditAccount has the data keys of the audit log. No account has a name like it, so the log stays
// readable when an account's keys are forgotten.
const auditAccount = ":audit"

func auditAbout(e *store.AuditEntry) string {
	return "audit\x00" + e.Account + "\x00" + e.Action + "\x00" + e.At.UTC().Format("20060102150405.000")
}

// AddAudit implements store.Audit.
func (s *Store) AddAudit(ctx context.Context, list []store.AuditEntry, b store.AuditBounds) (err error) {
	sealed := make([]store.AuditEntry, len(list))
	for i, e := range list {
		if e.Body, err = s.ring.Seal(ctx, auditAccount, auditAbout(&e), e.Body); err != nil {
			return err
		}
		sealed[i] = e
	}
	return s.Inner.AddAudit(ctx, sealed, b)
}

// AuditEntries implements store.Audit. Entries that were changed have no body.
func (s *Store) AuditEntries(ctx context.Context, q store.AuditQuery) ([]store.AuditEntry, int64, error) {
	list, next, err := s.Inner.AuditEntries(ctx, q)
	for i := range list {
		e := &list[i]
		body, failed := s.ring.Open(ctx, auditAccount, auditAbout(e), e.Body)
		if failed != nil && !errors.Is(failed, store.ErrDamaged) && !errors.Is(failed, store.ErrErased) {
			return nil, 0, failed
		}
		e.Body = body
	}
	return list, next, err
}
