package session

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"steno/messages"
	"steno/session/asr"
	"steno/session/internal/samples"
)

// utterance is one stretch of speech from its start until its final is logged. It holds its audio
// (at most a minute) until then, so that a lost engine costs a second decode and never words.
type utterance struct {
	run     *run
	id      string
	number  int64
	from    int64   // position of the first sample
	onset   int64   // position where speech began
	context []int16 // the audio before it, which it is decoded with; not changed

	continues  bool       // the utterance before it was cut by force, where this one begins
	vocabulary vocabulary // what recognizers are asked to prefer
	rewrite    rewriting  // its words by the add-ons
	fence      *fence     // queued in place of an utterance; else nil

	params asr.Params // of the newest stream; guarded by mu once the first attempt to open one has ended

	by atomic.Int32 // a messages.EndedBy: what ended it

	// The collector's alone.
	waitUntil time.Time // how long it may wait for an engine; zero before the first attempt
	losses    int       // how often an engine accepted it and lost it; more if it was not to be asked again
	tried     int       // how often an engine lost it that was not to be asked again
	shown     string    // text of the newest partial
	unheard   unheard

	words []messages.Word // of the newest partial

	mu        sync.Mutex
	state     []byte // the lane's checkpoint as of this utterance's end
	until     int64  // position where speech ended, once it has
	stages    stages
	audio     samples.Pieces
	length    int64   // of the audio, in samples, even after it is freed
	following []int16 // the audio after a forced cut, for engines that use it
	over      bool    // the audio is not needed any more
	ended     bool
	voiced    int64 // ticks in which speech was heard, once the utterance has ended
	sure      int   // samples that a forced cut will leave; negative: all
	feeder    feeder
}

// begin has the utterance's stream opened once before is closed; nil: immediately. The returned
// channel is closed after the attempt. If opening fails the collector tries again.
func (u *utterance) begin(before <-chan struct{}) (opened <-chan struct{}) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.feeder.before, u.feeder.opened = before, make(chan struct{})
	u.kick()
	return u.feeder.opened
}

// openStream opens a stream with a cancel function of its own.
func openStream(ctx context.Context, r asr.Recognizer, p asr.Params) (asr.Stream, context.CancelFunc, error) {
	ctx, cancel := context.WithCancel(ctx)
	s, err := r.Open(ctx, p)
	if err != nil {
		cancel()
		return nil, nil, err
	}
	return s, cancel, nil
}

// shorten withdraws all but the first n samples: speech was cut by force at a place found
// afterwards. The engine is given the withdrawn samples as context. Called by the writer.
func (u *utterance) shorten(n int64) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.following = u.audio.CopyOf(int(n), int(n)+asr.MaxFollowing)
	u.audio.Cut(int(n))
	u.length = min(u.length, n)
	u.sure = -1
	u.feeder.orders = u.feeder.orders[:0] // they are of samples before the cut, or of none
	if u.feeder.given > int(n) {
		u.tell(order{orderCut, 0, int(n)})
	}
	u.kick()
}

// secure declares that a forced cut will leave at least the first n samples; all if n is negative.
// Called by the writer.
func (u *utterance) secure(n int64) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.sure == int(n) {
		return
	}
	u.sure = int(n)
	u.tell(order{orderTentative, u.audio.Len(), u.sure})
}

// lose counts that an engine has lost the utterance. An engine that returned asr.ErrTried is asked
// again only after the others.
func (u *utterance) lose(cause error) {
	u.losses++
	if errors.Is(cause, asr.ErrTried) {
		u.tried++
		u.losses += asr.EngineAttempts - 1 - (u.losses-1)%asr.EngineAttempts
	}
}

// release abandons the stream, if there is one. After the final that only frees memory.
func (u *utterance) release() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.feeder.abandon()
}

// write appends samples that were received at a time, called by the writer.
func (u *utterance) write(samples []int16, received time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.stages.received, u.stages.given = received, time.Now()
	u.length += int64(len(samples))
	if u.over {
		return
	}
	before := u.audio.Len() / feedStep
	if u.audio.Append(samples); u.audio.Len()/feedStep > before {
		u.kick()
	}
}

// pause tells the stream that the audio may be complete. Called by the writer.
func (u *utterance) pause() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.tell(order{orderPause, u.audio.Len(), 0})
	u.kick()
}

// end completes the audio. until is the position at which speech ended, voiced the number of ticks
// in which it was heard, and state the checkpoint that is valid once this utterance has its final.
// Called by the writer.
func (u *utterance) end(until, voiced int64, state []byte) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.ended, u.until, u.voiced, u.state = true, until, voiced, state
	u.stages.ended = time.Now()
	u.kick()
}

// endedBy returns what ended an utterance; 0: nothing yet.
func endedBy(u *utterance) messages.EndedBy { return messages.EndedBy(u.by.Load()) }

// refeed makes s, opened with the parameters p, the utterance's stream and has the audio so far fed
// to it.
func (u *utterance) refeed(p asr.Params, s asr.Stream, cancel context.CancelFunc) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.params = p
	u.feeder.abandon()
	u.feeder.stream, u.feeder.cancel = s, cancel
	if u.sure >= 0 && !u.ended {
		u.tell(order{orderTentative, 0, u.sure})
	}
	u.kick()
}

// asked returns the parameters of the newest stream, for another one that does not wait for an
// engine.
func (u *utterance) asked() asr.Params {
	u.mu.Lock()
	defer u.mu.Unlock()
	p := u.params
	p.Until = time.Time{}
	return p
}

// current returns the stream that the utterance is on, nil if none.
func (u *utterance) current() asr.Stream {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.feeder.stream
}

// allAudio returns a copy of all audio of a complete utterance.
func (u *utterance) allAudio() []int16 {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.audio.Whole()
}

// forget frees the audio of an utterance that has its final, or will have none.
func (u *utterance) forget() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.audio.Cut(0)
	u.over = true
}

// samples returns the length of the utterance's audio so far.
func (u *utterance) samples() int64 {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.length
}

// speech returns where speech started and ended, or how far it has come.
func (u *utterance) speech() (from, to int64) {
	u.mu.Lock()
	defer u.mu.Unlock()
	to = u.until
	if !u.ended {
		to = u.from + u.length
	}
	return u.onset, max(to, u.onset)
}

// spoken returns in how many ticks of a complete utterance speech was heard.
func (u *utterance) spoken() int64 {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.voiced
}

// checkpoint returns the lane's state as of the utterance's end, nil before it.
func (u *utterance) checkpoint() []byte {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.state
}
