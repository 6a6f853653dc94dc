package accounts

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"steno/session/store"
	"steno/session/store/valkey/server"
)

var (
	auditAddScript  = Scripts.Script("audit_add")
	auditListScript = Scripts.Script("audit_list")
)

// auditAtOnce bounds the entries that one script adds.
const auditAtOnce = 200

// AddAudit implements store.Audit.
func (a Accounts) AddAudit(ctx context.Context, list []store.AuditEntry, b store.AuditBounds) error {
	for some := range slices.Chunk(list, auditAtOnce) {
		args := []string{server.Milliseconds(b.Keep), server.Decimal(b.Most)}
		for _, e := range some {
			args = append(args, server.Millis(e.At), e.Account, e.Action, string(e.Body))
		}
		if _, err := a.writer.Run(ctx, auditAddScript, args...); err != nil {
			return fmt.Errorf("add to audit log: %w", err)
		}
	}
	return nil
}

// auditLooks bounds the scripts that one list runs: what is rare is looked for over several calls.
const auditLooks = 25

// AuditEntries implements store.Audit.
func (a Accounts) AuditEntries(ctx context.Context, q store.AuditQuery) (list []store.AuditEntry, next int64,
	err error) {
	err, next = q.Check(), q.Before
	for look := 0; err == nil && len(list) < q.Limit; look++ {
		var m []string
		m, err = a.look(ctx, q, next, q.Limit-len(list))
		if err != nil {
			break
		}
		n := server.Numbers{Fields: map[string]string{"next": m[0]}}
		next = n.Integer("next")
		for e := range slices.Chunk(m[1:], 5) {
			n.Fields = map[string]string{"number": e[0], "at": e[1]}
			list = append(list, store.AuditEntry{Number: n.Integer("number"), At: time.UnixMilli(n.Integer("at")).UTC(),
				Account: e[2], Action: e[3], Body: []byte(e[4])})
		}
		if err = n.Err; next == 0 || look == auditLooks {
			break
		}
	}
	if err != nil {
		return nil, 0, fmt.Errorf("read audit log: %w", err)
	}
	return list, next, nil
}

// look runs the script that lists entries.
func (a Accounts) look(ctx context.Context, q store.AuditQuery, before int64, most int) ([]string, error) {
	m, err := a.server.Look(ctx, auditListScript, q.Account, q.Action, server.Decimal(max(0, q.Since.UnixMilli())),
		server.Decimal(before), strconv.Itoa(most))
	if err != nil {
		return nil, err
	}
	answer, err := m.AsStrSlice()
	if err == nil && len(answer)%5 != 1 {
		err = fmt.Errorf("answer has %d parts", len(answer))
	}
	return answer, err
}
