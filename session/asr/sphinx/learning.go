package sphinx

import (
	"fmt"
	"time"

	"steno/session/asr/schedule"
)

// learner makes a decoder with a vocabulary, in steps of some hundredths of a second, but for those
// that load a decoder. It is used by one goroutine at a time.
type learner interface {
	// Step does some of the work. It returns the decoder, which is the caller's, when all is done,
	// else nil.
	Step() (finalDecoder, error)
	// Free abandons what was not done.
	Free()
}

// Vocabularies are learned in a queue of their own, one at a time, step by step. What an
// utterance's vocabulary takes is the utterance's own: of several slots one does it at most, and
// after each step it leaves that slot to the work of other utterances. Once the utterance has ended
// it is due as late as if its words had to be learned then, so that it does not wait for ever.

// learnWord is what learning a word takes, about: finals that are due before are decoded before.
const learnWord = 6 * time.Millisecond

func (r *Recognizer) addLearning() {
	r.learning = r.scheduler.Add(schedule.Model{
		Name: r.config.Name + "-vocabularies", Parallel: 1, OneThread: true, GivesWay: true, Decode: r.learn,
	})
}

// preload is a task that only loads a vocabulary.
type preload struct {
	worker  *worker
	lexicon lexicon
}

// learn does the work of the learning queue.
func (r *Recognizer) learn(batch []*schedule.Work) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s, ok := batch[0].Task.(*search); ok {
		s.learn(batch[0])
		return
	}
	batch[0].Task.(*preload).run(r, batch[0])
}

// run learns until other work is more urgent. It is called with the lock, which it releases while
// it learns.
func (p *preload) run(r *Recognizer, work *schedule.Work) {
	w := p.worker
	d := w.idle()
	// another vocabulary came first, or who has the decoder learns this one
	if w.key != p.lexicon.key || d == nil || w.loaded == p.lexicon.key {
		w.pending--
		return
	}
	d.loading = true
	r.mu.Unlock()
	done, err := w.learn(p.lexicon, work)
	r.mu.Lock()
	d.loading = false
	w.next()
	if done || err != nil || r.closed { // the utterance will meet and report the error
		w.pending--
		return
	}
	r.learning.Put(&schedule.Work{Class: work.Class, Task: p, Party: work.Party, Rest: true})
}

// learn teaches the worker's decoder a vocabulary until that is done or other work is more urgent.
// It is called without the recognizer's lock, by the learning queue, for who holds the decoder.
func (w *worker) learn(l lexicon, work *schedule.Work) (done bool, err error) {
	for {
		if done, err = w.learnStep(l); done || err != nil || w.r.learning.Outranked(work.Class, work.Due, work.Party) {
			return done, err
		}
	}
}

func (w *worker) learnStep(l lexicon) (done bool, err error) {
	began := time.Now()
	if w.learner == nil || w.learning != l.key {
		w.free()
		w.learner, w.learning = w.r.from.Learn(l), l.key
	}
	d, err := w.learner.Step()
	w.r.mu.Lock()
	defer w.r.mu.Unlock()
	w.r.loads.Time += time.Since(began)
	if d == nil && err == nil {
		return false, nil
	}
	w.r.loads.Count++
	w.learner, w.learning = nil, ""
	if err != nil {
		return false, fmt.Errorf("sphinx: vocabulary: %w", err)
	}
	w.decoders[0].decoder, w.loaded = d, l.key
	return true, nil
}

// putLearning puts the search into the learning queue. It holds its worker's decoder, which lacks
// its vocabulary.
func (s *search) putLearning(rest bool) {
	w := schedule.Work{Class: s.wholeClass(), Rest: rest}
	switch {
	case !s.u.replay && !s.u.ended && !s.guess:
		w.Class = schedule.Partial
	case !s.due.IsZero():
		w.Due = s.due.Add(time.Duration(len(s.u.lexicon.words)) * learnWord)
	}
	s.putIn(s.u.r.learning, w)
}

// learn is the turn of a search in the learning queue. It releases the lock while it learns.
func (s *search) learn(work *schedule.Work) {
	if s.work != work {
		return
	}
	s.work = nil
	r := s.u.r
	if s.held == nil { // it was taken back
		s.ran(nil, false, nil)
		return
	}
	s.running = true
	r.mu.Unlock()
	done, err := s.worker.learn(s.u.lexicon, work)
	r.mu.Lock()
	s.running = false
	if done || err != nil || s.stale.Load() || !s.u.ended && len(s.pool.parked) > 0 {
		s.ran(nil, false, err)
		return
	}
	s.putLearning(true)
}
