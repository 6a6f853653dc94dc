package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"steno/audio"
	"steno/messages"
	"steno/session/addon"
	"steno/session/asr"
	"steno/session/panics"
)

var (
	// ErrStopped says that the recording has ended; nothing of what was given was taken.
	ErrStopped = errors.New("recording already stopped")
	// ErrFull says that the longest duration is reached; what fitted was taken.
	ErrFull = errors.New("recording has reached its longest duration")
)

// Failure is why a session ends, or will end, as an error.
type Failure struct {
	Code    int    // HTTP status for the record
	Message string // for the client
	Err     error  // the cause, not for the client
}

func (f *Failure) Error() string { return fmt.Sprintf("%s: %v", f.Message, f.Err) }
func (f *Failure) Unwrap() error { return f.Err }

// Config says what a session is made of.
type Config struct {
	ID         string
	Request    *messages.LiveRequest // with its defaults; not changed by anybody from now on
	Recognizer asr.Recognizer
	Ledger     Ledger
	Sinks      []Sink // those that are there from the first event on
	Priority   asr.Priority
	// Addons does what the request wants beside the transcript. nil: there is no way to do what takes one.
	Addons *addon.Live

	// Pending is how many utterances of a channel may be under recognition before Write waits. Default 16.
	Pending int
	// EngineGrace is how long an engine may stay away before finals are given up. Default 30 s.
	EngineGrace time.Duration
	// MaxAudio is the longest recording. Default 3 h.
	MaxAudio time.Duration
}

func (c Config) withDefaults() Config {
	if c.Addons == nil {
		c.Addons = addon.NewLive(c.Request, addon.Ways{})
	}
	if c.Pending <= 0 {
		c.Pending = 16
	}
	if c.EngineGrace <= 0 {
		c.EngineGrace = 30 * time.Second
	}
	if c.MaxAudio <= 0 {
		c.MaxAudio = 3 * time.Hour
	}
	return c
}

// Session is one stream of audio under way. Write, Stop and the ack methods may be called from any goroutine and are
// carried out one at a time.
type Session struct {
	cfg    Config
	format audio.Format
	out    emitter
	began  time.Time

	life    context.Context // ends when the session is abandoned or finished
	endLife context.CancelFunc
	done    chan struct{}

	collectors atomic.Int32 // lanes whose collector still runs
	engineAway atomic.Bool  // an engine stayed away beyond the grace time
	steps      stepQueue

	in       sync.Mutex // guards everything down to lanes
	intake   *intake
	received int64 // bytes in the journal
	acked    int64 // bytes acknowledged
	most     int64 // bytes of MaxAudio
	taken    int64 // bytes through the intake
	ticks    int64 // through the intake
	silences silenceMarks
	stopped  bool
	lanes    []*lane

	failMu  sync.Mutex
	failure *Failure // the first
	broken  bool     // the failure is one that ends the session at once
}

// Open begins a session, or goes on with one whose ledger has a history: then the lanes are restored at their last
// finals and the journal is run from there, which may wait for the recognizer; ctx bounds that. A session whose
// recording had been stopped ends by itself. The caller owes an end: Stop (and Done), or Abandon.
func Open(ctx context.Context, c Config) (*Session, error) {
	s, err := build(c.withDefaults())
	if err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, s.endLife)() // a lane may wait for the recognizer
	var pending []addon.Step
	err = panics.Catch(func() (err error) {
		pending, err = s.restore(ctx)
		return err
	})
	if err != nil {
		s.endLife()
		return nil, fmt.Errorf("restore session: %w", err)
	}
	s.startSteps(pending)
	for _, l := range s.lanes {
		go s.collect(l)
	}
	if err := panics.Catch(func() error { return s.resume(ctx) }); err != nil {
		s.Abandon()
		return nil, fmt.Errorf("resume session: %w", err)
	}
	return s, nil
}

func build(c Config) (*Session, error) {
	f, err := Format(c.Request)
	if err != nil {
		return nil, err
	}
	s := &Session{
		cfg:    c,
		format: f,
		out:    emitter{id: c.ID, log: c.Ledger, sinks: append([]Sink(nil), c.Sinks...)},
		began:  time.Now(),
		done:   make(chan struct{}),
		intake: newIntake(f),
		most:   int64(c.MaxAudio.Seconds()*float64(f.SampleRate)) * int64(f.FrameBytes()),
	}
	for channel := range f.Channels {
		l, err := s.newLane(channel)
		if err != nil {
			return nil, err
		}
		s.lanes = append(s.lanes, l)
	}
	s.collectors.Store(int32(len(s.lanes)))
	s.life, s.endLife = context.WithCancel(context.Background())
	return s, nil
}

