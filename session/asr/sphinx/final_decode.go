package sphinx

import (
	"time"

	"steno/session/asr/schedule"
)

// finalDecode is the decoding of all of an utterance's samples. It begins when the utterance has ended, or by
// speculation when it pauses; more samples make it useless, though it cannot be interrupted.
type finalDecode struct {
	u       *stream
	samples []int16
	parts   []*decodeTask // one by a plain decoder and, if there is a vocabulary, one by a decoder that has it
	left    int           // tasks not yet decoded
	err     error
}

// decodeTask is one decode of a finalDecode.
type decodeTask struct {
	schedule.Work
	of     *finalDecode
	worker *worker // with the vocabulary's decoder, once put; nil: any plain decoder
	put    bool
	began  time.Time // when the decode began
	path   []segment
}

func (s *stream) newFinalDecode() *finalDecode {
	w := &finalDecode{u: s, samples: s.samples}
	w.add()
	if s.lexicon.key != "" {
		w.add()
	}
	return w
}

func (w *finalDecode) add() {
	p := &decodeTask{of: w}
	p.Work = schedule.Work{Samples: len(w.samples), Task: p}
	if w.u.replay {
		p.Class = schedule.Replay
	}
	w.parts = append(w.parts, p)
	w.left++
}

// began returns when the last of its decodes began. All of them have ended.
func (w *finalDecode) began() (last time.Time) {
	for _, p := range w.parts {
		if p.began.After(last) {
			last = p.began
		}
	}
	return last
}

// path returns the path of the whole utterance, once all tasks are done.
func (w *finalDecode) path() []segment {
	if len(w.parts) == 1 {
		return w.parts[0].path
	}
	return merge(w.parts[0].path, w.parts[1].path)
}

// speculate begins the final if a slot and a decoder are idle. It does not for recordings, whose clients do not wait.
func (r *Recognizer) speculate(u *stream) {
	if u.finalDecode != nil || u.replay || len(u.samples) == 0 {
		return
	}
	w := u.newFinalDecode()
	for i, p := range w.parts {
		worker := r.workerOf(w, i)
		if r.queueAt(worker).PutIfIdle(&p.Work) {
			p.wasPut(worker)
			u.finalDecode = w
		}
	}
	if u.finalDecode != nil {
		r.speculations.Begun++
	}
}

// discard gives up the final decode, if there is one.
func (r *Recognizer) discard(u *stream) {
	if u.finalDecode == nil {
		return
	}
	for _, p := range u.finalDecode.parts {
		dropped := p.put && r.queueAt(p.worker).Drop(&p.Work) // a slot that has it already will find that it is not wanted
		if dropped && p.worker != nil {
			p.worker.pending--
		}
	}
	u.finalDecode = nil
	if !u.ended {
		r.speculations.Wasted++
	}
}

// ensureFinal makes sure that the final is being decoded, or is ready: it uses what speculation began.
func (r *Recognizer) ensureFinal(u *stream) {
	if u.finalDecode == nil {
		u.finalDecode = u.newFinalDecode()
	} else {
		r.speculations.Used++
	}
	w := u.finalDecode
	if w.left == 0 {
		u.decide(w)
		return
	}
	for i, p := range w.parts {
		if !p.put {
			p.wasPut(r.workerOf(w, i))
			r.queueAt(p.worker).Put(&p.Work)
		}
	}
}

// workerOf returns the worker for task i of a final decode.
func (r *Recognizer) workerOf(w *finalDecode, i int) *worker {
	if i == 0 {
		return nil
	}
	return r.workerFor(w.u.lexicon.key)
}

func (r *Recognizer) queueAt(p *worker) *schedule.Queue {
	if p != nil {
		return p.queue
	}
	return r.finalQueue
}

func (p *decodeTask) wasPut(at *worker) {
	p.put, p.worker = true, at
	if at != nil {
		at.take(p.of.u.lexicon.key)
	}
}

// wanted reports whether the final still waits for the task.
func (p *decodeTask) wanted() bool { return p.of.u.finalDecode == p.of }

// decodePlain releases the lock while decoding.
func (r *Recognizer) decodePlain(batch []*schedule.Work) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := batch[0].Task.(*decodeTask)
	if !p.wanted() {
		return
	}
	p.began = time.Now()
	last := len(r.finals) - 1
	decoder := r.finals[last]
	r.finals = r.finals[:last]

	r.mu.Unlock()
	path, err := decoder.Decode(p.of.samples)
	r.mu.Lock()

	r.finals = append(r.finals, decoder)
	p.finish(path, err)
}

// finish ends a task. The last one decides the final, if the utterance has ended.
func (p *decodeTask) finish(path []segment, err error) {
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
