package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"steno/audio"
	"steno/messages"
	"steno/session/panics"
)

// recording is the writer's part of a session: the audio so far and the lanes that process it.
// Session.mu guards it.
type recording struct {
	*run
	intake   *intake
	received int64        // bytes in the journal
	acked    int64        // bytes acknowledged
	limit    int64        // bytes of MaxAudio
	played   atomic.Int64 // what received plays, in nanoseconds, each channel counted
	taken    int64        // bytes through the intake
	ticks    int64        // through the intake
	silences silenceMarks
	notes    notes
	stopped  bool
	lanes    []*lane
}

func newRecording(r *run) (*recording, error) {
	f := r.format
	rec := &recording{run: r, limit: math.MaxInt64}
	rec.intake = newIntake(f, rec.tick, rec.setFormat)
	if f.Channels == 0 {
		return rec, nil
	}
	return rec, rec.setFormat(f)
}

// setFormat makes the lanes for audio of a format.
func (r *recording) setFormat(f audio.Format) error {
	if len(r.lanes) > 0 {
		return nil
	}
	r.format = f
	r.limit = int64(r.cfg.MaxAudio.Seconds()*float64(f.SampleRate)) * int64(f.FrameBytes())
	for channel := range f.Channels {
		l, err := newLane(r, channel)
		if err != nil {
			return err
		}
		l.catchUp(r.notes.list[:r.notes.passed], l.endpointer)
		r.lanes = append(r.lanes, l)
	}
	return nil
}

// guard is deferred around the writer's work. A panic ends the session as a failure, with the
// result so far.
func (r *recording) guard(err *error) {
	if v := recover(); v != nil {
		*err = panics.Recovered(v)
	}
	if panics.In(*err) != nil {
		*err = r.fail(r.failure(*err))
	}
}

// closed returns why no more audio is accepted: ctx is done, the session has failed or was
// abandoned, or the recording is stopped. Otherwise it returns nil.
func (r *recording) closed(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := r.fatal(); err != nil {
		if !r.stopped {
			_ = r.endAudio() // the failure is what counts
		}
		return err
	}
	if r.stopped {
		return ErrStopped
	}
	if r.life.Err() != nil {
		return ErrAbandoned
	}
	return nil
}

// ledgerFailed ends the session after a write to the ledger failed. A session that has lost its
// ledger is abandoned.
func (r *recording) ledgerFailed(err error) error {
	if r.cfg.Ledger.Cause() != nil {
		r.end()
	}
	if r.life.Err() != nil {
		return ErrAbandoned
	}
	return r.fail(r.failure(err))
}

// take runs journaled bytes through the lanes, and the silences and notes at their places among
// them.
func (r *recording) take(p []byte) error {
	for {
		n := int64(len(p))
		at, stop := r.next(r.taken + n)
		if stop != nil {
			n = max(at-r.taken, 0)
		}
		r.taken += n
		err := r.intake.feed(p[:n])
		if errors.Is(err, ErrFormat) {
			err = r.fail(wrongFormat(err))
		}
		if err = cmp.Or(err, r.fatal()); err != nil || stop == nil {
			return err
		}
		p = p[n:]
		if err := stop(); err != nil {
			return err
		}
	}
}

// next returns the place of the next silence or note at or before the position, and a function that
// runs it through the lanes; nil if there is none.
func (r *recording) next(upTo int64) (at int64, run func() error) {
	at, marked := r.silences.next(upTo)
	if n := r.notes.next(upTo); n != nil && (!marked || n.at < at || n.at == at && !n.Silent) {
		return n.at, func() error { return r.carryOut(n) }
	}
	if !marked {
		return 0, nil
	}
	return at, r.insertSilence
}

// wrongFormat is the failure of a recording that is not what was declared.
func wrongFormat(err error) *Failure {
	return &Failure{Reason: messages.BadHeader, Message: err.Error(), Err: err}
}

