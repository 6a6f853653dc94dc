package session

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"steno/audio"
	"steno/messages"
	"steno/session/addon"
	"steno/session/asr"
	"steno/session/panics"
)

// Config configures a session.
type Config struct {
	ID         string
	Request    *messages.LiveRequest // with its defaults; must not change
	Recognizer asr.Recognizer
	Ledger     Ledger
	Sinks      []Sink // attached from the first event on
	Priority   asr.Priority
	Party      string // whose session it is; see asr.Params
	// Addons does the work that the request asks for beside the transcript. nil: no add-on has a
	// provider.
	Addons *addon.Live
	// Reason classifies an error of the ledger. nil: every such error is an internal error.
	Reason func(error) messages.Reason
	// Away reports whether an error of the ledger means that it is out of reach for a while. The
	// end of a session waits until it is back. nil: no error means that.
	Away func(error) bool
	// Losses are the incidents that may have lost acknowledged audio, oldest first. Each is
	// reported once by an error event, and in the result.
	Losses []Loss
	// Dropped is called with the kind of each unlogged event that is dropped because too many wait
	// to become durable, or because a newer one replaces it. It must not block. nil: drops are not
	// reported.
	Dropped func(messages.Kind)
	// Noise is called with the name of the engine for each final whose words are left out because
	// hardly any speech was heard. It must not block, may be called by several goroutines
	// concurrently, and may be nil.
	Noise func(engine string)
	// Unheard is called with the name of the engine for each final without words of an utterance in
	// which speech was heard. It must not block, and may be nil.
	Unheard func(engine string)
	// Settled is called with the latency of each utterance that has its final, on the goroutine of
	// the utterance's channel. It must not block, and may be nil.
	Settled func(Latency)

	// Pending is how many utterances of a channel may be under recognition before Write waits.
	// Default 16.
	Pending int
	// EngineGrace is how long an utterance waits for an engine before its final is dropped. Default
	// 30 s.
	EngineGrace time.Duration
	// MaxAudio is the longest recording. Default 3 h.
	MaxAudio time.Duration

	bodiless bool // see emitter
}

func (c Config) withDefaults() Config {
	if c.Addons == nil {
		c.Addons = addon.NewLive(c.Request, &addon.Table{})
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

// Session is a running stream of audio. Write, Stop and Acknowledge may be called from any
// goroutine and are carried out one at a time.
type Session struct {
	run      *run
	began    time.Time
	done     chan struct{}
	steps    stepQueue
	deliver  sync.Once      // starts delivery: most ledgers never need it
	delivery sync.WaitGroup // the goroutine that delivers what becomes durable

	mu        sync.Mutex // held by the writer; guards recording
	recording *recording
}

// Open starts a session, or resumes one whose ledger has a history: it restores the lanes at their
// last finals and runs the journal from there, which may wait for the recognizer; ctx bounds that.
// A session whose recording had been stopped finishes on its own. The caller must end the session:
// Stop (and Done), or Abandon.
func Open(ctx context.Context, c Config) (*Session, error) {
	s, err := newSession(c.withDefaults())
	if err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, s.run.end)() // a lane may wait for the recognizer
	var pending []addon.Step
	err = panics.Catch(func() (err error) {
		pending, err = s.recording.restore(ctx)
		return err
	})
	if err != nil {
		s.run.end()
		return nil, fmt.Errorf("restore session: %w", err)
	}
	s.run.collectors.open()
	s.run.cfg.Ledger.Notify(s.grown)
	s.steps.start(pending)
	var failed *Failure // the session ends with it on its own
	if err := panics.Catch(func() error { return s.resume(ctx) }); err != nil && !errors.As(err, &failed) {
		s.Abandon()
		return nil, fmt.Errorf("resume session: %w", err)
	}
	return s, nil
}

func newSession(c Config) (*Session, error) {
	f, err := Format(c.Request)
	if err != nil {
		return nil, err
	}
	r := &run{cfg: c, format: f, out: newEmitter(&c)}
	rec, err := newRecording(r)
	if err != nil {
		return nil, err
	}
	s := &Session{run: r, began: time.Now(), done: make(chan struct{}), steps: stepQueue{session: r}, recording: rec}
	r.collectors.collect = func(l *lane) { (&collector{run: r, lane: l, steps: &s.steps}).collect() }
	r.collectors.over = s.conclude
	r.begin()
	return s, nil
}

// resume emits the opening events and runs the journal from where the lanes stand.
func (s *Session) resume(ctx context.Context) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.recording.guard(&err)
	defer s.recording.grew()
	return s.recording.resume(ctx)
}

