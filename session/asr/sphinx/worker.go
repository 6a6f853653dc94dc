package sphinx

import (
	"fmt"
	"time"

	"steno/session/asr/schedule"
)

// worker has one decoder with a vocabulary: words that were added to a decoder stay in it. It decodes one utterance at
// a time; the others wait.
type worker struct {
	r *Recognizer

	// Guarded by the recognizer's lock.
	pool           // of the one decoder
	key     string // vocabulary of the newest search
	pending int    // searches that have chosen the worker and are not over, and preloads
	used    int    // the recognizer's count of choices at the newest one

	// Used by the queue's one decode at a time, and by Close afterwards.
	loaded string // key of the decoder's vocabulary
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
			Decode: w.decode,
		})
		w.pool = pool{decoders: []*pooledDecoder{{}}, finals: queue, lagged: queue}
		r.workers = append(r.workers, w)
	}
}

// workerFor returns the worker that has a vocabulary; else the idle one that was unused longest, to load it; else the
// one with the fewest searches. The caller holds the lock.
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

// openWorker returns a worker for an utterance that goes on: one that has the vocabulary and a free decoder, or else the
// idle one that was unused longest; nil if there is none. The caller holds the lock.
func (r *Recognizer) openWorker(key string) *worker {
	var best *worker
	for _, w := range r.workers {
		if w.key == key && w.open() {
			return w
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

// preload is a task that only loads a vocabulary.
type preload lexicon

// prepare has an empty worker load a vocabulary while the first utterance with it is spoken, so that the final need not
// wait for it.
func (r *Recognizer) prepare(l lexicon) {
	if w := r.workerFor(l.key); w.key == "" {
		w.take(l.key)
		w.finals.Put(&schedule.Work{Class: schedule.FirstPartial, Task: preload(l)})
	}
}

// decode runs a search or a preload.
func (w *worker) decode(batch []*schedule.Work) {
	l, ok := batch[0].Task.(preload)
	if !ok {
		w.r.runSearch(batch)
		return
	}
	w.r.mu.Lock()
	wanted := w.key == l.key && w.idle() != nil // else the worker got another vocabulary first, or this one
	w.r.mu.Unlock()
	if wanted {
		_ = w.load(lexicon(l)) // the utterance will meet and report the error
	}
	w.r.mu.Lock()
	defer w.r.mu.Unlock()
	w.pending--
}

// load makes sure that the decoder has the vocabulary. It is called without the recognizer's lock.
func (w *worker) load(l lexicon) error {
	pooled := w.decoders[0]
	if pooled.decoder != nil && w.loaded == l.key {
		return nil
	}
	began := time.Now()
	w.free()
	d, err := w.r.from.WithVocabulary(l)
	w.r.mu.Lock()
	defer w.r.mu.Unlock()
	w.r.loads.Count++
	w.r.loads.Time += time.Since(began)
	if err != nil {
		return fmt.Errorf("sphinx: vocabulary: %w", err)
	}
	pooled.decoder, w.loaded = d, l.key
	return nil
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
}
