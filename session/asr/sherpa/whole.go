package sherpa

import (
	"context"

	"steno/session/asr"
	"steno/session/asr/schedule"
)

// ShedGuess is the reason for finals begun in a pause that was none.
const ShedGuess = "guess"

// whole is an utterance in a model for whole utterances: one piece of work, begun at its end, or in a pause that may be
// the end where a slot is idle.
type whole struct {
	speech
	hotwords string

	work  *schedule.Work // of all samples so far: waiting or being decoded
	guess *heard         // of all samples so far
}

// given is a piece of work: an utterance's samples.
type given struct {
	u       *whole
	samples []int16
}

func (m *model) gather(ctx context.Context, p asr.Params) (*whole, error) {
	p.Partials = false
	u := &whole{hotwords: m.hotwords(p.Vocabulary)}
	if err := u.enter(ctx, m, p, u.let); err != nil {
		return nil, err
	}
	return u, nil
}

func (u *whole) Write(samples []int16) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.append(samples); err != nil {
		return err
	}
	if len(samples) > 0 {
		u.let()
	}
	return nil
}

// let gives up what was begun. What is being decoded just now comes to nothing.
func (u *whole) let() {
	if u.work != nil {
		u.m.queue.Drop(u.work)
	}
	if !u.ended && (u.work != nil || u.guess != nil) {
		u.m.queue.Shed(ShedGuess, 1)
	}
	u.work, u.guess = nil, nil
}

// Pause begins the final where a slot is idle. Recordings have no pauses that anybody waits in.
func (u *whole) Pause() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.late(); err != nil {
		return err
	}
	if u.work != nil || u.guess != nil || len(u.samples) == 0 || u.replay() {
		return nil
	}
	if w := u.piece(); u.m.queue.PutIfIdle(w) {
		u.work = w
	}
	return nil
}

func (u *whole) End() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.late(); err != nil {
		return err
	}
	u.ended = true
	switch {
	case len(u.samples) == 0:
		u.decide(heard{})
	case u.guess != nil:
		u.decide(*u.guess)
	case u.work == nil || u.m.queue.Drop(u.work):
		u.work = u.piece()
		u.m.queue.Put(u.work)
	}
	return nil
}

// piece is the work of all samples so far.
func (u *whole) piece() *schedule.Work {
	class := schedule.Final
	if u.replay() {
		class = schedule.Replay
	}
	return &schedule.Work{Class: class, Samples: len(u.samples), Task: given{u, u.samples}}
}

// decode decodes whole utterances, one after the other: in one call they would be padded to the longest of them, which
// shows in the results. It is these models' Decode.
func (m *model) decode(batch []*schedule.Work) {
	for _, w := range batch {
		g := w.Task.(given)
		if !g.u.wants(w) {
			continue
		}
		h := m.hear(g.samples, g.u.params, g.u.hotwords)
		g.u.decoded(w, h)
	}
}

func (u *whole) wants(w *schedule.Work) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return !u.gone && u.work == w
}

func (u *whole) decoded(w *schedule.Work, h heard) {
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
