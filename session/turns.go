package session

import (
	"sync"
	"time"

	"steno/messages"
	"steno/session/asr"
	"steno/session/panics"
)

// endPatience is how long speech_end of a live session waits for the final of its utterance, from
// the detection of the end.
const endPatience = 500 * time.Millisecond

// turns emits the speech events of one lane: speech_end after the final of its utterance, and
// speech_start after the previous speech_end. Its methods are called by the writer and by the
// collector.
type turns struct {
	lane *lane

	mu      sync.Mutex
	waiting []turn
	timer   *time.Timer // emits what has waited for long enough; nil before the first time
	// number of the last utterance whose speech_end or final was emitted: it is shown no more
	// partials
	silent  int64
	ended   int64 // number of the last utterance whose speech_end was emitted
	settled int64 // number of the last utterance that has its final, or will have none
}

// turn is a speech event that waits.
type turn struct {
	key     messages.Key
	message messages.Message
	number  int64     // of the utterance
	due     time.Time // when a speech_end is emitted without the final; zero: never
	state   []byte    // the checkpoint that is logged with a speech_end; nil: none is
}

func newTurns(l *lane) turns { return turns{lane: l, silent: -1, ended: -1, settled: -1} }

// report emits a stage of an utterance, at a position. It is called by the writer, and by the
// collector for the final stage.
func (t *turns) report(u *utterance, s messages.SpeechStage, at int64) {
	l := t.lane
	l.run.emit(messages.Key{Kind: messages.KindSpeech, Subject: u.id}, messages.Speech{
		Stage: s, Channel: l.channel, Number: u.number, Time: l.seconds(at), Cut: u.continues, By: endedBy(u),
	})
}

// start emits the speech_start of an utterance, or queues it. It is called by the writer.
func (t *turns) start(u *utterance, at float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waiting = append(t.waiting, turn{
		key: messages.Key{Kind: messages.KindSpeechStart, Subject: u.id}, message: messages.SpeechStart{Time: at,
			Channel: t.lane.channel}, number: u.number,
	})
	t.flush()
}

// end emits the speech_end of an utterance, or queues it. It is called by the writer.
func (t *turns) end(u *utterance, at float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if u.number <= t.ended {
		return // already emitted by another process
	}
	end := turn{
		key: messages.Key{Kind: messages.KindSpeechEnd, Subject: u.id}, message: messages.SpeechEnd{Time: at,
			Channel: t.lane.channel}, number: u.number,
	}
	if t.lane.run.cfg.Priority == asr.Live {
		end.due = time.Now().Add(endPatience)
	}
	t.waiting = append(t.waiting, end)
	t.flush()
}

// partial emits a partial of an utterance, unless its speech_end or its final was emitted. It is
// called by the collector.
func (t *turns) partial(u *utterance, m messages.Transcript) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if u.number > t.silent {
		t.lane.run.emit(messages.Key{Kind: messages.KindPartial, Subject: u.id}, m)
	}
}

// final logs the final of an utterance, then its speech_end if that has waited. The checkpoint is
// logged with the later of the two, so that a lane restored from it emits neither again. fresh
// reports whether the log did not have the final. It is called by the collector.
func (t *turns) final(u *utterance, m messages.Transcript, state []byte) (fresh bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	own := checkpoint{lane: t.lane.channel, state: state}
	for i := range t.waiting {
		if w := &t.waiting[i]; w.number == u.number && w.key.Kind == messages.KindSpeechEnd {
			w.state, own = state, noCheckpoint
		}
	}
	r := t.lane.run
	fresh, err := r.out.emit(r.life, messages.Key{Kind: messages.KindFinal, Subject: u.id}, m, own)
	r.failOn(err)
	t.settle(u)
	return fresh
}

// done is called by the collector when an utterance has its final, or will have none.
func (t *turns) done(u *utterance) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.settle(u)
}

// settle records that only the speech_end of an utterance may follow. It is called with mu held.
func (t *turns) settle(u *utterance) {
	t.silent, t.settled = max(t.silent, u.number), max(t.settled, u.number)
	t.flush()
}

// learn records an event of the log for an utterance.
func (t *turns) learn(k messages.Kind, number int64) {
	t.silent = max(t.silent, number)
	if k == messages.KindSpeechEnd {
		t.ended = max(t.ended, number)
	}
}

// flush emits the events that need not wait. It is called with mu held.
func (t *turns) flush() {
	n := 0
	for ; n < len(t.waiting); n++ {
		w := &t.waiting[n]
		if w.key.Kind == messages.KindSpeechEnd && w.number > t.settled &&
			(w.due.IsZero() || time.Now().Before(w.due)) {
			break
		}
		t.emit(w)
	}
	clear(t.waiting[:n])
	if t.waiting = t.waiting[n:]; len(t.waiting) == 0 {
		t.waiting = nil
		return
	}
	if n > 0 || len(t.waiting) == 1 {
		t.watch(t.waiting[0].due)
	}
}

// emit emits an event. It is called with mu held.
func (t *turns) emit(w *turn) {
	c := noCheckpoint
	if w.key.Kind == messages.KindSpeechEnd {
		t.silent, t.ended = max(t.silent, w.number), max(t.ended, w.number)
		if w.state != nil {
			c = checkpoint{lane: t.lane.channel, state: w.state}
		}
	}
	r := t.lane.run
	_, err := r.out.emit(r.life, w.key, w.message, c)
	r.failOn(err)
}

// watch sets the timer to flush when the first event is due; zero: it waits for another event. It
// is called with mu held.
func (t *turns) watch(due time.Time) {
	switch {
	case due.IsZero():
	case t.timer == nil:
		t.timer = time.AfterFunc(time.Until(due), t.wake)
	default:
		t.timer.Reset(time.Until(due))
	}
}

// wake is called by the timer. It runs as one of the goroutines that the session's end waits for.
func (t *turns) wake() {
	r := t.lane.run
	r.collectors.start(func() {
		defer r.collectors.done()
		r.failOn(panics.Try(func() {
			t.mu.Lock()
			defer t.mu.Unlock()
			if r.life.Err() == nil {
				t.flush()
			}
		}))
	})
}
