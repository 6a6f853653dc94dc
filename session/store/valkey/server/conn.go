// Package server is the connection to the server of a store that all rooms of package valkey share:
// its scripts and how they are run, commands that change nothing, messages that wake those who
// wait, and what the nodes know of each other. It also has the names of all keys (keys.go) and the
// scripts that several rooms include.
//
// Every change is one Lua script, so it is made wholly or not at all, by the server's clock.
// Scripts may be run again after an error: each recognizes what it has done. All names of keys
// begin with one prefix that is a hash tag, so all of them live on one primary.
//
// One goroutine of a connection listens (wakes.run), until Close. wakes.mu guards the channels; it
// is held while listeners are called, which take claim.mu of package claims and locks of their own.
// No call to the server is made while it is held.
package server

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/valkey-io/valkey-go"

	"steno/session/store"
)

// Conn is the connection to the server that all parts of the store share.
type Conn struct {
	Client valkey.Client
	Prefix string
	now    func() time.Time // nil: the server's clock
	Here   func() time.Time // this process's clock, by which callers tell times
	Wakes  *wakes

	Connections *atomic.Int64 // made so far
	figures     *figures
	latencies   *latencies
	// when the server was found to leave syncing its append-only file to the system, in
	// milliseconds
	unsynced *atomic.Int64
}

// Close ends the subscription and the connections.
func (s *Conn) Close() {
	s.Wakes.close()
	s.Client.Close()
}

// Run runs a script with arguments, which it finds by arg(1), arg(2) and so on. Errors: those of
// the contract that the script names (see failures), store.ErrAway, the context's.
func (s *Conn) Run(ctx context.Context, script Script, args ...string) (valkey.ValkeyMessage, error) {
	defer s.latencies.since(time.Now())
	m, err := s.evaluate(ctx, script, args, func(command valkey.Completed) (valkey.ValkeyMessage, error) {
		return s.Client.Do(ctx, command).ToMessage()
	})
	if valkey.IsValkeyNil(err) {
		return m, nil
	}
	return m, Error(ctx, err)
}

// Look runs a script that changes nothing, again where the connection ended before the answer.
// Errors: those of run.
func (s *Conn) Look(ctx context.Context, script Script, args ...string) (m valkey.ValkeyMessage, err error) {
	err = reconnect(ctx, func() error {
		m, err = s.Run(ctx, script, args...)
		return err
	})
	return m, err
}

// Ask sends a command that changes nothing, again where the connection ended before the answer; the
// command is built again for each attempt. Where the server has nothing, IsNil of the message
// reports true. Errors: store.ErrAway, the context's.
func (s *Conn) Ask(
	ctx context.Context, command func(valkey.Builder) valkey.Completed,
) (m valkey.ValkeyMessage, err error) {
	err = reconnect(ctx, func() error {
		m, err = send(ctx, func() (valkey.ValkeyMessage, error) {
			return s.Client.Do(ctx, command(s.Client.B())).ToMessage()
		})
		if valkey.IsValkeyNil(err) {
			return nil
		}
		return Error(ctx, err)
	})
	return m, err
}

// Hash returns the fields of a hash, none where there is no such hash; key is without the prefix.
// Errors: those of ask.
func (s *Conn) Hash(ctx context.Context, key string) (map[string]string, error) {
	m, err := s.Ask(ctx, func(b valkey.Builder) valkey.Completed { return b.Hgetall().Key(s.Prefix + key).Build() })
	if err != nil {
		return nil, err
	}
	return m.AsStrMap()
}

// Field returns a field of a hash, as a message that is nil where there is none; key is without the
// prefix. Errors: those of ask.
func (s *Conn) Field(ctx context.Context, key, name string) (valkey.ValkeyMessage, error) {
	return s.Ask(ctx, func(b valkey.Builder) valkey.Completed {
		return b.Hget().Key(s.Prefix +
			key).Field(name).Build()
	})
}