// grown is called by the ledger when more has become durable.
func (s *Session) grown() {
	s.deliver.Do(func() {
		s.run.out.listen()
		s.delivery.Go(func() { s.run.out.run(s.run.life, s.run.failOn) })
	})
	s.run.out.notify()
}

// conclude is called when no utterance is under recognition and none will follow. It waits for the
// add-ons' steps and, if the recording was stopped, finishes the session.
func (s *Session) conclude() {
	s.steps.running.Wait()
	if s.run.life.Err() == nil {
		f := finisher{run: s.run, channels: max(1, len(s.recording.lanes)), duration: s.recording.duration(),
			began: s.began}
		f.conclude()
	}
	s.run.end()
	s.run.cfg.Ledger.Notify(nil) // before the wait: a call of it may start delivery
	s.delivery.Wait()
	close(s.done)
	s.run.out.end()
}

// Write appends bytes of the declared format, cut anywhere, to the journal and then runs them
// through the lanes. It waits while too many utterances are under recognition. Errors: ErrStopped,
// ErrFull (both: no more audio is accepted), ErrAbandoned, or a *Failure, with which the session
// has ended. If ctx is done before the call, Write accepts nothing; later ctx has no effect.
func (s *Session) Write(ctx context.Context, p []byte) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.recording
	defer r.guard(&err)
	if err := r.closed(ctx); err != nil {
		return err
	}
	r.arrival = time.Now()
	var full error
	if room := r.limit - r.received; int64(len(p)) > room {
		p, full = p[:max(room, 0)], ErrFull
	}
	if err := r.cfg.Ledger.AppendAudio(r.life, p); err != nil {
		return r.ledgerFailed(fmt.Errorf("append audio: %w", err))
	}
	r.received += int64(len(p))
	defer r.grew() // by then the format is known
	if err := r.take(p); err != nil {
		return err
	}
	return full
}

// Replace appends lost bytes of digital silence in place of audio that the ledger has lost, so that
// what follows keeps its position. Errors are those of Write.
func (s *Session) Replace(ctx context.Context, lost int64) error {
	piece := make([]byte, min(lost, replacePiece))
	s.Format().Silence(piece)
	for lost > 0 {
		n := min(lost, replacePiece)
		if err := s.Write(ctx, piece[:n]); err != nil {
			return err
		}
		lost -= n
	}
	return nil
}

// replacePiece is how many bytes Replace appends at a time.
const replacePiece = 64 << 10

// Silence tells the session that the client has paused: it has sent no audio for so long that the
// running utterances end as if it had sent silence. The place is kept in the ledger, so a session
// that reads the journal again inserts the same silence. It does not count as recorded time.
// Without audio since the last silence the call does nothing. Errors are those of Write.
func (s *Session) Silence(ctx context.Context) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.recording
	defer r.guard(&err)
	if err := r.closed(ctx); err != nil {
		return err
	}
	if r.received == r.silences.last() {
		return nil
	}
	if err := r.cfg.Ledger.MarkSilence(r.life, r.received); err != nil {
		return r.ledgerFailed(fmt.Errorf("mark silence: %w", err))
	}
	r.silences.add(r.received)
	return r.take(nil)
}

// Format returns the format of the audio; zero until it is known.
func (s *Session) Format() audio.Format {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.run.format
}

// Begin writes the header that declares the format of audio sent in a container, before the first
// of it. Its errors are those of Write.
func (s *Session) Begin(ctx context.Context, f audio.Format) error {
	header := audio.WAVHeader(f, -1)
	received := s.Received()
	if received >= int64(len(header)) {
		return nil
	}
	return s.Write(ctx, header[received:])
}

// Misfit ends the session because the audio is not what was declared. Clients are sent why.
func (s *Session) Misfit(why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.recording.stopped {
		_ = s.recording.fail(wrongFormat(fmt.Errorf("%w: %s", ErrFormat, why))) // returns the failure
	}
}

// Received is the length of the recording so far, in bytes.
func (s *Session) Received() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.recording.received
}

// Stop ends the recording: no audio follows, running utterances are finished, then Done closes.
// Only the first call does anything; with ack it announces the stop to the sinks. ctx bounds the
// ledger's note of the stop. Errors: ErrAbandoned, the ledger's, or a *Failure, with which the
// session has ended.
func (s *Session) Stop(ctx context.Context, ack bool) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.recording.stopped {
		return nil
	}
	defer s.recording.guard(&err)
	return s.recording.stop(ctx, ack)
}

