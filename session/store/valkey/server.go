package valkey

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

// server is the connection to the server that all parts of the store share.
type server struct {
	client valkey.Client
	prefix string
	now    func() time.Time // nil: the server's clock
	here   func() time.Time // this process's clock, by which callers tell times
	wakes  *wakes

	connections *atomic.Int64 // made so far
	figures     *figures
	latencies   *latencies
	unsynced    *atomic.Int64 // when the server was found to leave syncing its append-only file to the system, in milliseconds
}

// close ends the subscription and the connections.
func (s *server) close() {
	s.wakes.close()
	s.client.Close()
}

// run runs a script with arguments, which it finds by arg(1), arg(2) and so on. Errors: those of the contract that the
// script names (see failures), store.ErrAway, the context's.
func (s *server) run(ctx context.Context, script Script, args ...string) (valkey.ValkeyMessage, error) {
	defer s.latencies.since(time.Now())
	m, err := s.evaluate(script, args, func(command valkey.Completed) (valkey.ValkeyMessage, error) {
		return s.client.Do(ctx, command).ToMessage()
	})
	if valkey.IsValkeyNil(err) {
		return m, nil
	}
	return m, serverError(ctx, err)
}

// look runs a script that changes nothing, again where the connection ended before the answer. Errors: those of run.
func (s *server) look(ctx context.Context, script Script, args ...string) (m valkey.ValkeyMessage, err error) {
	err = reconnect(ctx, func() error {
		m, err = s.run(ctx, script, args...)
		return err
	})
	return m, err
}

// ask sends a command that changes nothing, again where the connection ended before the answer; the command is built anew for each
// time. Where the server has nothing, IsNil of the message reports true. Errors: store.ErrAway, the context's.
func (s *server) ask(ctx context.Context, command func(valkey.Builder) valkey.Completed) (m valkey.ValkeyMessage, err error) {
	err = reconnect(ctx, func() error {
		m, err = s.client.Do(ctx, command(s.client.B())).ToMessage()
		if valkey.IsValkeyNil(err) {
			return nil
		}
		return serverError(ctx, err)
	})
	return m, err
}

// hash returns the fields of a hash, none where there is no such hash; key is without the prefix. Errors: those of ask.
func (s *server) hash(ctx context.Context, key string) (map[string]string, error) {
	m, err := s.ask(ctx, func(b valkey.Builder) valkey.Completed { return b.Hgetall().Key(s.prefix + key).Build() })
	if err != nil {
		return nil, err
	}
	return m.AsStrMap()
}

// field returns a field of a hash, as a message that is nil where there is none; key is without the prefix. Errors: those of ask.
func (s *server) field(ctx context.Context, key, name string) (valkey.ValkeyMessage, error) {
	return s.ask(ctx, func(b valkey.Builder) valkey.Completed { return b.Hget().Key(s.prefix + key).Field(name).Build() })
}

// exists reports whether the server has a key, given without the prefix. Errors: those of ask.
func (s *server) exists(ctx context.Context, key string) (bool, error) {
	m, err := s.ask(ctx, func(b valkey.Builder) valkey.Completed { return b.Exists().Key(s.prefix + key).Build() })
	if err != nil {
		return false, err
	}
	n, err := m.AsInt64()
	return n > 0, err
}

// clock returns the time in milliseconds for a script to go by; empty for the server's own.
func (s *server) clock() string {
	if s.now == nil {
		return ""
	}
	return strconv.FormatInt(s.now().UnixMilli(), 10)
}

// ahead returns how far a time of this process's clock is ahead, in milliseconds, below 0 for one that has passed. Scripts take times
// so, and make them times of the server's clock: those of the nodes may differ.
func (s *server) ahead(t time.Time) string {
	return strconv.FormatInt(t.UnixMilli()-s.here().UnixMilli(), 10)
}

// failures are the errors that scripts return, by the word after "STENO".
var failures = map[string]error{
	"NOTFOUND":    store.ErrNotFound,
	"EXISTS":      store.ErrExists,
	"NOTFINISHED": store.ErrNotFinished,
	"FINISHED":    store.ErrFinished,
	"TOOLARGE":    store.ErrTooLarge,
	"INVALID":     store.ErrInvalid,
	"LOST":        store.ErrLost,
	"TAKEN":       store.ErrTaken,
	"USED":        store.ErrUsed,
	"SENT":        store.ErrSent,
	"AWAY":        store.ErrAway,
}

// refusals are the first words of answers by which the server says that it cannot serve now, though it is there.
var refusals = []string{
	"OOM", "READONLY", "LOADING", "BUSY", "MASTERDOWN", "NOREPLICAS", "MISCONF", "CLUSTERDOWN", "TRYAGAIN", "UNKILLABLE",
}

// serverError makes an error of the contract of one of the client library. nil stays nil.
func serverError(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if cause := ctx.Err(); cause != nil {
		return cause
	}
	answer, ok := valkey.IsValkeyErr(err)
	if !ok {
		return fmt.Errorf("%w: %w", store.ErrAway, err)
	}
	word, rest, _ := strings.Cut(answer.Error(), " ")
	if word == "STENO" {
		failure, detail, _ := strings.Cut(rest, " ")
		if failure == "CLAIMED" {
			return store.ClaimedError{Holder: detail}
		}
		if err, ok := failures[failure]; ok {
			return err
		}
	}
	for _, refusal := range refusals {
		if word == refusal || strings.HasPrefix(answer.Error(), "-"+refusal) {
			return fmt.Errorf("%w: %w", store.ErrAway, err)
		}
	}
	return err
}

var pingScript = Scripts.Script("ping")

// Ping writes to the server and reads from it. Errors: store.ErrAway, the context's.
func (s *server) Ping(ctx context.Context) error {
	if _, err := s.run(ctx, pingScript); err != nil {
		return fmt.Errorf("write to valkey: %w", err)
	}
	return nil
}
