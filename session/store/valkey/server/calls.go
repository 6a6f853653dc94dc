package server

import (
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/valkey-io/valkey-go"

	"steno/session/retry"
	"steno/session/store"
)

// NewNumber returns a number for a call, a lease or a claim: random, so that no two are equal even
// where a server lost what it had last given out.
func NewNumber() string { return strconv.FormatInt(1+rand.Int64N(1<<62), 10) }

// patience bounds how long the end of a lease or a claim is retried while the server is away, where
// the context has no deadline.
const patience = 30 * time.Second

// Insist calls f, which must be idempotent, again and again while the server is away and the
// context lasts. Errors: those of f.
func Insist(ctx context.Context, f func() error) error {
	patient := ctx
	if _, ends := ctx.Deadline(); !ends {
		var cancel context.CancelFunc
		patient, cancel = context.WithTimeout(ctx, patience)
		defer cancel()
	}
	return retried(patient, math.MaxInt, 20*time.Millisecond, isAway, f)
}

// retried calls f, which must be idempotent, up to most times while its error is a passing one and
// the context lasts. The pause after the first failure is doubled with each further one, up to a
// second. Errors: those of f.
func retried(ctx context.Context, most int, first time.Duration, passing func(error) bool, f func() error) error {
	pause := retry.Backoff{First: first, Longest: time.Second}
	for try := 1; ; try++ {
		err := f()
		if try == most || !passing(err) || retry.Sleep(ctx, pause.Next()) != nil {
			return err
		}
	}
}

func isAway(err error) bool { return errors.Is(err, store.ErrAway) }

// reconnect calls ask, which must change nothing, up to maxTries times while the connection that it
// uses ends before the answer comes. That a server, or what is on the way to it, has closed a
// connection is often seen only when it is used; that a server does not answer or cannot be
// connected to is the caller's to wait for. Errors: those of ask.
func reconnect(ctx context.Context, ask func() error) error {
	return retried(ctx, maxTries, 10*time.Millisecond, connectionEnded, ask)
}

// send has a command built and sent, again where the context of another call has ended. Calls share
// connections, and the client library makes one with the context of the call that needs it first:
// when that context ends, those fail that wait for the same connection, too. They have sent
// nothing.
func send(ctx context.Context, attempt func() (valkey.ValkeyMessage, error)) (valkey.ValkeyMessage, error) {
	for {
		m, err := attempt()
		if !errors.Is(err, context.Canceled) || ctx.Err() != nil {
			return m, err
		}
	}
}

// connectionEnded reports whether an error means that an established connection has ended.
func connectionEnded(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) || errors.Is(err, syscall.ECONNRESET) ||
		errors.Is(err, syscall.EPIPE)
}

// again is the last argument of a script that was run before with the same number.
const again = "again"

// Doubts are the numbers of calls that were begun and whose end is not known: the server may have
// carried them out. The next call of a kind takes over such a number, and gets the result of that
// call.
type Doubts struct {
	mu      sync.Mutex
	numbers map[string][]string // by kind
}

// maxDoubts bounds the numbers that are remembered of a kind. What a forgotten one has got is free
// when its lease runs out.
const maxDoubts = 256

// Call runs f with a number, and with "again" for one that was in doubt.
func (d *Doubts) Call(kind string, f func(number, again string) error) error {
	number, repeated := d.take(kind)
	err := f(number, repeated)
	if err != nil && (errors.Is(err, store.ErrAway) || errors.Is(err, context.Canceled) ||
		errors.Is(err, context.DeadlineExceeded)) {
		d.put(kind, number)
	}
	return err
}

func (d *Doubts) take(kind string) (number, repeated string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	list := d.numbers[kind]
	if len(list) == 0 {
		return NewNumber(), ""
	}
	d.numbers[kind] = list[1:]
	return list[0], again
}

func (d *Doubts) put(kind, number string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.numbers == nil {
		d.numbers = map[string][]string{}
	}
	if list := d.numbers[kind]; len(list) < maxDoubts {
		d.numbers[kind] = append(list, number)
	}
}

// maxTries is how often an idempotent script is run where the server does not answer.
const maxTries = 3

// MaxRows bounds the rows that one script reads.
const MaxRows = 200
