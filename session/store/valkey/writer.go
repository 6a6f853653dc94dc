package valkey

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/valkey-io/valkey-go"

	"steno/session/store"
)

// durableWait bounds the wait for a replica or the disk.
const durableWait = time.Second

// durableScript is a script whose changes a writer waits for. It returns the text, and the name that servers have for it.
type durableScript func() (text, sha string)

func newDurableScript(name string, includes ...string) durableScript {
	return sync.OnceValues(func() (text, sha string) {
		text = scriptSource(name, includes...)
		sum := sha1.Sum([]byte(text))
		return text, hex.EncodeToString(sum[:])
	})
}

// writer runs scripts and waits until what they have changed is as durable as the store promises.
type writer struct {
	*server
	durability Durability
}

// run runs a script as server.run does. Where a replica or the disk does not have the change in time it answers ErrAway: what
// is run again must write again.
func (w writer) run(ctx context.Context, script durableScript, args ...string) (valkey.ValkeyMessage, error) {
	defer w.latencies.since(time.Now())
	m, err := w.evaluate(script, args, func(command valkey.Completed) (valkey.ValkeyMessage, error) { return w.exec(ctx, command) })
	if valkey.IsValkeyNil(err) {
		return m, nil
	}
	return m, serverError(ctx, err)
}

// evaluate has a command executed that runs a script by its name, and another with its text where the server does not know it.
func (w writer) evaluate(
	script durableScript, args []string, exec func(valkey.Completed) (valkey.ValkeyMessage, error),
) (valkey.ValkeyMessage, error) {
	all := append(append(make([]string, 0, 1+len(args)), w.clock()), args...)
	text, sha := script()
	m, err := exec(w.client.B().Evalsha().Sha1(sha).Numkeys(1).Key(w.prefix).Arg(all...).Build())
	if answer, ok := valkey.IsValkeyErr(err); ok && strings.HasPrefix(answer.Error(), "NOSCRIPT") {
		m, err = exec(w.client.B().Eval().Script(text).Numkeys(1).Key(w.prefix).Arg(all...).Build())
	}
	return m, err
}

// exec sends a command, and what waits for its change with it: the server counts for the connection that has written.
func (w writer) exec(ctx context.Context, command valkey.Completed) (valkey.ValkeyMessage, error) {
	var wait valkey.Completed
	switch w.durability {
	case DurableReplica:
		wait = w.client.B().Wait().Numreplicas(1).Timeout(durableWait.Milliseconds()).Build()
	case DurableDisk:
		wait = w.client.B().Waitaof().Numlocal(1).Numreplicas(0).Timeout(durableWait.Milliseconds()).Build()
	default:
		return w.client.Do(ctx, command).ToMessage()
	}
	answers := w.client.DoMulti(ctx, command, wait)
	m, err := answers[0].ToMessage()
	if err != nil && !valkey.IsValkeyNil(err) {
		return m, err
	}
	return m, enough(answers[1])
}

// enough returns nil if the answer to a wait tells of a copy. Errors: store.ErrAway.
func enough(answer valkey.ValkeyResult) error {
	if count, err := durableCopies(answer); err != nil || count < 1 {
		return fmt.Errorf("%w: the change is not durable: %w", store.ErrAway, err)
	}
	return nil
}

// durableCopies is how many copies the answer to a wait tells of.
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

// check refuses a tier that the server does not have.
func (w writer) check(ctx context.Context) error {
	if w.durability != DurableDisk {
		return nil
	}
	err := w.client.Do(ctx, w.client.B().Waitaof().Numlocal(1).Numreplicas(0).Timeout(1).Build()).Error()
	if answer, ok := valkey.IsValkeyErr(err); ok && strings.Contains(answer.Error(), "unknown command") {
		return fmt.Errorf("durability %q needs Valkey, or Redis from 7.2: %w", DurableDisk, answer)
	}
	if answer, ok := valkey.IsValkeyErr(err); ok && strings.Contains(answer.Error(), "appendonly") {
		return fmt.Errorf("durability %q needs a server with appendonly yes: %w", DurableDisk, answer)
	}
	if err != nil {
		return serverError(ctx, err)
	}
	mode, _, err := w.appendSync(ctx)
	if err == nil && mode == "no" {
		err = fmt.Errorf("durability %q needs a server with appendfsync everysec or always: it never says that it has synced", DurableDisk)
	}
	return err
}

// ms is a duration as scripts have it.
func ms(d time.Duration) string { return decimal(d.Milliseconds()) }

func decimal(n int64) string { return strconv.FormatInt(n, 10) }
