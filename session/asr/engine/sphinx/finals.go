package sphinx

import "steno/session/asr/engine/schedule"

// whole is one decode of all of an utterance's samples. It is begun when the utterance has ended, or on speculation when
// it pauses; more samples then make it worthless, though it cannot be interrupted.
type whole struct {
	schedule.Work
	u       *utterance
	place   *place // nil: any plain decoder
	samples []int16
	done    bool
	path    []segment
	err     error
}

func (u *utterance) newWhole() *whole {
	w := &whole{u: u, samples: u.samples}
	w.Work = schedule.Work{Samples: len(u.samples), Task: w}
	if u.replay {
		w.Class = schedule.Replay
	}
	if u.lexicon.key != "" {
		w.place = u.r.placeFor(u.lexicon.key)
	}
	return w
}

// speculate begins the final if there are means to spare. Recordings do not: nobody waits for them.
func (r *Recognizer) speculate(u *utterance) {
	if u.whole != nil || u.replay || len(u.samples) == 0 {
		return
	}
	w := u.newWhole()
	if r.queueOf(w).PutIfIdle(&w.Work) {
		r.note(w)
		r.speculations.Begun++
	}
}

// discard gives up the decode of the whole, if there is one.
func (r *Recognizer) discard(u *utterance) {
	if u.whole == nil {
		return
	}
	if r.queueOf(u.whole).Drop(&u.whole.Work) && u.whole.place != nil { // a slot that has it already finds it not wanted
		u.whole.place.pending--
	}
	u.whole = nil
	if !u.ended {
		r.speculations.Wasted++
	}
}

// owe makes sure that the final will come, or is there: what was begun on speculation is taken over.
func (r *Recognizer) owe(u *utterance) {
	if u.whole != nil {
		r.speculations.Used++
		if u.whole.done {
			u.decide(u.whole)
		}
		return
	}
	w := u.newWhole()
	r.note(w)
	r.queueOf(w).Put(&w.Work)
}

func (r *Recognizer) queueOf(w *whole) *schedule.Queue {
	if w.place != nil {
		return w.place.queue
	}
	return r.finalQueue
}

// note makes w the utterance's whole.
func (r *Recognizer) note(w *whole) {
	w.u.whole = w
	if w.place != nil {
		w.place.take(w)
	}
}

// decodeWhole gives the lock up while decoding.
func (r *Recognizer) decodeWhole(batch []*schedule.Work) {
	r.mu.Lock()
	defer r.mu.Unlock()
	w := batch[0].Task.(*whole)
	if w.u.whole != w {
		return
	}
	last := len(r.finals) - 1
	decoder := r.finals[last]
	r.finals = r.finals[:last]

	r.mu.Unlock()
	path, err := decoder.Decode(w.samples)
	r.mu.Lock()

	r.finals = append(r.finals, decoder)
	r.finish(w, path, err)
}

func (r *Recognizer) finish(w *whole, path []segment, err error) {
	w.path, w.err, w.done = path, err, true
	if w.u.whole == w && w.u.ended {
		w.u.decide(w)
	}
}