// tick runs one tick through every lane that did not have it before a restart.
func (r *recording) tick(raw []byte) error {
	number := r.ticks
	r.ticks++
	for _, l := range r.lanes {
		if l.ticks > number {
			continue
		}
		if err := l.tick(raw, false); err != nil {
			return err
		}
	}
	return nil
}

// insertSilence runs the silence of the next mark through every lane that did not have it before a
// restart.
func (r *recording) insertSilence() error {
	marked := r.notes.marks(r.silences.marks[r.silences.passed])
	r.silences.pass(r.ticks)
	silence := silentTick(r.format)
	for _, l := range r.lanes {
		if l.ticks > r.ticks {
			continue
		}
		if marked {
			l.by = messages.EndedByMark
		}
		err := l.insertSilence(silence, r.silences.silentTicks())
		if l.by = 0; err != nil {
			return err
		}
	}
	return nil
}

// stop ends a recording that has not been stopped.
func (r *recording) stop(ctx context.Context, ack bool) error {
	if err := r.fatal(); err != nil {
		_ = r.endAudio() // the failure is what counts
		return err
	}
	if r.life.Err() != nil {
		return ErrAbandoned // audio before the stop may have been refused
	}
	if err := r.cfg.Ledger.SetStopped(ctx); err != nil {
		if r.cfg.Ledger.Cause() != nil {
			r.end()
			return ErrAbandoned
		}
		return fmt.Errorf("remember stop: %w", err)
	}
	if ack {
		r.emit(messages.Key{Kind: messages.KindStopAck}, r.stopAck())
	}
	return r.endAudio()
}

func (r *recording) stopAck() messages.StopAck {
	return messages.StopAck{Duration: r.duration(), Left: messages.Seconds(r.left())}
}

// fail ends the session immediately as a failure, which it returns.
func (r *recording) fail(f *Failure) error {
	r.failures.add(f, true)
	if !r.stopped {
		r.tell(f)
		_ = r.cfg.Ledger.SetStopped(r.life) // f is the failure that counts
		_ = r.endAudio()
	}
	return f
}

// tell emits the event of a failure.
func (r *recording) tell(f *Failure) {
	r.emit(messages.Key{Kind: messages.KindError}, messages.NewFailure(f.Reason, "SessionFailed", f.Message))
}

// endAudio flushes everything and lets the collectors run out. After a panic in one lane the others
// still finish.
func (r *recording) endAudio() error {
	r.stopped = true
	for _, l := range r.lanes {
		l.close(r.samples(r.received))
	}
	err := panics.Catch(r.intake.flush)
	if errors.Is(err, ErrFormat) { // of a recording that is too short to be judged before its end
		f := wrongFormat(err)
		if known, _ := r.failures.get(); known == nil {
			r.failures.add(f, true)
			r.tell(f)
		}
		err = nil
	}
	for _, l := range r.lanes {
		if err == nil || panics.In(err) != nil {
			err = cmp.Or(err, l.end(r.ticks))
		}
	}
	r.collectors.end()
	return err
}

// left returns how much audio, in samples, still waits for its final on the slowest lane.
func (r *recording) left() int64 {
	var most int64
	for _, l := range r.lanes {
		most = max(most, l.left(r.ticks*audio.TickSamples))
	}
	return most
}

// grew notes how long the recording is, for those who cannot wait for mu.
func (r *recording) grew() {
	r.played.Store(int64(r.run.length(r.received) * float64(time.Second) * float64(r.format.Channels)))
}

// duration returns the duration of the recording so far, in seconds.
func (r *recording) duration() float64 { return r.seconds(r.received) }

// seconds returns the duration of the audio in so many bytes of the stream.
func (r *recording) seconds(bytes int64) float64 { return messages.Seconds(r.samples(bytes)) }

// samples returns the same in samples.
func (r *recording) samples(bytes int64) int64 {
	return inSamples(r.length(r.intake.gaps().Audio(bytes)))
}
