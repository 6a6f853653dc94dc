package whole

import (
	"steno/session/asr"
	"steno/session/asr/schedule"
)

// division is what was written of an utterance, divided into pieces.
type division struct {
	samples []int16 // never change once written: a slice of them may be read without the lock
	pieces  []piece // those before the last, in order
	last    piece   // the one that grows, from the end of pieces to the end of samples
	most    int     // length of the longest piece in samples; 0: there is no limit
}

// piece is a stretch of the utterance and its outcome.
type piece struct {
	end     int // of its samples; of the last piece, where it was when decoding began
	outcome any
	done    bool // outcome is there
}

// from returns where the last piece begins.
func (d *division) from() int { return d.start(len(d.pieces)) }

// rest returns how many samples the last piece has.
func (d *division) rest() int { return len(d.samples) - d.from() }

// tooLong reports whether the last piece must be cut, which it is not yet while samples may be
// taken back. Nothing that is decoded of it would be of use.
func (d *division) tooLong() bool { return d.most > 0 && d.rest() > d.most }

// start returns where a piece begins.
func (d *division) start(n int) int {
	if n == 0 {
		return 0
	}
	return d.pieces[n-1].end
}

// end returns where a piece ends.
func (d *division) end(n int) int {
	if n < len(d.pieces) {
		return d.pieces[n].end
	}
	return d.last.end
}

// outcomes returns those of the first n pieces.
func (d *division) outcomes(n int) []any {
	var out []any
	for _, p := range d.pieces[:n] {
		out = append(out, p.outcome)
	}
	return out
}

// longest returns the length in samples of the longest piece of an utterance with the parameters;
// 0: there is no limit.
func (m *Model) longest(p asr.Params) int {
	if n := m.config.LongestRecorded; n > 0 && p.Recorded {
		return n
	}
	return m.config.Longest
}

// divide cuts pieces off the last one for as long as it is too long, among the samples that stay.
// The places are those of [Cut]. The caller of this and the following methods holds the lock.
func (u *stream) divide() {
	sure := len(u.samples)
	if u.sure >= 0 {
		sure = min(sure, u.sure)
	}
	for u.most > 0 && sure-u.from() > u.most {
		u.dropGuess()
		from := u.from()
		u.pieces = append(u.pieces, piece{end: from + place(u.samples[from:], u.most)})
		u.dropPartial()
		u.after = nil
	}
}

// undivide takes back the pieces that would not be there if the utterance had n samples.
func (u *stream) undivide(n int) {
	from := 0
	for i, p := range u.pieces {
		if n-from <= u.most {
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

// dropGuess drops what was begun or decoded of the last piece, which grows. A decode of it that is
// running has no effect.
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

// task is what a piece of work does: it decodes a piece of an utterance, those before the last or
// the last, or a partial.
type task struct {
	u     *stream
	piece int
}

// decodeNext queues the first piece that is not decoded, unless one is being decoded; the last only
// if it is complete, or likely to be. Where all pieces of an utterance that ended are decoded the
// final is there.
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
	if u.params.Priority == asr.Replay {
		class = schedule.Replay
	}
	u.work = &schedule.Work{Class: class, Samples: u.end(next) - u.start(next), Task: task{u, next},
		Party: u.params.Party}
	u.m.queue.Put(u.work)
}

// result makes a result of the pieces and, if there is one, an outcome of the last.
func (u *stream) result(last any, has bool) asr.Result {
	all := u.outcomes(len(u.pieces))
	if has {
		all = append(all, last)
	}
	return u.m.config.Decoder.Result(u.params, all)
}