// StopFor is Stop with ack on behalf of a sink's client. If the recording is already stopped, only
// that sink gets an ack: its client may have asked before and lost the connection before the
// answer.
func (s *Session) StopFor(ctx context.Context, o Sink) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.recording.stopped {
		return s.run.out.answer(o, messages.Key{Kind: messages.KindStopAck}, s.recording.stopAck())
	}
	defer s.recording.guard(&err)
	return s.recording.stop(ctx, true)
}

// Break ends a running recording as a failure because of a fault of its caller, and keeps the
// result so far. It reports whether the session ends with that failure.
func (s *Session) Break(cause error) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.recording.stopped {
		return false
	}
	f := s.run.failure(cause)
	_ = s.recording.fail(f) // returns f
	return s.Err() == error(f)
}

// ackAfter is how much audio makes an ack due, in seconds: smaller messages share one.
const ackAfter = 0.1

// Acknowledge emits one ack for everything received since the last one; without force only if that
// is 100 ms of audio or more. Forced with nothing received since, it acknowledges an empty range:
// the answer to a keep-alive. It returns the acknowledged boundary, in bytes, and whether an ack
// was emitted. The ack is sent once the audio is durable.
func (s *Session) Acknowledge(force bool) (boundary int64, sent bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.recording
	var fault error // guard makes it the session's failure
	defer r.guard(&fault)
	pending := r.received - r.acked
	if !force && r.length(pending) < ackAfter {
		return r.acked, false
	}
	if pending > 0 {
		// Durable first: a client must never start at a boundary that a successor of this process
		// does not know.
		if err := r.out.sync(r.received); err != nil {
			r.failOn(err)
			return r.acked, false
		}
	}
	ack := newAck()
	ack.ByteRange = [2]int64{r.acked, r.received}
	ack.TimeRange = [2]float64{r.seconds(r.acked), r.seconds(r.received)}
	r.acked = r.received
	r.emit(messages.Key{Kind: messages.KindAudioAck}, ack)
	return r.acked, true
}

// Stopped reports whether the recording has ended.
func (s *Session) Stopped() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.recording.stopped
}

// Quiet reports whether no channel has a running utterance or the start of one.
func (s *Session) Quiet() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.recording.lanes {
		if l.running != nil || !l.endpointer.Quiet() {
			return false
		}
	}
	return true
}

// Rewind makes the range of the next ack start at this byte, from which the client on the newly
// attached socket sends.
func (s *Session) Rewind(at int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recording.acked = min(at, s.recording.received)
}

// Refuse emits a failed ack, such as AudioAck{Refused: "…"}.
func (s *Session) Refuse(m messages.Message) { s.run.emit(messages.Key{Kind: m.Kind()}, m) }

// Plays returns the duration of so many bytes of the stream.
func (s *Session) Plays(bytes int) time.Duration {
	return time.Duration(s.run.length(int64(bytes)) * float64(time.Second))
}

// Audio returns how much audio the session has been sent so far, each channel counted. It waits for
// nothing.
func (s *Session) Audio() time.Duration { return time.Duration(s.recording.played.Load()) }

// Exhaust stops the recording since no more may be transcribed: what was sent is transcribed as
// ever, and the text reports to the sinks why nothing follows. Errors are those of Stop.
func (s *Session) Exhaust(ctx context.Context, text string) error {
	s.mu.Lock()
	stopped := s.recording.stopped
	if !stopped {
		s.recording.tell(&Failure{Reason: messages.QuotaUsed, Message: text})
	}
	s.mu.Unlock()
	return s.Stop(ctx, false)
}

// Attach adds a sink and sends it every logged event that it wants with a number above after, then
// all that follow, without gap or repeat.
func (s *Session) Attach(ctx context.Context, o Sink, after int64) error {
	return s.run.out.attach(ctx, o, after)
}

// Detach removes a sink. Nothing is sent to it after Detach returns.
func (s *Session) Detach(o Sink) { s.run.out.detach(o) }

// Done closes when all events are delivered, the outcome is kept and the session's goroutines have
// returned, or when the session was abandoned.
func (s *Session) Done() <-chan struct{} { return s.done }

// Err returns the session's first failure, nil without one.
func (s *Session) Err() error {
	if first, _ := s.run.failures.get(); first != nil {
		return first
	}
	return nil
}

// Abandon ends the session's goroutines without finishing anything, and waits for them. The ledger
// holds what is needed to resume the session.
func (s *Session) Abandon() {
	s.run.end()
	<-s.done
}
