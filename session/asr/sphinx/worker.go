package sphinx

import (
	"fmt"
	"time"

	"steno/session/asr/schedule"
)

// worker has one decoder with a vocabulary: words that were added to a decoder stay in it. It decodes one utterance at
// a time; the others wait in its queue.
type worker struct {
	r     *Recognizer
	queue *schedule.Queue // of *decodeTask and preload

	// Guarded by the recognizer's lock.
	key     string // vocabulary of the newest task
	pending int    // tasks and preloads put and not yet finished or discarded
	used    int    // the recognizer's count of tasks at the newest one

	// Used by the queue's one decode at a time, and by Close afterwards.
	decoder finalDecoder
	loaded  string // key of the decoder's vocabulary
}

// VocabularyLoads counts the decoders loaded with a vocabulary.
type VocabularyLoads struct {
	Count int           // loads
	Time  time.Duration // taken by them
}

func (r *Recognizer) addWorkers() {
	for i := range r.config.Vocabularies {
		w := &worker{r: r}
		w.queue = r.scheduler.Add(schedule.Model{
			Name: fmt.Sprintf("%s-vocabulary-%d", r.config.Name, i+1), Parallel: 1, Decode: w.decode,
		})
		r.workers = append(r.workers, w)
	}
}

// workerFor returns the worker that has a vocabulary; else the idle one that was unused longest, to load it; else the
// one with the fewest tasks. The caller holds the lock.
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

// take notes that a task with a vocabulary is put.
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
		w.queue.Put(&schedule.Work{Class: schedule.FirstPartial, Task: preload(l)})
	}
}

// decode runs a task or a preload.
func (w *worker) decode(batch []*schedule.Work) {
	w.r.mu.Lock()
	defer w.r.mu.Unlock()
	defer func() { w.pending-- }()
	switch task := batch[0].Task.(type) {
	case preload:
		if w.key == task.key { // else a final went before, and the worker has another vocabulary by now
			_, _ = w.decodeWith(lexicon(task), nil) // the utterance will meet and report the error
		}
	case *decodeTask:
		if task.wanted() {
			task.began = time.Now()
			task.finish(w.decodeWith(task.of.u.lexicon, task.of.samples))
		}
	}
}

// decodeWith decodes samples, if there are any, after loading the vocabulary if needed. It releases the lock meanwhile.
func (w *worker) decodeWith(l lexicon, samples []int16) (path []segment, err error) {
	w.r.mu.Unlock()
	began := time.Now()
	loaded, err := w.load(l)
	took := time.Since(began)
	if err == nil && len(samples) > 0 {
		path, err = w.decoder.Decode(samples)
	}
	w.r.mu.Lock()
	if loaded {
		w.r.loads.Count++
		w.r.loads.Time += took
	}
	return path, err
}

// load makes sure that the decoder has the vocabulary, and reports whether it had to be loaded.
func (w *worker) load(l lexicon) (bool, error) {
	if w.decoder != nil && w.loaded == l.key {
		return false, nil
	}
	w.free()
	d, err := w.r.from.WithVocabulary(l)
	if err != nil {
		return true, fmt.Errorf("sphinx: vocabulary: %w", err)
	}
	w.decoder, w.loaded = d, l.key
	return true, nil
}

func (w *worker) free() {
	if w.decoder != nil {
		w.decoder.Free()
	}
	w.decoder, w.loaded = nil, ""
}
