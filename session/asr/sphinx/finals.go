package sphinx

import "steno/session/asr/schedule"

// whole is the decoding of all of an utterance's samples. It is begun when the utterance has ended, or on speculation when
// it pauses; more samples then make it worthless, though it cannot be interrupted.
type whole struct {
	u       *stream
	samples []int16
	parts   []*part // by a plain decoder and, where there is a vocabulary, by one that was taught it
	left    int     // parts not yet decoded
	err     error
}

// part is one decode of a whole.
type part struct {
	schedule.Work
	of    *whole
	place *place // of a taught decoder, once put; nil: any plain one
	put   bool
	path  []segment
}

func (s *stream) newWhole() *whole {
	w := &whole{u: s, samples: s.samples}
	w.add()
	if s.lexicon.key != "" {
		w.add()
	}
	return w
}

func (w *whole) add() {
	p := &part{of: w}
	p.Work = schedule.Work{Samples: len(w.samples), Task: p}
	if w.u.replay {
		p.Class = schedule.Replay
	}
	w.parts = append(w.parts, p)
	w.left++
}

// path is that of the whole utterance, once all parts are decoded.
func (w *whole) path() []segment {
	if len(w.parts) == 1 {
		return w.parts[0].path
	}
	return merged(w.parts[0].path, w.parts[1].path)
}

// speculate begins the final if there are means to spare. Recordings do not: nobody waits for them.
func (r *Recognizer) speculate(u *stream) {
	if u.whole != nil || u.replay || len(u.samples) == 0 {
		return
	}
	w := u.newWhole()
	for i, p := range w.parts {
		place := r.placeOf(w, i)
		if r.queueAt(place).PutIfIdle(&p.Work) {
			p.wasPut(place)
			u.whole = w
		}
	}
	if u.whole != nil {
		r.speculations.Begun++
	}
}

// discard gives up the decoding of the whole, if there is one.
func (r *Recognizer) discard(u *stream) {
	if u.whole == nil {
		return
	}
	for _, p := range u.whole.parts {
		dropped := p.put && r.queueAt(p.place).Drop(&p.Work) // a slot that has it already finds it not wanted
		if dropped && p.place != nil {
			p.place.pending--
		}
	}
	u.whole = nil
	if !u.ended {
		r.speculations.Wasted++
	}
}

// owe makes sure that the final will come, or is there: what was begun on speculation is taken over.
func (r *Recognizer) owe(u *stream) {
	if u.whole == nil {
		u.whole = u.newWhole()
	} else {
		r.speculations.Used++
	}
	w := u.whole
	if w.left == 0 {
		u.decide(w)
		return
	}
	for i, p := range w.parts {
		if !p.put {
			p.wasPut(r.placeOf(w, i))
			r.queueAt(p.place).Put(&p.Work)
		}
	}
}

// placeOf is where part i of a whole goes.
func (r *Recognizer) placeOf(w *whole, i int) *place {
	if i == 0 {
		return nil
	}
	return r.placeFor(w.u.lexicon.key)
}

func (r *Recognizer) queueAt(p *place) *schedule.Queue {
	if p != nil {
		return p.queue
	}
	return r.finalQueue
}

func (p *part) wasPut(at *place) {
	p.put, p.place = true, at
	if at != nil {
		at.take(p.of.u.lexicon.key)
	}
}

// wanted tells whether the final still waits for the part.
func (p *part) wanted() bool { return p.of.u.whole == p.of }

// decodePlain gives the lock up while decoding.
func (r *Recognizer) decodePlain(batch []*schedule.Work) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := batch[0].Task.(*part)
	if !p.wanted() {
		return
	}
	last := len(r.finals) - 1
	decoder := r.finals[last]
	r.finals = r.finals[:last]

	r.mu.Unlock()
	path, err := decoder.Decode(p.of.samples)
	r.mu.Lock()

	r.finals = append(r.finals, decoder)
	p.finish(path, err)
}

// finish is the end of a part. The last one decides the final, if the utterance has ended.
func (p *part) finish(path []segment, err error) {
	w := p.of
	p.path = path
	w.left--
	if w.err == nil {
		w.err = err
	}
	if w.left == 0 && p.wanted() && w.u.ended {
		w.u.decide(w)
	}
}