// Exists reports whether the server has a key, given without the prefix. Errors: those of ask.
func (s *Conn) Exists(ctx context.Context, key string) (bool, error) {
	m, err := s.Ask(ctx, func(b valkey.Builder) valkey.Completed { return b.Exists().Key(s.Prefix + key).Build() })
	if err != nil {
		return false, err
	}
	n, err := m.AsInt64()
	return n > 0, err
}

// clock returns the time in milliseconds for a script to go by; empty for the server's own.
func (s *Conn) clock() string {
	if s.now == nil {
		return ""
	}
	return strconv.FormatInt(s.now().UnixMilli(), 10)
}

// Ahead returns how far a time of this process's clock is ahead, in milliseconds, below 0 for one
// that has passed. Scripts take times so, and make them times of the server's clock: those of the
// nodes may differ.
func (s *Conn) Ahead(t time.Time) string {
	return strconv.FormatInt(t.UnixMilli()-s.Here().UnixMilli(), 10)
}

var pingScript = Scripts.Script("ping")

// Ping writes to the server and reads from it. Errors: store.ErrAway, the context's.
func (s *Conn) Ping(ctx context.Context) error {
	if _, err := s.Run(ctx, pingScript); err != nil {
		return fmt.Errorf("write to valkey: %w", err)
	}
	return nil
}

// evaluate has a command executed that runs a script by its name, and another with its text where
// the server does not know it.
func (s *Conn) evaluate(
	ctx context.Context, script Script, args []string, exec func(valkey.Completed) (valkey.ValkeyMessage, error),
) (valkey.ValkeyMessage, error) {
	all := append(append(make([]string, 0, 1+len(args)), s.clock()), args...)
	text, sha := script()
	m, err := send(ctx, func() (valkey.ValkeyMessage, error) {
		return exec(s.Client.B().Evalsha().Sha1(sha).Numkeys(1).Key(s.Prefix).Arg(all...).Build())
	})
	if answer, ok := valkey.IsValkeyErr(err); ok && strings.HasPrefix(answer.Error(), "NOSCRIPT") {
		m, err = send(ctx, func() (valkey.ValkeyMessage, error) {
			return exec(s.Client.B().Eval().Script(text).Numkeys(1).Key(s.Prefix).Arg(all...).Build())
		})
	}
	return m, err
}

// Insist runs a script that is idempotent, again and again while the server is away and the context
// lasts. Errors: those of run.
func (s *Conn) Insist(ctx context.Context, script Script, args ...string) error {
	return Insist(ctx, func() error {
		_, err := s.Run(ctx, script, args...)
		return err
	})
}

// Figures returns what the server reported of its state in the last 15 s; it is asked where that is
// longer ago. Errors: store.ErrAway, which is remembered as long.
func (s *Conn) Figures(ctx context.Context) (Figures, error) { return s.figures.get(ctx, s.Client) }

// Latencies returns how many scripts took no longer than each of LatencyBounds, from the call to
// its answer, waiting for what the tier of durability promises included; how many there were; and
// how long all took together.
func (s *Conn) Latencies() (upTo [len(LatencyBounds)]uint64, all uint64, took time.Duration) {
	return s.latencies.counts()
}

// Wait returns when the script, which answers milliseconds from now or nothing for not known, has
// answered 0. It runs it again with each message of the channel. While the server is away it waits.
// Errors: the context's.
func (s *Conn) Wait(ctx context.Context, name string, script Script, args ...string) error {
	key := name + " " + strings.Join(args, " ")
	return s.Wakes.wait(ctx, name, key, func(ctx context.Context) (time.Duration, error) {
		return s.pause(ctx, script, args...)
	})
}

// pause runs a script that answers milliseconds, or nothing for recheck.
func (s *Conn) pause(ctx context.Context, script Script, args ...string) (time.Duration, error) {
	m, err := s.Run(ctx, script, args...)
	if err != nil || m.IsNil() {
		return recheck, err
	}
	millis, err := m.AsInt64()
	if err != nil {
		return 0, fmt.Errorf("%w: %w", store.ErrAway, err)
	}
	return time.Duration(millis) * time.Millisecond, nil
}
