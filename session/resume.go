package session

import (
	"context"
	"errors"
	"fmt"
	"io"

	"steno/messages"
	"steno/session/addon"
)

// restore sets the lanes to their checkpoints and learns what was announced after them. A lane without a usable
// checkpoint starts over; what it makes again is known by its keys. What finals in the log still miss of their add-ons is
// returned.
func (s *Session) restore(ctx context.Context) ([]addon.Step, error) {
	s.received = s.cfg.Ledger.AudioSize()
	s.acked = s.received
	var err error
	if s.silences.marks, err = s.cfg.Ledger.Silences(ctx); err != nil {
		return nil, fmt.Errorf("read silences: %w", err)
	}
	if err := s.restoreLanes(ctx); err != nil {
		return nil, err
	}
	pending := newPendingSteps(s.cfg.Addons)
	err = eachEvent(ctx, s.cfg.Ledger, 0, func(e messages.Event) error {
		pending.add(e)
		return s.learn(e)
	})
	if err != nil {
		return nil, err
	}
	return pending.steps()
}

func (s *Session) restoreLanes(ctx context.Context) error {
	checkpoints, err := s.cfg.Ledger.Checkpoints(ctx)
	if err != nil {
		return fmt.Errorf("read checkpoints: %w", err)
	}
	for i, l := range s.lanes {
		state, ok := checkpoints[i]
		if !ok {
			continue
		}
		cut, err := l.restoreState(state)
		if err == nil && (l.ticks*int64(s.format.TickBytes()) > s.received || l.silentTicks > int64(len(s.silences.marks))*silenceTicks) {
			err = errCheckpoint // a power cut took the end of the journal
		}
		if errors.Is(err, errCheckpoint) {
			if s.lanes[i], err = s.newLane(i); err != nil {
				return err
			}
			continue
		}
		l.resumeAt = cut
	}
	return nil
}

// learn notes which utterances' speech_end are out, so that no partial is sent after them, and which language was
// found.
func (s *Session) learn(e messages.Event) error {
	if e.Kind != messages.KindSpeechEnd && e.Kind != messages.KindFinal {
		return nil
	}
	channel, number, ok := messages.ParseUtteranceID(e.Subject)
	if !ok || channel >= len(s.lanes) {
		return nil
	}
	l := s.lanes[channel]
	if e.Kind == messages.KindSpeechEnd {
		l.announced = max(l.announced, number)
		return nil
	}
	if !l.language.undecided() {
		return nil
	}
	u, err := finalOf(e)
	if err != nil {
		return err
	}
	l.language.decide(u.Language, number)
	return nil
}

// resume emits the opening events and runs the journal from where the lanes stand.
func (s *Session) resume(ctx context.Context) error {
	s.in.Lock()
	defer s.in.Unlock()
	return s.unlessFailed(s.guard(func() error { return s.goOn(ctx) }))
}

// goOn is resume, with in held.
func (s *Session) goOn(ctx context.Context) error {
	s.failOn(s.out.emit(s.life, messages.Key{Kind: messages.KindStartSession}, messages.StartSession{}, noCheckpoint))
	s.failOn(s.out.emit(s.life, messages.Key{Kind: messages.KindStartRecording}, messages.StartRecording{}, noCheckpoint))
	if err := s.rerun(ctx); err != nil {
		return err
	}
	stopped, err := s.cfg.Ledger.Stopped(ctx)
	if err != nil {
		return fmt.Errorf("read stop: %w", err)
	}
	if stopped && !s.stopped {
		return s.endAudio()
	}
	return nil
}

// rerun runs the journal from the earliest lane's position to its end.
func (s *Session) rerun(ctx context.Context) error {
	for _, l := range s.lanes {
		if l.resumeAt >= 0 {
			if err := l.begin(s, l.resumeAt, l.resumeAt); err != nil {
				return err
			}
		}
	}
	offset, err := s.startOffset(ctx)
	if err != nil {
		return err
	}
	s.skipTo(offset)
	if err := s.take(nil); err != nil {
		return s.unlessFailed(err)
	}
	buf := make([]byte, 64<<10)
	for offset < s.received {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := s.cfg.Ledger.ReadAudioAt(ctx, buf[:min(int64(len(buf)), s.received-offset)], offset)
		if n == 0 && err != nil {
			return fmt.Errorf("read journal at %d: %w", offset, err)
		}
		offset += int64(n)
		if err := s.take(buf[:n]); err != nil {
			return s.unlessFailed(err)
		}
	}
	return nil
}

// skipTo says that what lies before the byte has been through all lanes.
func (s *Session) skipTo(offset int64) {
	for at, ok := s.silences.next(offset - 1); ok; at, ok = s.silences.next(offset - 1) {
		s.silences.pass(max(at-int64(s.intake.header), 0) / int64(s.format.TickBytes()))
	}
	s.taken = offset
}

// unlessFailed passes over a failure that ended the session in the ordinary way.
func (s *Session) unlessFailed(err error) error {
	var f *Failure
	if errors.As(err, &f) {
		return nil
	}
	return err
}

// startOffset is the byte from which the lanes need the journal. Where that is not the beginning, the intake is told
// of the header it will not see.
func (s *Session) startOffset(ctx context.Context) (int64, error) {
	first := s.lanes[0].ticks
	for _, l := range s.lanes {
		first = min(first, l.ticks)
	}
	if first == 0 {
		return 0, nil
	}
	head := make([]byte, min(s.received, 64<<10))
	if _, err := s.cfg.Ledger.ReadAudioAt(ctx, head, 0); err != nil && !errors.Is(err, io.EOF) {
		return 0, fmt.Errorf("read journal's head: %w", err)
	}
	if _, err := s.intake.skipHeader(head); err != nil {
		return 0, err
	}
	s.ticks = first
	return int64(s.intake.header) + first*int64(s.format.TickBytes()), nil
}
