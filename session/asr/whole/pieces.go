package whole

import (
	"steno/session/asr"
	"steno/session/asr/schedule"
)

// from returns where the last piece begins. The caller of this and the following methods holds the lock.
func (u *stream) from() int {
	if n := len(u.pieces); n > 0 {
		return u.pieces[n-1].end
	}
	return 0
}

// rest returns how many samples the last piece has.
func (u *stream) rest() int { return len(u.samples) - u.from() }

// tooLong reports whether the last piece must be cut, which it is not yet while samples may be taken back. Nothing that is
// decoded of it would be of use.
func (u *stream) tooLong() bool { return u.longest() > 0 && u.rest() > u.longest() }

// longest returns the length of the longest piece in samples; 0: there is no limit.
func (u *stream) longest() int {
	if n := u.m.config.LongestRecorded; n > 0 && u.params.Recorded {
		return n
	}
	return u.m.config.Longest
}

// divide cuts pieces off the last one for as long as it is too long, among the samples that stay. The places are those of
// [Cut].
func (u *stream) divide() {
	most, sure := u.longest(), len(u.samples)
	if u.sure >= 0 {
		sure = min(sure, u.sure)
	}
	for most > 0 && sure-u.from() > most {
		u.dropGuess()
		from := u.from()
		u.pieces = append(u.pieces, piece{end: from + place(u.samples[from:], most)})
		u.dropPartial()
		u.after = nil
	}
}

// undivide takes back the pieces that would not be there if the utterance had n samples.
func (u *stream) undivide(n int) {
	from := 0
	for i, p := range u.pieces {
		if n-from <= u.longest() {
			if u.work != nil && u.work.Task.(task).piece >= i {
				u.m.queue.Drop(u.work)
				u.work = nil
			}
			u.pieces, u.after = u.pieces[:i], nil
			return
		}
		from = p.end
	}
}

// dropGuess drops what was begun or decoded of the last piece, which grows. A decode of it that is running has no effect.
func (u *stream) dropGuess() {
	running := u.work != nil && u.work.Task.(task).piece == len(u.pieces)
	begun := u.last.done || running && !u.m.queue.Drop(u.work)
	if begun {
		u.m.queue.Shed(ShedGuess, 1)
	}
	if running {
		u.work = nil
	}
	u.last = piece{}
}

// task is what a piece of work does: it decodes a piece of an utterance, those before the last or the last, or a partial.
type task struct {
	u     *stream
	piece int
}

// decodeNext queues the first piece that is not decoded, unless one is being decoded; the last only if it is complete, or
// likely to be. Where all pieces of an utterance that ended are decoded the final is there.
func (u *stream) decodeNext(class schedule.Class) {
	if u.gone || u.work != nil {
		return
	}
	next := len(u.pieces)
	for i, p := range u.pieces {
		if !p.done {
			next = i
			break
		}
	}
	switch {
	case next < len(u.pieces):
		if class == schedule.Guess {
			class = schedule.Lagged
		}
	case u.last.done || u.rest() == 0:
		if u.ended {
			u.decide(u.result(u.last.outcome, u.last.done))
		}
		return
	case class == schedule.Lagged:
		return
	}
	if u.replay() {
		class = schedule.Replay
	}
	u.work = &schedule.Work{Class: class, Samples: u.end(next) - u.start(next), Task: task{u, next}}
	u.m.queue.Put(u.work)
}

func (u *stream) start(n int) int {
	if n == 0 {
		return 0
	}
	return u.pieces[n-1].end
}

func (u *stream) end(n int) int {
	if n < len(u.pieces) {
		return u.pieces[n].end
	}
	return u.last.end
}

// result makes a result of the pieces and, if there is one, an outcome of the last.
func (u *stream) result(last any, has bool) asr.Result {
	all := u.outcomes(len(u.pieces))
	if has {
		all = append(all, last)
	}
	return u.m.config.Decoder.Result(u.params, all)
}

// outcomes returns those of the first n pieces.
func (u *stream) outcomes(n int) []any {
	var out []any
	for _, p := range u.pieces[:n] {
		out = append(out, p.outcome)
	}
	return out
}
