package router

import (
	"context"
	"errors"
	"sync"
	"time"

	"steno/session/asr"
	"steno/session/panics"
	"steno/session/retry"
)

// These constants define how the router treats engines that are away: how often it asks them, how
// long utterances wait, and how often an utterance is tried again. Engines report by
// [asr.ErrUnavailable] and by [Router.Arrived].
const (
	// minAskPause and maxAskPause bound the pause between two requests to an engine that is away,
	// which doubles from one to the next. It saves each utterance the time-out that a request to
	// such an engine costs.
	minAskPause = 250 * time.Millisecond
	maxAskPause = 5 * time.Second

	// minOpenPause and maxOpenPause bound the pause between two attempts to open an utterance that
	// may wait for an engine, which doubles likewise. An attempt is cheap: it asks no engine before
	// its pause has passed.
	minOpenPause = 20 * time.Millisecond
	maxOpenPause = time.Second

	// minPendingWait is how long a pending stream waits at least for an engine, the patience not
	// counted. It is longer than any pause between two requests, so that an engine that is back is
	// found.
	minPendingWait = maxAskPause + time.Second

	// maxAttempts is how often an utterance may be lost in all: one that kills every engine must
	// not do so for ever.
	maxAttempts = 3 * asr.EngineAttempts
)

// await calls open until it succeeds, fails permanently, or the time has come.
func await(ctx context.Context, until time.Time, maxPause time.Duration, open func() error) error {
	pauses := retry.Backoff{First: minOpenPause, Longest: maxPause}
	for {
		err := open()
		if err == nil || permanent(err) || ctx.Err() != nil || !time.Now().Before(until) {
			return err
		}
		if err := retry.Sleep(ctx, pauses.Next()); err != nil {
			return err
		}
	}
}

// permanent reports whether the same audio would meet the same error again.
func permanent(err error) bool {
	return errors.Is(err, asr.ErrLanguage) || errors.Is(err, asr.ErrNoOther) || errors.Is(err, asr.ErrTooLong) ||
		panics.In(err) != nil
}

// availability is whether an engine is there, as learned by those that need it. While it is away
// one of them asks at a time, and only after a pause since the last request. Methods may be called
// from any goroutine.
type availability struct {
	mu     sync.Mutex
	since  time.Time     // when it went away; zero: it is there
	last   time.Time     // when it was last found away
	next   time.Time     // when it may be asked again
	pauses retry.Backoff // between requests since it went away
	asking bool          // a request to find out whether it is back is under way
}

// ask reports whether the engine may be asked now, and whether it is away. If both, the caller must
// call answered, failed or withdraw afterwards.
func (a *availability) ask() (ok, away bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.since.IsZero() {
		return true, false
	}
	if a.asking || time.Now().Before(a.next) {
		return false, true
	}
	a.asking = true
	return true, true
}

// withdraw takes a request back that the caller cancelled; away is what ask returned.
func (a *availability) withdraw(away bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asking = a.asking && !away
}

// answered notes that the engine is there.
func (a *availability) answered() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.since, a.asking = time.Time{}, false
}

// failed notes that a request begun at the given time was not answered; away is what ask returned.
func (a *availability) failed(begun time.Time, away bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch now := time.Now(); {
	case a.since.IsZero():
		a.pauses = retry.Backoff{First: minAskPause, Longest: maxAskPause}
		a.since, a.last, a.next = begun, now, now.Add(a.pauses.Next())
	case away:
		a.last, a.next, a.asking = now, now.Add(a.pauses.Next()), false
	}
}

// expect ends the pause: there is reason to believe that the engine is back.
func (a *availability) expect() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.next = time.Time{}
}

// away returns for how long the engine has been away; 0: it is there.
func (a *availability) away() time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.since.IsZero() {
		return 0
	}
	return max(time.Since(a.since), 1)
}

// due reports whether the engine is there or may be asked whether it is back.
func (a *availability) due() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.since.IsZero() || !a.asking && !time.Now().Before(a.next)
}

// awayAfter reports whether the engine was found away after t, and has not come back.
func (a *availability) awayAfter(t time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return !a.since.IsZero() && a.last.After(t)
}