// Write appends bytes of the declared format to the recording, cut anywhere: to the journal first, then on to the
// lanes. It waits while too many utterances are under recognition. Errors: ErrStopped, ErrFull (both: nothing more
// will be taken), or a *Failure, with which the session has ended. ctx is asked before anything is taken only.
func (s *Session) Write(ctx context.Context, p []byte) error {
	s.in.Lock()
	defer s.in.Unlock()
	return s.guard(func() error { return s.write(ctx, p) })
}

// write is Write, with in held.
func (s *Session) write(ctx context.Context, p []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.brokenBy(); err != nil {
		return s.giveIn(err)
	}
	if s.stopped {
		return ErrStopped
	}
	var full error
	if room := s.most - s.received; int64(len(p)) > room {
		p, full = p[:max(room, 0)], ErrFull
	}
	if err := s.cfg.Ledger.AppendAudio(s.life, p); err != nil {
		return s.breakOff(ledgerFailure(fmt.Errorf("append audio: %w", err)))
	}
	s.received += int64(len(p))
	if err := s.take(p); err != nil {
		return err
	}
	return full
}

// take runs journaled bytes through the lanes, and the silences at their places among them.
func (s *Session) take(p []byte) error {
	for {
		at, marked := s.silences.next(s.taken + int64(len(p)))
		if !marked {
			return s.feed(p)
		}
		n := max(at-s.taken, 0)
		if err := s.feed(p[:n]); err != nil {
			return err
		}
		p = p[n:]
		if err := s.insertSilence(); err != nil {
			return err
		}
	}
}

// feed runs journaled bytes through the lanes.
func (s *Session) feed(p []byte) error {
	s.taken += int64(len(p))
	err := s.intake.feed(p, s.tick)
	if errors.Is(err, ErrFormat) {
		return s.breakOff(&Failure{Code: 400, Message: err.Error(), Err: err})
	}
	if err != nil {
		return err
	}
	return s.brokenBy()
}

// tick gives one tick to every lane that has not had it before a restart.
func (s *Session) tick(raw []byte) error {
	number := s.ticks
	s.ticks++
	for _, l := range s.lanes {
		if l.ticks > number {
			continue
		}
		if err := l.step(s, raw); err != nil {
			return err
		}
	}
	return nil
}

// Received is the length of the recording so far, in bytes.
func (s *Session) Received() int64 {
	s.in.Lock()
	defer s.in.Unlock()
	return s.received
}

// Stop ends the recording: no audio follows, what is under way is finished, then Done closes. Only the first call does
// anything; with ack it announces the stop to the sinks. ctx bounds remembering the stop.
func (s *Session) Stop(ctx context.Context, ack bool) error {
	s.in.Lock()
	defer s.in.Unlock()
	if s.stopped {
		return nil
	}
	return s.guard(func() error { return s.stop(ctx, ack) })
}

// StopFor is Stop with ack at the wish of a sink's client. Where the recording has ended already, that sink alone is
// sent an ack: its client may have asked before, and lost the connection before it was answered.
func (s *Session) StopFor(ctx context.Context, o Sink) error {
	s.in.Lock()
	defer s.in.Unlock()
	if s.stopped {
		return s.out.answer(o, messages.Key{Kind: messages.KindStopAck}, s.stopAck())
	}
	return s.guard(func() error { return s.stop(ctx, true) })
}

// stop ends a recording that goes on. Called with in held.
func (s *Session) stop(ctx context.Context, ack bool) error {
	if err := s.brokenBy(); err != nil {
		return s.giveIn(err)
	}
	if err := s.cfg.Ledger.SetStopped(ctx); err != nil {
		return fmt.Errorf("remember stop: %w", err)
	}
	if ack {
		s.failOn(s.out.emit(s.life, messages.Key{Kind: messages.KindStopAck}, s.stopAck(), noCheckpoint))
	}
	return s.endAudio()
}

func (s *Session) stopAck() messages.StopAck {
	return messages.StopAck{Duration: s.seconds(s.received), Left: messages.Seconds(s.left())}
}

