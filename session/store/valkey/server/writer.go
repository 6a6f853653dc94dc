package server

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/valkey-io/valkey-go"

	"steno/session/store"
)

// durableWait bounds the wait for a replica or the disk.
const durableWait = time.Second

// Writer runs scripts and waits until what they have changed is as durable as the store promises.
type Writer struct {
	*Conn
	durability Durability
}

func NewWriter(s *Conn, d Durability) Writer { return Writer{s, d} }

// Waits reports whether a change is waited for.
func (w Writer) Waits() bool { return w.durability != DurableProcess }

// Run runs a script as server.run does. Where a replica or the disk does not have the change in
// time it answers ErrAway: what is run again must write again.
func (w Writer) Run(ctx context.Context, script Script, args ...string) (valkey.ValkeyMessage, error) {
	defer w.latencies.since(time.Now())
	m, err := w.evaluate(ctx, script, args, func(command valkey.Completed) (valkey.ValkeyMessage, error) {
		return w.exec(ctx, command)
	})
	if valkey.IsValkeyNil(err) {
		return m, nil
	}
	return m, Error(ctx, err)
}

// exec sends a command, and what waits for its change with it: the server counts for the connection
// that has written.
func (w Writer) exec(ctx context.Context, command valkey.Completed) (valkey.ValkeyMessage, error) {
	var wait valkey.Completed
	switch w.durability {
	case DurableReplica:
		wait = w.Client.B().Wait().Numreplicas(1).Timeout(durableWait.Milliseconds()).Build()
	case DurableDisk:
		wait = w.Client.B().Waitaof().Numlocal(1).Numreplicas(0).Timeout(durableWait.Milliseconds()).Build()
	default:
		return w.Client.Do(ctx, command).ToMessage()
	}
	answers := w.Client.DoMulti(ctx, command, wait)
	m, err := answers[0].ToMessage()
	if err != nil && !valkey.IsValkeyNil(err) {
		return m, err
	}
	return m, enough(answers[1])
}

// enough returns nil if the answer to a wait confirms a copy. Errors: store.ErrAway.
func enough(answer valkey.ValkeyResult) error {
	if count, err := durableCopies(answer); err != nil || count < 1 {
		return fmt.Errorf("%w: the change is not durable: %w", store.ErrAway, err)
	}
	return nil
}

// durableCopies returns how many copies the answer to a wait confirms.
func durableCopies(answer valkey.ValkeyResult) (int64, error) {
	m, err := answer.ToMessage()
	if err != nil {
		return 0, err
	}
	if m.IsArray() {
		counts, err := m.AsIntSlice()
		if err != nil || len(counts) == 0 {
			return 0, err
		}
		return counts[0], nil
	}
	return m.AsInt64()
}

// Check refuses a tier that the server does not have.
func (w Writer) Check(ctx context.Context) error {
	if w.durability != DurableDisk {
		return nil
	}
	err := w.Client.Do(ctx, w.Client.B().Waitaof().Numlocal(1).Numreplicas(0).Timeout(1).Build()).Error()
	if answer, ok := valkey.IsValkeyErr(err); ok && strings.Contains(answer.Error(), "unknown command") {
		return fmt.Errorf("durability %q needs Valkey, or Redis from 7.2: %w", DurableDisk, answer)
	}
	if answer, ok := valkey.IsValkeyErr(err); ok && strings.Contains(answer.Error(), "appendonly") {
		return fmt.Errorf("durability %q needs a server with appendonly yes: %w", DurableDisk, answer)
	}
	if err != nil {
		return Error(ctx, err)
	}
	mode, _, err := w.appendSync(ctx)
	if err == nil && mode == "no" {
		err = fmt.Errorf("durability %q needs a server with appendfsync everysec or always: it never says that it "+
			"has synced", DurableDisk)
	}
	return err
}

// Persist runs an idempotent script, again where the server did not answer: connections may have to
// be made again.
func (w Writer) Persist(ctx context.Context, script Script, args ...string) error {
	return retried(ctx, maxTries, 100*time.Millisecond, isAway, func() error {
		_, err := w.Run(ctx, script, args...)
		return err
	})
}

// Durability is what the server has done with a change before it counts as durable.
type Durability string

// The durability tiers.
const (
	// DurableProcess survives the death of every gateway. A machine or server that dies may lose
	// the last seconds.
	DurableProcess Durability = "process"
	// DurableDisk survives the death of the server: the change is in its append-only file, synced.
	// It needs Valkey, or Redis from 7.2, with appendonly.
	DurableDisk Durability = "disk"
	// DurableReplica survives the loss of the server's machine: a replica has the change.
	DurableReplica Durability = "replica"
)
