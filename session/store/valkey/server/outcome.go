package server

import (
	"context"
	"fmt"
	"time"

	"github.com/valkey-io/valkey-go"

	"steno/session/store"
)

const (
	// syncWait is how long an outcome waits, after durableWait, until the server has synced its
	// append-only file: longer than the sync that is under way and the one that has the outcome
	// take on a slow disk.
	syncWait = 5 * time.Second
	// neverSynced is for how long a server that leaves syncing to the system is not waited for
	// again.
	neverSynced = time.Minute
)

// RunOutcome runs a script that keeps an outcome. Beyond what the tier promises it waits until the
// server has synced its append-only file, where it keeps one, and for a moment until a replica has
// it, where it has any: a server that is killed with appendfsync everysec may lack its last two
// seconds, a replica that is promoted what had not reached it, and what was reported as finished
// must not finish again. The script is run again where that takes long, and what is run again must
// write again. Errors: those of run.
func (w Writer) RunOutcome(ctx context.Context, script Script, args ...string) (valkey.ValkeyMessage, error) {
	if w.durability == DurableDisk || time.Since(time.UnixMilli(w.unsynced.Load())) < neverSynced {
		return w.Run(ctx, script, args...)
	}
	m, synced, err := w.runSynced(ctx, durableWait, script, args...)
	if err != nil || synced {
		return m, err
	}
	mode, hidden, err := w.appendSync(ctx)
	if err == nil && mode == "no" {
		w.unsynced.Store(time.Now().UnixMilli())
		return m, nil
	}
	if err == nil {
		m, synced, err = w.runSynced(ctx, syncWait, script, args...)
	}
	if err == nil && !synced && !hidden {
		err = fmt.Errorf("%w: the append-only file is not synced", store.ErrAway)
	}
	return m, err
}

// runSynced runs a script, and waits until what it has written is as durable as the tier promises,
// and for some time until it is in the append-only file, synced. It is, as far as it goes, where
// the server has no such file, or does not allow to wait for it.
func (w Writer) runSynced(
	ctx context.Context, limit time.Duration, script Script, args ...string,
) (m valkey.ValkeyMessage, synced bool, err error) {
	facts, _ := w.Figures(ctx) // of a server that is away the call tells
	replicas := facts.Replicas > 0
	m, err = w.evaluate(ctx, script, args, func(command valkey.Completed) (valkey.ValkeyMessage, error) {
		all := []valkey.Completed{command}
		if w.durability == DurableReplica || replicas {
			all = append(all, w.Client.B().Wait().Numreplicas(1).Timeout(durableWait.Milliseconds()).Build())
		}
		all = append(all, w.Client.B().Waitaof().Numlocal(1).Numreplicas(0).Timeout(limit.Milliseconds()).Build())
		answers := w.Client.DoMulti(ctx, all...)
		m, err := answers[0].ToMessage()
		if err != nil && !valkey.IsValkeyNil(err) {
			return m, err
		}
		if w.durability == DurableReplica {
			if err := enough(answers[1]); err != nil {
				return m, err
			}
		}
		synced, err = isSynced(answers[len(answers)-1])
		return m, err
	})
	if err != nil && !valkey.IsValkeyNil(err) {
		err = Error(ctx, err)
	} else {
		err = nil
	}
	return m, synced, err
}

// isSynced reads the answer to a wait for the append-only file. One that is refused is as good as
// another.
func isSynced(answer valkey.ValkeyResult) (bool, error) {
	copies, err := durableCopies(answer)
	if _, refused := valkey.IsValkeyErr(err); refused {
		return true, nil
	}
	return copies > 0, err
}

// appendSync returns the setting appendfsync; hidden where the server does not tell it.
func (s *Conn) appendSync(ctx context.Context) (mode string, hidden bool, err error) {
	settings, err := s.Client.Do(ctx, s.Client.B().ConfigGet().Parameter("appendfsync").Build()).AsStrMap()
	if _, refused := valkey.IsValkeyErr(err); refused {
		return "", true, nil
	}
	return settings["appendfsync"], settings["appendfsync"] == "", Error(ctx, err)
}