// endAudio flushes everything and lets the collectors run out. A panic in one lane leaves the others what they have.
func (s *Session) endAudio() error {
	s.stopped = true
	err := panics.Catch(func() error { return s.intake.flush(s.tick) })
	for _, l := range s.lanes {
		if err == nil || panics.In(err) != nil {
			err = cmp.Or(err, s.endLane(l))
		}
		close(l.queue)
	}
	return err
}

// endLane drains a lane. One that panics loses what it held, and its running utterance ends where it is.
func (s *Session) endLane(l *lane) error {
	err := panics.Catch(func() error { return l.drain(s, silentTick(s.format)) })
	if panics.In(err) != nil {
		l.breakOff()
	}
	return err
}

// left is the audio, in samples, that still waits for its final on the lane that is furthest behind.
func (s *Session) left() int64 {
	var most int64
	for _, l := range s.lanes {
		most = max(most, l.left(s.ticks*audio.TickSamples))
	}
	return most
}

// seconds is the duration of so many bytes of the stream, a leading header not counted.
func (s *Session) seconds(bytes int64) float64 {
	return messages.Seconds(samples(s.format.Seconds(max(bytes-int64(s.intake.header), 0))))
}

// Plays is how long so many bytes of the stream play.
func (s *Session) Plays(bytes int) time.Duration {
	return time.Duration(s.format.Seconds(int64(bytes)) * float64(time.Second))
}

// Attach adds a sink: it is sent every logged event with a number above after that it wants, then all that come,
// without gap or repeat.
func (s *Session) Attach(ctx context.Context, o Sink, after int64) error {
	return s.out.attach(ctx, o, after)
}

// Detach takes a sink away; once it returns, nothing more is sent to it.
func (s *Session) Detach(o Sink) { s.out.detach(o) }

// Done closes when all events are out, the outcome is kept and the session's goroutines have ended, or when the
// session was abandoned.
func (s *Session) Done() <-chan struct{} { return s.done }

// Err is the failure the session ended with, or has met so far; nil without one.
func (s *Session) Err() error {
	s.failMu.Lock()
	defer s.failMu.Unlock()
	if s.failure == nil {
		return nil
	}
	return s.failure
}

// Abandon ends the session's goroutines without finishing anything, and waits for them. What is needed to go on is in
// the ledger.
func (s *Session) Abandon() {
	s.endLife()
	<-s.done
}

// breakOff ends the session at once because of a failure. Called by the writer.
func (s *Session) breakOff(f *Failure) error {
	s.failMu.Lock()
	if s.failure == nil {
		s.failure = f
	}
	s.broken = true
	s.failMu.Unlock()
	if !s.stopped {
		s.failOn(s.out.emit(s.life, messages.Key{Kind: messages.KindError}, messages.Failure{AddonError: messages.AddonError{
			StatusCode: f.Code, Exception: "SessionFailed", Message: f.Message,
		}}, noCheckpoint))
		_ = s.cfg.Ledger.SetStopped(s.life) // what failed is told by f
		_ = s.endAudio()
	}
	return f
}

// giveIn ends the audio of a session that a collector found broken.
func (s *Session) giveIn(cause error) error {
	if !s.stopped {
		_ = s.endAudio() // the cause is what counts
	}
	return cause
}

// fail keeps the first failure; the session goes on.
func (s *Session) fail(f *Failure) {
	s.failMu.Lock()
	defer s.failMu.Unlock()
	if s.failure == nil {
		s.failure = f
	}
}

// failOn notes that an event could not be logged; the writer ends the session at its next call.
func (s *Session) failOn(err error) {
	if err == nil || s.life.Err() != nil {
		return
	}
	s.failMu.Lock()
	defer s.failMu.Unlock()
	if s.failure == nil {
		s.failure = ledgerFailure(err)
	}
	s.broken = true
}

// brokenBy is the failure that ended the session, if one did.
func (s *Session) brokenBy() error {
	s.failMu.Lock()
	defer s.failMu.Unlock()
	if !s.broken {
		return nil
	}
	return s.failure
}

// ledgerFailure is a failure to keep something.
func ledgerFailure(err error) *Failure {
	if errors.Is(err, syscall.ENOSPC) {
		return &Failure{Code: 507, Message: "no space left to keep the recording", Err: err}
	}
	return &Failure{Code: 500, Message: "internal error", Err: err}
}
