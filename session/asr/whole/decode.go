package whole

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"steno/session/asr"
	"steno/session/asr/schedule"
)

// decode is the Decode of the model's queue, which takes one piece of work at a time.
func (m *Model) decode(batch []*schedule.Work) {
	for _, w := range batch {
		t := w.Task.(task)
		switch w.Class {
		case schedule.FirstPartial, schedule.Partial:
			t.u.decodePartial(w)
		default:
			t.u.decodePiece(w, t.piece)
		}
	}
}

// decodePiece decodes a piece.
func (u *stream) decodePiece(w *schedule.Work, n int) {
	p, ok := u.take(w, n)
	if !ok {
		return
	}
	began := time.Now()
	outcome, err := u.m.config.Decoder.Decode(p)
	if u.params.Priority != asr.Replay {
		u.m.pace.finished(time.Since(began))
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.gone || u.work != w {
		return
	}
	u.work = nil
	switch {
	case errors.Is(err, ErrYielded):
	case err != nil && !u.ended && n == len(u.pieces):
		u.last = piece{} // speech may continue; else the final meets the same fault, if it is one
		return
	case err != nil:
		u.leave(fmt.Errorf("%s: %w", u.m.config.Name, err))
		return
	case n < len(u.pieces):
		u.pieces[n].outcome, u.pieces[n].done = outcome, true
	default:
		u.last.outcome, u.last.done = outcome, true
		if !u.ended {
			u.offer(u.result(outcome, true))
		}
	}
	u.decodeNext(u.class(w, n))
	u.wantPartial()
}

// class returns the class of the work that follows on other work.
func (u *stream) class(w *schedule.Work, n int) schedule.Class {
	switch {
	case u.ended:
		return schedule.Final
	case w.Class == schedule.Guess, u.last.end == len(u.samples) && !u.last.done && n < len(u.pieces):
		return schedule.Guess
	}
	return schedule.Lagged
}

// take returns the piece to decode if the work is still wanted.
func (u *stream) take(w *schedule.Work, n int) (Piece, bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.gone || u.work != w {
		return Piece{}, false
	}
	u.begun = time.Now()
	from, to := u.start(n), u.end(n)
	samples := u.samples[:to:to]
	switch {
	case n < len(u.pieces):
		samples = u.samples[:from+u.most]
	case len(u.following) > 0:
		samples = slices.Concat(samples, u.following)
	}
	return Piece{
		Samples: samples, From: from, To: to, Before: u.outcomes(n), Params: u.params,
		Yield: func() bool { return u.yields(w) },
	}, true
}

// longestRest is how long a recording rests for live speech at a time: with so much between its
// passes it is slow where people speak all the time, but comes to its end.
const longestRest = 200 * time.Millisecond

// yields reports whether the decoding of a piece should be abandoned: a guess for work that a
// client waits for, other pieces only where their outcome is not wanted any more. Recordings rest.
func (u *stream) yields(w *schedule.Work) bool {
	u.mu.Lock()
	gone, ended := u.gone || u.work != w, u.ended
	u.mu.Unlock()
	if w.Class == schedule.Replay && !gone {
		u.m.queue.Rest(longestRest)
	}
	return gone || !ended && w.Class == schedule.Guess && u.m.queue.Outranked(schedule.Lagged, time.Time{}, w.Party)
}
