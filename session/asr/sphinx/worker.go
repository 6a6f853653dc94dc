package sphinx

import (
	"fmt"
	"time"

	"steno/session/asr/schedule"
)

// worker has one decoder with a vocabulary: words that were added to a decoder stay in it. It
// decodes one utterance at a time; the others wait.
type worker struct {
	r *Recognizer

	// Guarded by the recognizer's lock.
	pool           // of the one decoder
	key     string // vocabulary of the newest search
	pending int    // searches that have chosen the worker and are not over, and preloads
	used    int    // the recognizer's count of choices at the newest one
	loaded  string // key of the decoder's vocabulary

	// Used by the learning queue's one call at a time, and by Close afterwards.
	learner  learner // nil: none
	learning string  // key of its vocabulary
}

// VocabularyLoads counts the decoders loaded with a vocabulary.
type VocabularyLoads struct {
	Count int           // loads
	Time  time.Duration // taken by them
}

func (r *Recognizer) addWorkers() {
	for i := range r.config.Vocabularies {
		w := &worker{r: r}
		queue := r.scheduler.Add(schedule.Model{
			Name: fmt.Sprintf("%s-vocabulary-%d", r.config.Name, i+1), Parallel: 1, OneThread: true, GivesWay: true,
			Decode: r.runSearch,
		})
		w.pool = pool{decoders: []*pooledDecoder{{}}, finals: queue, lagged: queue}
		r.workers = append(r.workers, w)
	}
}

// workerFor returns the worker that has a vocabulary; else the idle one that was unused longest, to
// load it; else the one with the fewest searches. The caller holds the lock.
func (r *Recognizer) workerFor(key string) *worker {
	best := r.workers[0]
	for _, w := range r.workers {
		if w.key == key {
			return w
		}
		if w.pending < best.pending || w.pending == best.pending && w.used < best.used {
			best = w
		}
	}
	return best
}

// openWorker returns a worker for an utterance in progress: one that has the vocabulary and a free
// decoder, or else the idle one that was unused longest; nil if there is none. The caller holds the
// lock.
func (r *Recognizer) openWorker(key string) *worker {
	var best *worker
	for _, w := range r.workers {
		if w.key == key && w.open() {
			return w
		}
		if w.key == key && w.decoders[0].loading {
			return nil // it learns that vocabulary
		}
		if w.pending == 0 && (best == nil || w.used < best.used) {
			best = w
		}
	}
	return best
}

// take notes that a search or a preload has chosen the worker.
func (w *worker) take(key string) {
	w.r.puts++
	w.pending++
	w.key, w.used = key, w.r.puts
}

// prepare has an empty worker load a vocabulary while the first utterance with it is spoken, so
// that the final need not wait for it.
func (r *Recognizer) prepare(l lexicon, party string) {
	if w := r.workerFor(l.key); w.key == "" {
		w.take(l.key)
		r.learning.Put(&schedule.Work{Class: schedule.Partial, Task: &preload{w, l}, Party: party})
	}
}

// free is called without the recognizer's lock.
func (w *worker) free() {
	w.r.mu.Lock()
	d := w.decoders[0].decoder
	w.decoders[0].decoder, w.loaded = nil, ""
	w.r.mu.Unlock()
	if d != nil {
		d.Free()
	}
	if w.learner != nil {
		w.learner.Free()
		w.learner, w.learning = nil, ""
	}
}
