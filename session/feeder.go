package session

import (
	"context"

	"steno/session/asr"
	"steno/session/internal/samples"
	"steno/session/panics"
)

// feedStep is how many samples are written to a stream at a time while its audio arrives: engines
// decode in steps of 100 ms or more.
const feedStep = asr.Rate / 10

// feeder writes an utterance's audio and orders to its stream, in sequence. Its goroutine runs only
// while there is something to write. So neither the writer nor the acks wait for an engine that is
// slow to accept an utterance or its audio. Audio not yet written is held by the utterance, so the
// feeder needs no bound of its own. The utterance's lock guards it.
type feeder struct {
	stream asr.Stream         // nil while the utterance is on no engine
	cancel context.CancelFunc // abandons the stream
	// closed when the stream may be opened: a session's utterances are opened in order
	before   <-chan struct{}
	opened   chan struct{} // closed after the first attempt to open a stream; nil: none was made
	asked    bool          // that attempt was started
	given    int           // samples that were written to the stream
	orders   []order       // further calls that the stream is due
	followed bool          // the stream was given the audio after the utterance
	ended    bool          // the stream's End was called
	busy     bool          // the goroutine runs
	broken   bool          // it has panicked, or the utterance was discarded: it gets no final
	work     func()        // what it does
}

// order is a call to a stream that is due after a number of written samples.
type order struct {
	kind orderKind
	at   int // after so many samples
	n    int // of kinds that have a number
}

type orderKind int

const (
	orderNone  orderKind = iota
	orderOpen            // open the first stream
	orderWrite           // n samples
	orderPause
	orderTentative // only n samples are sure
	orderCut       // only n samples are left
	orderFollow    // the audio after the utterance
	orderEnd
)

// abandon cancels the stream.
func (f *feeder) abandon() {
	if f.cancel != nil {
		f.cancel()
	}
	f.stream, f.cancel, f.given, f.orders, f.followed, f.ended = nil, nil, 0, nil, false, false
}

// awaits reports whether the first attempt to open a stream has not been started.
func (f *feeder) awaits() bool { return f.opened != nil && !f.asked }

// tell adds an order if there is a stream to carry it out. It is called with the utterance's lock
// held.
func (u *utterance) tell(o order) {
	f := &u.feeder
	if f.stream == nil && !f.opening() {
		return
	}
	if last := len(f.orders) - 1; last >= 0 && f.orders[last].kind == o.kind && f.orders[last].at == o.at {
		f.orders = f.orders[:last] // the new one replaces it
	}
	f.orders = append(f.orders, o)
}

// opening reports whether the first attempt to open a stream is not finished.
func (f *feeder) opening() bool {
	if f.opened == nil {
		return false
	}
	select {
	case <-f.opened:
		return false
	default:
		return true
	}
}

// kick starts the goroutine unless it runs already or has nothing to do. It is called with the
// utterance's lock held.
func (u *utterance) kick() {
	f := &u.feeder
	if f.busy || f.broken || f.stream == nil && !f.awaits() {
		return
	}
	if f.work == nil {
		f.work = u.feed
	}
	f.busy = u.run.collectors.start(f.work)
}

// feed is the feeder's goroutine. A panic of a recognizer ends the session.
func (u *utterance) feed() {
	buf := samples.Borrow()
	err := panics.Try(func() {
		for {
			o, s := u.next(buf[:])
			if o.kind == orderNone {
				return
			}
			u.carryOut(o, s, buf[:])
		}
	})
	samples.Return(buf)
	if err != nil {
		u.run.failOn(err)
		u.breakOff()
	}
	u.run.collectors.done()
}

// breakOff cancels the stream of a recognizer that has panicked: it may never finish on its own.
func (u *utterance) breakOff() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.feeder.abandon()
	u.feeder.busy, u.feeder.broken = false, true
}

// isBroken reports whether the recognizer has panicked, or the utterance was discarded.
func (u *utterance) isBroken() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.feeder.broken
}

// next returns the next order and its stream. For a write it copies the samples to buf.
func (u *utterance) next(buf []int16) (order, asr.Stream) {
	u.mu.Lock()
	defer u.mu.Unlock()
	f := &u.feeder
	switch {
	case f.awaits():
		f.asked = true
		return order{kind: orderOpen}, nil
	case f.stream == nil || u.run.life.Err() != nil:
	case len(f.orders) > 0 && f.orders[0].at <= f.given:
		o := f.orders[0]
		f.orders = f.orders[:copy(f.orders, f.orders[1:])]
		return o, f.stream
	case f.given < u.due():
		n := u.audio.CopyTo(buf[:min(len(buf), u.due()-f.given)], f.given)
		f.given += n
		return order{kind: orderWrite, n: n}, f.stream
	case u.ended && !f.followed && len(u.following) > 0:
		f.followed = true
		return order{kind: orderFollow}, f.stream
	case u.ended && !f.ended:
		f.ended = true
		return order{kind: orderEnd}, f.stream
	}
	f.busy = false
	return order{}, nil
}

// due returns how many samples are to be written to the stream so far: up to the next order, all at
// the end of the utterance, and otherwise whole steps. It is called with the utterance's lock held.
func (u *utterance) due() int {
	switch orders := u.feeder.orders; {
	case len(orders) > 0:
		return min(orders[0].at, u.audio.Len())
	case u.ended:
		return u.audio.Len()
	}
	return u.audio.Len() - u.audio.Len()%feedStep
}

// carryOut carries out an order that next has returned. If the stream fails, its Recv returns the
// cause to the collector, which has all audio fed to another stream.
func (u *utterance) carryOut(o order, s asr.Stream, buf []int16) {
	switch o.kind {
	case orderOpen:
		u.open()
	case orderWrite:
		_ = s.Write(buf[:o.n])
	case orderPause:
		_ = s.Pause()
	case orderTentative:
		_ = asr.Tentative(s, o.n)
	case orderCut:
		u.cut(s, o.n)
	case orderFollow:
		_ = asr.Follow(s, u.following) // not changed after the utterance's end
	case orderEnd:
		_ = s.End()
	}
}

// open opens the first stream. If that fails the collector tries again.
func (u *utterance) open() {
	f := &u.feeder
	defer close(f.opened)
	u.await(f.before)
	s, cancel, err := openStream(u.run.life, u.run.cfg.Recognizer, u.params)
	if err != nil {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if f.broken { // discarded meanwhile
		cancel()
		return
	}
	f.stream, f.cancel = s, cancel
}

// cut withdraws all but the first n samples from a stream. If the stream does not support that, the
// first n samples are fed to a new one without partials.
func (u *utterance) cut(s asr.Stream, n int) {
	if asr.Cut(s, n) == nil {
		u.wasCut(s, n)
		return
	}
	final := u.asked()
	final.Partials = false
	if s, cancel, err := openStream(u.run.life, u.run.cfg.Recognizer, final); err == nil {
		u.refeed(final, s, cancel)
		return
	}
	u.release() // the collector opens another stream
}

// wasCut records that a stream has only the first n samples.
func (u *utterance) wasCut(s asr.Stream, n int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.feeder.stream == s {
		u.feeder.given = n
	}
}

// awaitOpening waits for the first attempt to open a stream, or the end of the session's life.
func (u *utterance) awaitOpening() {
	u.mu.Lock()
	opened := u.feeder.opened
	u.mu.Unlock()
	u.await(opened)
}

// await waits until a channel is closed or the session's life has ended. It returns immediately if
// the channel is nil.
func (u *utterance) await(closed <-chan struct{}) {
	if closed == nil {
		return
	}
	select {
	case <-closed:
	case <-u.run.life.Done():
	}
}
