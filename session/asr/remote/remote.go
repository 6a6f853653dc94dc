// Package remote is what the clients of other parties' recognition servers have in common: how many
// utterances ask a server at a time, in which order, how often and how long one tries, when a
// server that fails is left alone, and how languages and vocabularies are put into words.
package remote

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"steno/session/asr"
	"steno/session/retry"
	"steno/session/semaphore"
)

var (
	// ErrClosed is the error of utterances of a closed recognizer.
	ErrClosed = fmt.Errorf("%w: closed", asr.ErrUnavailable)

	// ErrBudget is the cause by which an utterance's time to its final ends.
	ErrBudget = fmt.Errorf("%w: no final in time", asr.ErrUnavailable)
)

// MinSamples is the shortest audio that a server is asked about: 100 ms. Servers refuse less, and
// there is no word in it: its final is empty.
const MinSamples = asr.Rate / 10

// Limits bound what a recognizer asks of its server. Zero values take the defaults.
type Limits struct {
	Concurrency int           // utterances at a time, live speech before recordings, parties in turn; default 4
	Queue       int           // utterances that wait for their turn; default 1024
	Attempts    int           // for one utterance, at most; default 3
	Timeout     time.Duration // of one answer; default 30 s
	// Budget bounds the time from an utterance's end to its final, queueing included; default 2
	// min. Recordings, which queue after all live speech, get five times as much.
	Budget time.Duration
	// MinBackoff is the time before the second attempt, doubled for each further one, and the first
	// time for which Open refuses; default 500 ms.
	MinBackoff time.Duration
	// MaxBackoff is the longest time for which Open refuses, and before the next attempt; default
	// 30 s.
	MaxBackoff time.Duration
}

// SetDefaults replaces zero values.
func (l *Limits) SetDefaults() {
	for value, otherwise := range map[*time.Duration]time.Duration{
		&l.Timeout: 30 * time.Second, &l.Budget: 2 * time.Minute,
		&l.MinBackoff: 500 * time.Millisecond, &l.MaxBackoff: 30 * time.Second,
	} {
		if *value <= 0 {
			*value = otherwise
		}
	}
	for value, otherwise := range map[*int]int{&l.Concurrency: 4, &l.Queue: 1024, &l.Attempts: 3} {
		if *value <= 0 {
			*value = otherwise
		}
	}
}

// BudgetOf returns the budget of an utterance.
func (l *Limits) BudgetOf(p asr.Priority) time.Duration {
	if p == asr.Replay {
		return 5 * l.Budget
	}
	return l.Budget
}

// Utterance is what a [Server] knows of an utterance: its identity is that of the value.
type Utterance struct {
	Context context.Context // given to Open
	Params  asr.Params
	Ended   func() bool // reports whether its last sample is written
}

// Server is a recognizer's view of its server. Any goroutine may call its methods.
type Server struct {
	Limits  Limits
	Slots   *semaphore.Semaphore // its lines are priorities; parties take turns
	Circuit Circuit

	lifetime context.Context // ends with Close
	stop     context.CancelFunc
	mu       sync.Mutex
	closed   bool
	tasks    sync.WaitGroup // started under mu while not closed
}

// New returns the view of a server. The caller must close it.
func New(l Limits) *Server {
	l.SetDefaults()
	s := &Server{
		Limits: l, Slots: semaphore.New(int64(l.Concurrency), 0, l.Queue),
		Circuit: Circuit{min: l.MinBackoff, max: l.MaxBackoff},
	}
	s.lifetime, s.stop = context.WithCancel(context.Background())
	return s
}

// Close ends the lifetime and waits for all tasks.
func (s *Server) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.stop()
	s.tasks.Wait()
}

// Lifetime is the context that ends with Close.
func (s *Server) Lifetime() context.Context { return s.lifetime }

// Begin runs a task that Close waits for. It returns false if the server has been closed.
func (s *Server) Begin(task func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.tasks.Go(task)
	return true
}

// Do calls attempt in a slot until it succeeds, another attempt would be useless, or there were
// enough, and notes the outcome for the utterances that follow. hasSlot is set if a slot was
// acquired already; last, if no other attempt follows. An attempt's errors are ErrLanguage or a
// [Failure]; any other is one of the program's. ctx is within the utterance's context and the
// lifetime. Errors of Do: those, the cause of ctx, or ErrUnavailable if too many wait.
func (s *Server) Do(ctx context.Context, u *Utterance, hasSlot bool, attempt func(last bool) error) error {
	pauses, attempts := s.tries(u.Params.Attempt)
	for n := 1; ; n++ {
		if !hasSlot {
			if err := s.acquire(ctx, u.Params); err != nil {
				return err
			}
		}
		hasSlot = false
		err := s.inSlot(u.Params.Party, n == attempts, attempt)
		if err == nil || errors.Is(err, asr.ErrLanguage) {
			s.Circuit.success()
			return err
		}
		f, ok := errors.AsType[*Failure](err)
		if !ok || s.gone(ctx, u) {
			return err // not the server's fault
		}
		wait := max(pauses.Next(), f.Asked)
		if !f.Again || n == attempts || wait > s.Limits.MaxBackoff || ends(ctx, wait) {
			s.Circuit.outcome(u, f)
			return err
		}
		_ = retry.Sleep(ctx, wait) // acquiring a slot fails if ctx has ended
	}
}

// gone reports whether nobody waits for the utterance any more.
func (s *Server) gone(ctx context.Context, u *Utterance) bool {
	return u.Context.Err() != nil || s.lifetime.Err() != nil ||
		ctx.Err() != nil && !errors.Is(context.Cause(ctx), ErrBudget)
}

// ends reports whether a context ends within a time.
func ends(ctx context.Context, within time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return ctx.Err() != nil || ok && time.Until(deadline) <= within
}

// acquire waits for a slot. Errors: ErrUnavailable if too many wait, or the context's cause.
func (s *Server) acquire(ctx context.Context, p asr.Params) error {
	switch err := s.Slots.AcquireIn(ctx, int(p.Priority), p.Party, 1); {
	case errors.Is(err, semaphore.ErrFull):
		return fmt.Errorf("%w: too many utterances wait for the server", asr.ErrUnavailable)
	case err != nil:
		return context.Cause(ctx)
	}
	return nil
}

// inSlot makes an attempt and releases the slot, which the caller has acquired.
func (s *Server) inSlot(party string, last bool, attempt func(last bool) error) error {
	defer s.Slots.Release(party, 1) // after a panic, too
	return attempt(last)
}

// again is how many more attempts, with pauses so many times as long, are made for an utterance
// that engines have failed by before: nobody else may be left to ask, and what is wrong with a
// server may take as long as that.
const (
	again  = 2
	longer = 4
)

// tries returns the pauses between the attempts for an utterance that was lost so often before, and
// how many attempts to make.
func (s *Server) tries(lost int) (retry.Backoff, int) {
	l := &s.Limits
	if lost < asr.EngineAttempts {
		return retry.Backoff{First: l.MinBackoff, Longest: l.MaxBackoff}, l.Attempts
	}
	return retry.Backoff{First: longer * l.MinBackoff, Longest: l.MaxBackoff}, l.Attempts + again
}
