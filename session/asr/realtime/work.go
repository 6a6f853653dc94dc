package realtime

import (
	"context"
	"encoding/base64"
	"time"

	"steno/audio"
	"steno/session/asr"
	"steno/session/asr/remote"
	"steno/session/panics"
)

const (
	// step is the audio between messages while an utterance is spoken: 100 ms.
	step = asr.Rate / 10
	// longest bounds one message of audio to a second of it.
	longest = asr.Rate
)

// start starts the utterance's goroutine, once. The caller holds the lock.
func (s *stream) start() {
	if s.working {
		return
	}
	s.working = true
	ctx, cancel := context.WithCancelCause(s.ctx)
	s.cancel = cancel
	if !s.recognizer.server.Begin(func() { s.work(ctx) }) {
		s.fail(remote.ErrClosed)
	}
}

// work asks for the final, and sets it or the error.
func (s *stream) work(ctx context.Context) {
	defer s.cancel(nil)
	server := s.recognizer.server
	defer context.AfterFunc(server.Lifetime(), func() { s.cancel(remote.ErrClosed) })()
	err := panics.Catch(func() error {
		return server.Do(ctx, s.known, false, func(bool) error { return s.attempt(ctx) })
	})
	switch {
	case err == nil:
		return
	case s.ctx.Err() != nil:
		err = s.ctx.Err()
	case ctx.Err() != nil && panics.In(err) == nil:
		err = context.Cause(ctx)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopBudget()
	if s.err == nil {
		s.fail(err)
	}
}

// stopBudget stops the timer of the final. The caller holds the lock.
func (s *stream) stopBudget() {
	if s.budget != nil {
		s.budget.Stop()
	}
}

// attempt asks for the final on one connection. A connection that was used before and on which
// nothing was heard may have been closed by the server: then it is another one's turn.
func (s *stream) attempt(ctx context.Context) error {
	r := s.recognizer
	set := r.config.settingsOf(s.params, s.language)
	for fresh := false; ; fresh = true {
		c, err := r.connection(ctx, set, fresh)
		if err != nil {
			return err
		}
		t := &turn{stream: s, conn: c}
		final, err := t.run(ctx)
		if err == nil {
			r.release(c) // before anyone knows of the final: the next utterance finds the connection
			s.settle(final)
			return nil
		}
		c.cut()
		if !c.reused || t.heard || ctx.Err() != nil {
			return err
		}
	}
}

// release puts a connection that has answered into the pool, or closes it.
func (r *Recognizer) release(c *conn) {
	if !c.variant.once && time.Since(c.born) < r.config.Renew {
		r.pool.put(c)
	} else if !r.server.Begin(c.leave) {
		c.cut()
	}
}

// turn is an utterance on a connection. It belongs to the utterance's goroutine.
type turn struct {
	stream *stream
	conn   *conn
	heard  bool // the server has sent something
	items  items

	up       audio.Upsampler
	sent     int // samples
	ended    bool
	message  []byte // of the last audio sent
	bytes    []byte
	resample []int16
}

// run sends the utterance as it is written and receives what the server makes of it, until that is
// the final, which it returns. Errors: ErrLanguage, a failure, or the cause of ctx.
func (t *turn) run(ctx context.Context) (*asr.Result, error) {
	if begin := t.conn.variant.begin; begin != nil {
		if err := t.timed(ctx, func(ctx context.Context) error { return t.conn.send(ctx, begin) }); err != nil {
			return nil, err
		}
	}
	final := time.NewTimer(t.stream.recognizer.server.Limits.Timeout)
	defer final.Stop()
	for !t.items.finished(t.conn.variant) {
		if err := t.transmit(ctx, final); err != nil {
			return nil, err
		}
		select {
		case <-t.stream.more:
		case e, ok := <-t.conn.events:
			if !ok {
				return nil, errLost
			}
			if err := t.receive(e); err != nil {
				return nil, err
			}
		case <-final.C:
			if t.ended {
				return nil, &remote.Failure{Text: "no final in time", Own: true}
			}
		case <-ctx.Done():
			return nil, expired(ctx, "no final in time")
		}
	}
	return t.stream.outcome(&t.items)
}

// transmit sends what can be sent by now. After the end of the utterance it starts the timer of the
// final.
func (t *turn) transmit(ctx context.Context, final *time.Timer) error {
	for !t.ended {
		samples, ended := t.stream.due(t.sent)
		if len(samples) == 0 && !ended {
			return nil
		}
		t.sent += len(samples)
		last := ended && len(samples) == 0
		err := t.timed(ctx, func(ctx context.Context) error {
			if !last {
				return t.audio(ctx, samples)
			}
			return t.commit(ctx)
		})
		if err != nil {
			return err
		}
		if last {
			t.ended = true
			t.items.ended = true
			final.Reset(t.stream.recognizer.server.Limits.Timeout)
		}
	}
	return nil
}

// timed calls send with a bound on its time.
func (t *turn) timed(ctx context.Context, send func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, t.stream.recognizer.server.Limits.Timeout)
	defer cancel()
	return send(ctx)
}

// due returns the next samples to send after the first n, whole steps before the end, and whether
// the utterance has ended. The samples do not change.
func (s *stream) due(n int) (samples []int16, ended bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	to := len(s.samples)
	if !s.ended {
		if s.tentative >= 0 {
			to = min(to, s.tentative)
		}
		to -= to % step
	}
	to = max(min(to, n+longest), n)
	s.sent = max(s.sent, to)
	return s.samples[n:to:to], s.ended
}

// audio sends samples.
func (t *turn) audio(ctx context.Context, samples []int16) error {
	if t.conn.variant.rate != asr.Rate {
		t.resample = t.up.Append(t.resample[:0], samples)
		samples = t.resample
	}
	return t.append(ctx, samples)
}

// commit sends the rest of the audio, and that it ends there.
func (t *turn) commit(ctx context.Context) error {
	if t.conn.variant.rate != asr.Rate {
		t.resample = t.up.Flush(t.resample[:0])
		if err := t.append(ctx, t.resample); err != nil {
			return err
		}
	}
	return t.conn.send(ctx, t.conn.variant.end)
}

// append sends samples at the server's rate.
func (t *turn) append(ctx context.Context, samples []int16) error {
	if len(samples) == 0 {
		return nil
	}
	t.bytes = audio.AppendPCM(t.bytes[:0], samples)
	t.message = append(t.message[:0], `{"type":"input_audio_buffer.append","audio":"`...)
	t.message = base64.StdEncoding.AppendEncode(t.message, t.bytes)
	t.message = append(t.message, `"}`...)
	return t.conn.write(ctx, t.message)
}

// receive takes an event of the server's.
func (t *turn) receive(e event) error {
	t.heard = true
	switch e.kind {
	case failed:
		return refusal(e)
	case errored:
		if t.conn.mild() && !t.ended {
			return nil
		}
		return refusal(e)
	}
	if err := t.items.add(e); err != nil {
		return err
	}
	if e.kind != committed && !t.items.finished(t.conn.variant) {
		t.stream.show(t.items.text())
	}
	return nil
}

// outcome returns the final that a server's items make.
func (s *stream) outcome(i *items) (*asr.Result, error) {
	s.mu.Lock()
	samples := s.samples
	s.mu.Unlock()
	words, err := remote.Words(i.text(), samples) // nobody writes any more
	if err != nil {
		return nil, err
	}
	return s.final(i.language, words), nil
}

// settle sets the final.
func (s *stream) settle(final *asr.Result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopBudget()
	s.unshown, s.fresh = true, false
	if s.err == nil {
		s.result = final
	}
	signal(s.changed)
}
