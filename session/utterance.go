package session

import (
	"context"
	"sync"
	"time"

	"steno/session/asr"
	"steno/session/panics"
)

// utterance is one stretch of speech from its start until its final is logged. It keeps its audio (at most a minute)
// all that time, so that a lost engine costs a second decode and never words.
type utterance struct {
	id       string
	number   int64
	from     int64 // position of the first sample
	onset    int64 // position where speech began
	params   asr.Params
	deferred bool // until an earlier one has its final, before it is given to an engine

	// The collector's alone.
	waitUntil time.Time // how long it may wait for an engine; zero while none was sought
	losses    int       // how often an engine accepted it and lost it
	shown     string    // text of the newest partial

	mu     sync.Mutex
	cancel context.CancelFunc // abandons the stream
	state  []byte             // the lane's checkpoint as of this utterance's end
	until  int64              // position where speech ended, once it has
	stages stages
	audio  samplePieces
	length int64 // of the audio, in samples, also when it is not held any more
	over   bool  // the audio is not needed any more
	ended  bool
	stream asr.Stream // nil while it is on no engine
	sure   int        // samples that a forced cut will leave; negative: all
}

// begin opens a stream for the utterance. If that fails the collector tries again.
func (u *utterance) begin(ctx context.Context, r asr.Recognizer) {
	if s, cancel, err := openStream(ctx, r, u.params); err == nil {
		u.stream, u.cancel = s, cancel
	}
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

// shorten takes back all but the first n samples: speech was cut by force, at a place found afterwards. Where the stream
// cannot take them back, the rest goes to a fresh stream without partials. Called by the writer.
func (u *utterance) shorten(ctx context.Context, r asr.Recognizer, n int64) {
	final := u.params
	final.Partials = false
	if !u.cut(n) || u.cutStream(n) {
		return // else the collector opens a stream when its turn comes
	}
	if s, cancel, err := openStream(ctx, r, final); err == nil {
		u.refeed(s, cancel)
		return
	}
	u.release() // the collector opens another stream
}

// cut drops all but the first n samples, and reports whether a stream has received more of them.
func (u *utterance) cut(n int64) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.audio.cut(int(n))
	u.length = min(u.length, n)
	u.sure = -1
	return u.stream != nil || !u.deferred
}

// cutStream takes all but the first n samples back from the stream, and reports whether that went well.
func (u *utterance) cutStream(n int64) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.stream != nil && asr.Cut(u.stream, int(n)) == nil
}

// secure says that a forced cut will leave the first n samples at least; n is negative where it will leave all. Called
// by the writer.
func (u *utterance) secure(n int64) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.sure == int(n) {
		return
	}
	u.sure = int(n)
	if u.stream != nil {
		_ = asr.Tentative(u.stream, u.sure) // see write
	}
}

// release abandons the stream, if there is one. After the final that only frees memory.
func (u *utterance) release() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.abandon()
}

// abandon is release for a caller that holds mu.
func (u *utterance) abandon() {
	if u.cancel != nil {
		u.cancel()
	}
	u.stream, u.cancel = nil, nil
}

// write appends samples that were received at a time, called by the writer.
func (u *utterance) write(samples []int16, received time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.stages.received, u.stages.given = received, time.Now()
	u.length += int64(len(samples))
	if !u.over {
		u.audio.append(samples)
	}
	if u.stream != nil {
		// If the stream has failed, Recv returns why to the collector, which feeds all audio to another.
		_ = u.stream.Write(samples)
	}
}

// pause says that the audio may be complete. Called by the writer.
func (u *utterance) pause() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.stream != nil {
		_ = u.stream.Pause() // see write
	}
}

// end says that the audio is complete and speech ended at the position until. The state is what the lane can be
// restored to once this utterance has its final. Called by the writer.
func (u *utterance) end(until int64, state []byte) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.ended, u.until, u.state = true, until, state
	u.stages.ended = time.Now()
	if u.stream == nil {
		return
	}
	if err := panics.Try(func() { _ = u.stream.End() }); err != nil {
		u.abandon() // it may never end: the collector opens another
		panic(err)
	}
}

// refeed writes the audio so far to a fresh stream, which is the utterance's from then on.
func (u *utterance) refeed(s asr.Stream, cancel context.CancelFunc) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.cancel != nil {
		u.cancel()
	}
	u.stream, u.cancel = s, cancel
	if u.sure >= 0 && !u.ended && asr.Tentative(s, u.sure) != nil {
		return
	}
	for i := 0; u.audio.piece(i) != nil; i++ {
		if s.Write(u.audio.piece(i)) != nil {
			return
		}
	}
	if u.ended {
		_ = s.End()
	}
}

// current returns the stream that the utterance is on, nil if none.
func (u *utterance) current() asr.Stream {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.stream
}

// allAudio returns a copy of all audio of an utterance that has ended.
func (u *utterance) allAudio() []int16 {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.audio.whole()
}

// forget gives back the audio of an utterance that has its final, or will have none.
func (u *utterance) forget() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.audio.cut(0)
	u.over = true
}

// samples returns how much audio the utterance has so far.
func (u *utterance) samples() int64 {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.length
}

// speech returns where speech began and ended, or how far it has come.
func (u *utterance) speech() (from, to int64) {
	u.mu.Lock()
	defer u.mu.Unlock()
	to = u.until
	if !u.ended {
		to = u.from + u.length
	}
	return u.onset, max(to, u.onset)
}

// checkpoint returns the lane's state as of the utterance's end, nil before it.
func (u *utterance) checkpoint() []byte {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.state
}
