package sherpa

import (
	"context"

	"steno/session/asr"
	"steno/session/asr/schedule"
)

// ShedGuess is the reason for finals begun in a pause after which speech went on.
const ShedGuess = "guess"

// wholeStream is an utterance in a model for whole utterances: one piece of work, begun at its end, or in a pause when a
// slot has nothing else to do.
type wholeStream struct {
	baseStream
	hotwords string

	work  *schedule.Work // of all samples so far: waiting or being decoded
	guess *hypothesis    // of all samples so far
}

// task is a piece of work: an utterance's samples.
type task struct {
	u       *wholeStream
	samples []int16
}

func (m *model) gather(ctx context.Context, p asr.Params) (*wholeStream, error) {
	p.Partials = false
	u := &wholeStream{hotwords: m.hotwords(p.Vocabulary)}
	if err := u.enter(ctx, m, p, u.discard); err != nil {
		return nil, err
	}
	return u, nil
}

func (u *wholeStream) Write(samples []int16) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.append(samples); err != nil {
		return err
	}
	if len(samples) > 0 {
		u.discard()
	}
	return nil
}

// discard gives up what was begun. A decode of it that is running has no effect.
func (u *wholeStream) discard() {
	begun := u.guess != nil || u.work != nil && !u.m.queue.Drop(u.work)
	if begun && !u.ended {
		u.m.queue.Shed(ShedGuess, 1)
	}
	u.work, u.guess = nil, nil
}

// Pause has the final decoded when a slot has nothing else to do. It does nothing for recordings, whose clients do not wait.
func (u *wholeStream) Pause() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.late(); err != nil {
		return err
	}
	if u.work != nil || u.guess != nil || len(u.samples) == 0 || u.replay() {
		return nil
	}
	u.work = u.piece()
	u.m.queue.Put(u.work)
	return nil
}

func (u *wholeStream) End() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.late(); err != nil {
		return err
	}
	u.ended = true
	switch {
	case len(u.samples) == 0:
		u.decide(hypothesis{})
	case u.guess != nil:
		u.decide(*u.guess)
	case u.work == nil || u.m.queue.Drop(u.work):
		u.work = u.piece()
		u.m.queue.Put(u.work)
	}
	return nil
}

// piece returns the work of decoding all samples so far.
func (u *wholeStream) piece() *schedule.Work {
	class := schedule.Final
	switch {
	case u.replay():
		class = schedule.Replay
	case !u.ended:
		class = schedule.Guess
	}
	return &schedule.Work{Class: class, Samples: len(u.samples), Task: task{u, u.samples}}
}

// decode decodes whole utterances, one after the other: in one call they would be padded to the longest of them, which
// changes the results. It is these models' Decode.
func (m *model) decode(batch []*schedule.Work) {
	for _, w := range batch {
		g := w.Task.(task)
		if !g.u.wants(w) {
			continue
		}
		h := m.decodeWhole(g.samples, g.u.params, g.u.hotwords)
		g.u.decoded(w, h)
	}
}

func (u *wholeStream) wants(w *schedule.Work) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return !u.gone && u.work == w
}

func (u *wholeStream) decoded(w *schedule.Work, h hypothesis) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.gone || u.work != w {
		return
	}
	u.work = nil
	if u.ended {
		u.decide(h)
		return
	}
	u.guess = &h
}
