package claims

import (
	"errors"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"steno/session/store"
)

// flusher makes durable what the holder of a claim has accepted. Its goroutine runs from Claim to
// Release or the end of the claim.
type flusher struct {
	*claim
	pace     *rate.Limiter
	gathered *time.Timer    // fires when gatherTime has passed; made when it is first wanted; under mu
	flushing sync.WaitGroup // the goroutine, and an upload

	// numbers of the last commit and of the last one answered; of the goroutine, then of Release
	version, answered int64
	restored          int   // how often the server was given again what it had forgotten; guarded by mu
	connections       int64 // made by the process when the server was last known to have everything; likewise

	notifying sync.Mutex // held while notify is called; taken before mu
	notify    func()
}

// isEnd reports whether an error of the server means that a claim has ended.
func isEnd(err error) bool {
	return errors.Is(err, store.ErrTaken) || errors.Is(err, store.ErrLost) || errors.Is(err, store.ErrNotFound)
}

// await waits until a call is wanted and may be made. It returns false when the claim has ended or
// Release was called.
func (f *flusher) await() bool {
	for {
		f.mu.Lock()
		want := f.want
		f.mu.Unlock()
		if want == wantNow {
			return f.slowDown()
		}
		select {
		case <-f.work:
		case <-f.closing:
			return false
		case <-f.life.Done():
			return false
		}
	}
}

// soonLocked wants a call within gatherTime. It does not wake the flusher: what comes with audio
// mostly wants a call immediately.
func (f *flusher) soonLocked() {
	if f.want != wantNothing || f.closed {
		return
	}
	f.want = wantSoon
	if f.gathered == nil {
		f.gathered = time.AfterFunc(gatherTime, f.endGathering)
	} else {
		f.gathered.Reset(gatherTime)
	}
}

func (f *flusher) soon() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.soonLocked()
}

func (f *flusher) endGathering() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.want == wantSoon {
		f.raiseLocked(wantNow)
	}
}

// stopGathering has no call come of itself. It is called with mu held.
func (f *flusher) stopGathering() {
	if f.gathered != nil {
		f.gathered.Stop()
	}
}

// slowDown waits until the session may make another commit, where its commits are likely to be
// calls of their own. It returns false as sleep does.
func (f *flusher) slowDown() bool {
	if f.pace.Allow() || f.room.many() {
		return f.goesOn()
	}
	return f.sleep(f.pace.Reserve().Delay())
}

// goesOn returns false when the claim has ended or Release was called.
func (f *flusher) goesOn() bool {
	select {
	case <-f.closing:
		return false
	case <-f.life.Done():
		return false
	default:
		return true
	}
}

// sleep returns false when the claim has ended or Release was called before d has passed.
func (f *flusher) sleep(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-f.closing:
	case <-f.life.Done():
	}
	return false
}

// call tells the session that more is durable, unless Release has begun.
func (f *flusher) call() {
	f.notifying.Lock()
	defer f.notifying.Unlock()
	select {
	case <-f.closing:
	default:
		if f.notify != nil {
			f.notify()
		}
	}
}
