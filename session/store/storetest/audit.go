package storetest

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"steno/session/store"
)

// auditLog adds entries of two accounts, and reads them in pages.
func auditLog(t *testing.T, s store.Store) {
	ctx, bounds := t.Context(), store.AuditBounds{Keep: 24 * time.Hour, Most: 100_000}
	now := time.Now().UTC().Truncate(time.Millisecond)
	var all []store.AuditEntry
	for i := range 450 {
		e := store.AuditEntry{At: now.Add(time.Duration(i-450) * time.Second), Account: "acme", Action: "record.read",
			Body: fmt.Appendf(nil, `{"n":%d}`, i)}
		if i%9 == 0 {
			e.Account = "zeta"
		}
		if i%5 == 0 {
			e.Action = "record.delete"
		}
		all = append(all, e)
	}
	must(t, s.AddAudit(ctx, all[:300], bounds))
	must(t, s.AddAudit(ctx, all[300:], bounds))
	slices.Reverse(all)
	for _, q := range []store.AuditQuery{
		{}, {Account: "zeta"}, {Action: "record.delete"}, {Account: "zeta", Action: "record.delete"},
		{Account: "zeta", Since: all[100].At}, {Account: "none"},
	} {
		var want, got []store.AuditEntry
		for _, e := range all {
			if (q.Account == "" || e.Account == q.Account) && (q.Action == "" || e.Action == q.Action) &&
				!e.At.Before(q.Since) {
				want = append(want, e)
			}
		}
		for q.Limit = 70; ; {
			page, next, err := s.AuditEntries(ctx, q)
			must(t, err)
			if got = append(got, page...); next == 0 {
				break
			}
			if q.Before != 0 && next >= q.Before {
				t.Fatalf("%+v is followed by %d", q, next)
			}
			q.Before = next
		}
		if !slices.EqualFunc(got, want, func(a, b store.AuditEntry) bool {
			return a.At.Equal(b.At) && a.Account == b.Account && a.Action == b.Action && bytes.Equal(a.Body, b.Body)
		}) {
			t.Errorf("%+v finds %d entries, not %d", q, len(got), len(want))
		}
	}
	_, _, err := s.AuditEntries(ctx, store.AuditQuery{})
	wants(t, err, store.ErrInvalid)
	auditBounds(t, s, now)
}

// auditBounds adds an entry under narrower bounds: stores may forget in larger steps.
func auditBounds(t *testing.T, s store.Store, now time.Time) {
	ctx, e := t.Context(), store.AuditEntry{At: now, Account: "acme", Action: "last", Body: []byte("{}")}
	for range 3 {
		must(t, s.AddAudit(ctx, []store.AuditEntry{e}, store.AuditBounds{Keep: time.Hour, Most: 100}))
	}
	list, _, err := s.AuditEntries(ctx, store.AuditQuery{Limit: 1000})
	must(t, err)
	if len(list) < 100 || len(list) > 250 || list[0].Action != "last" {
		t.Errorf("%d entries are left", len(list))
	}
}
