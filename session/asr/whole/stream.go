package whole

import (
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"steno/session/asr"
	"steno/session/asr/schedule"
)

// Reasons for which work was in vain, with those of the scheduler.
const (
	// ShedGuess counts decodes begun in a pause after which speech continued.
	ShedGuess = "guess"
	// ShedReplaced counts partials that were replaced by newer ones before they were received.
	ShedReplaced = "replaced"
)

var (
	errEnded = errors.New("utterance already ended")
	errCut   = errors.New("cut beyond what was written")
)

// stream is an utterance. Its lock guards all fields that change.
type stream struct {
	m      *Model
	params asr.Params
	forget func() bool // stops watching the context

	mu        sync.Mutex
	news      *sync.Cond // for Recv
	following []int16    // what follows the utterance
	sure      int        // samples that no Cut takes back; negative: all
	ended     bool
	endedAt   time.Time
	quiet     bool // no more partials
	speaks    bool // counted by the model's pace
	gone      bool // over: delivered, failed or abandoned
	err       error
	final     *asr.Result // not yet received
	partial   *asr.Result // not yet received
	shown     []asr.Word  // of the newest partial

	division
	work  *schedule.Work // decoding a piece: waiting or running
	begun time.Time      // when the newest work got a slot

	part  *schedule.Work // the partial that waits or runs
	void  bool           // the outcome of part is not wanted any more
	heard int            // samples that the newest partial was decoded from
	next  int            // samples at which the next partial is due
	after any            // what the decoder wants to have for it
}

// late returns why the stream accepts nothing more, nil if it does. The caller holds the lock.
func (u *stream) late() error {
	if u.err == nil && u.ended {
		return errEnded
	}
	return u.err
}

// Write implements [asr.Stream].
func (u *stream) Write(samples []int16) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.late(); err != nil {
		return err
	}
	if len(u.samples)+len(samples) > asr.MaxSamples {
		u.leave(asr.ErrTooLong)
		return asr.ErrTooLong
	}
	if len(samples) == 0 {
		return nil
	}
	if u.params.Partials && !u.quiet && !u.speaks {
		u.speaks = true
		u.m.pace.speaks(u.params.Party, 1)
		u.next = u.m.config.Every
	}
	u.samples = append(u.samples, samples...)
	u.dropGuess()
	u.divide()
	u.decodeNext(schedule.Lagged)
	u.wantPartial()
	return nil
}

// Pause implements [asr.Stream]. It does nothing for recordings, whose clients do not wait.
func (u *stream) Pause() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.late(); err != nil {
		return err
	}
	if u.params.Priority != asr.Replay && u.rest() > 0 && !u.tooLong() {
		u.dropPartial() // the guess shows more than a partial would
		u.last.end = len(u.samples)
		u.decodeNext(schedule.Guess)
	}
	return nil
}

// End implements [asr.Stream].
func (u *stream) End() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.late(); err != nil {
		return err
	}
	u.ended, u.endedAt, u.sure = true, time.Now(), -1
	u.silence()
	u.divide()
	u.last.end = len(u.samples)
	if u.work != nil && u.m.queue.Drop(u.work) {
		u.work = nil // it is more urgent from now on
	}
	u.decodeNext(schedule.Final)
	return nil
}

// Tentative implements [asr.Cutter].
func (u *stream) Tentative(n int) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.late(); err != nil {
		return err
	}
	u.sure = n
	u.divide()
	return nil
}

// Cut implements [asr.Cutter].
func (u *stream) Cut(n int) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.late(); err != nil {
		return err
	}
	if n < 0 || n > len(u.samples) {
		return errCut
	}
	if n < len(u.samples) {
		u.dropGuess()
		u.undivide(n)
		u.samples = u.samples[:n:n] // what is written next must not change what is being decoded
	}
	u.sure = -1
	u.silence()
	u.replacePartial()
	return nil
}

// Follow implements [asr.Follower].
func (u *stream) Follow(samples []int16) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.late(); err != nil {
		return err
	}
	u.dropGuess()
	u.following = slices.Clone(samples[:min(len(samples), asr.MaxFollowing)])
	return nil
}

// silence ends the partials.
func (u *stream) silence() {
	if u.quiet {
		return
	}
	u.quiet = true
	if u.speaks {
		u.m.pace.speaks(u.params.Party, -1)
	}
	u.dropPartial()
}

// Recv implements [asr.Stream].
func (u *stream) Recv() (asr.Result, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for {
		switch {
		case u.err != nil:
			return asr.Result{}, u.err
		case u.gone:
			return asr.Result{}, io.EOF
		case u.final != nil:
			result := *u.final
			u.leave(nil)
			return result, nil
		case u.partial != nil:
			result := *u.partial
			u.partial = nil
			return result, nil
		}
		u.news.Wait()
	}
}

// fail ends an utterance that is not over yet.
func (u *stream) fail(err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.leave(err)
}

// leave releases everything that the stream holds; err is nil if the final was received. The caller
// holds the lock.
func (u *stream) leave(err error) {
	if u.gone {
		return
	}
	u.silence()
	u.gone, u.err = true, err
	if u.work != nil {
		u.m.queue.Drop(u.work)
	}
	u.work, u.pieces, u.last, u.samples, u.partial, u.final, u.after = nil, nil, piece{}, nil, nil, nil, nil
	if u.forget() {
		u.m.hooks.Done()
	}
	u.m.leave(u)
	u.news.Broadcast()
}

// decide makes a result the final. The caller holds the lock.
func (u *stream) decide(r asr.Result) {
	u.replacePartial()
	r.Final, r.Queued = true, max(0, u.begun.Sub(u.endedAt))
	u.final = &r
	u.news.Signal()
}
