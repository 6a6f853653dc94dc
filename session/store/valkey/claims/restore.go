package claims

import (
	"context"
	"fmt"

	"steno/session/store"
	"steno/session/store/valkey/server"
)

var sessionRestore = Scripts.Script("session_restore", "record", "session", "claim")

// restore writes to a server that has lost its data: record, claim and manifest in one call,
// everything else by the commits that follow.
func (f *flusher) restore(ctx context.Context) error {
	f.mu.Lock()
	a := &f.accepted
	f.version++
	args := append(f.claimArgs(), f.room.node, server.Flag(f.seized), server.Milliseconds(f.room.lease),
		server.Milliseconds(f.room.window), server.Decimal(f.version),
		server.Decimal(a.journal.Start), server.Decimal(a.base()), f.record["losses"],
		server.Decimal(int64(len(a.segments))))
	for _, s := range a.segments {
		args = append(args, s.String())
	}
	args = append(args, server.Decimal(int64(len(a.pages))))
	for _, s := range a.pages {
		args = append(args, s.String())
	}
	f.restored++
	f.mu.Unlock()
	if err := f.room.records.Restore(ctx, f.id, f.record); err != nil {
		return err
	}
	m, err := f.room.writer.Run(ctx, sessionRestore, args...)
	if err != nil {
		return err
	}
	n, err := m.AsIntSlice()
	if err != nil || len(n) != 3 {
		return fmt.Errorf("%w: answer to a restoration: %w", store.ErrAway, err)
	}
	f.answered = f.version
	f.mu.Lock()
	defer f.mu.Unlock()
	a.rollBack(n[0], n[1])
	f.raiseLocked(wantNow)
	return nil
}
