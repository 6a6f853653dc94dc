package claims

import (
	"context"
	"errors"

	"steno/session/store"
	"steno/session/store/valkey/server"
)

var sessionWhole = Scripts.Script("session_whole", "record", "session", "claim")

// unchecked tells whether the server may be another one than that which was asked last whether it
// has everything, and is to be asked: it has been given again what it lacked. It is called with mu
// held.
func (f *flusher) unchecked() bool {
	a := &f.accepted
	return f.connections != f.room.server.Connections.Load() &&
		!a.anew && a.durable >= f.told.Boundary && a.durableSeq() >= f.told.Seq
}

// checkWhole asks the server whether it has everything that was reported durable, so that nothing
// counts as lost when another node claims the session. What the server lacks is written again.
func (f *flusher) checkWhole(ctx context.Context) error {
	connections := f.room.server.Connections.Load()
	f.mu.Lock()
	args := append(f.claimArgs(), server.Decimal(f.answered), server.Decimal(f.accepted.durable),
		server.Decimal(f.accepted.durableSeq()))
	if f.accepted.pending() {
		f.raiseLocked(wantNow)
	}
	f.mu.Unlock()
	m, err := f.room.server.Run(ctx, sessionWhole, args...)
	if err != nil {
		return err
	}
	answer, err := m.ToString()
	if err != nil {
		return errors.Join(store.ErrAway, err)
	}
	if answer == "behind" {
		return f.restore(ctx)
	}
	f.connections = connections
	return nil
}
