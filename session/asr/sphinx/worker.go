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
		p := &worker{r: r}
		p.queue = r.scheduler.Add(schedule.Model{
			Name: fmt.Sprintf("%s-vocabulary-%d", r.config.Name, i+1), Parallel: 1, Decode: p.decode,
		})
		r.workers = append(r.workers, p)
	}
}

// workerFor returns the worker that has a vocabulary; else the idle one that was unused longest, to load it; else the
// one with the fewest tasks. The caller holds the lock.
func (r *Recognizer) workerFor(key string) *worker {
	best := r.workers[0]
	for _, p := range r.workers {
		if p.key == key {
			return p
		}
		if p.pending < best.pending || p.pending == best.pending && p.used < best.used {
			best = p
		}
	}
	return best
}

// take notes that a task with a vocabulary is put.
func (p *worker) take(key string) {
	p.r.puts++
	p.pending++
	p.key, p.used = key, p.r.puts
}

// preload is a task that only loads a vocabulary.
type preload lexicon

// prepare has an empty worker load a vocabulary while the first utterance with it is spoken, so that the final need not
// wait for it.
func (r *Recognizer) prepare(l lexicon) {
	if p := r.workerFor(l.key); p.key == "" {
		p.take(l.key)
		p.queue.Put(&schedule.Work{Class: schedule.FirstPartial, Task: preload(l)})
	}
}

// decode runs a task or a preload.
func (p *worker) decode(batch []*schedule.Work) {
	p.r.mu.Lock()
	defer p.r.mu.Unlock()
	defer func() { p.pending-- }()
	switch task := batch[0].Task.(type) {
	case preload:
		_, _ = p.taught(lexicon(task), nil) // the utterance will meet and report the error
	case *decodeTask:
		if task.wanted() {
			task.finish(p.taught(task.of.u.lexicon, task.of.samples))
		}
	}
}

// taught decodes samples, if there are any, after loading the vocabulary if needed. It releases the lock meanwhile.
func (p *worker) taught(l lexicon, samples []int16) (path []segment, err error) {
	p.r.mu.Unlock()
	began := time.Now()
	loaded, err := p.teach(l)
	took := time.Since(began)
	if err == nil && len(samples) > 0 {
		path, err = p.decoder.Decode(samples)
	}
	p.r.mu.Lock()
	if loaded {
		p.r.loads.Count++
		p.r.loads.Time += took
	}
	return path, err
}

// teach makes sure that the decoder has the vocabulary, and reports whether it had to be loaded.
func (p *worker) teach(l lexicon) (bool, error) {
	if p.decoder != nil && p.loaded == l.key {
		return false, nil
	}
	p.free()
	d, err := p.r.from.WithVocabulary(l)
	if err != nil {
		return true, fmt.Errorf("sphinx: vocabulary: %w", err)
	}
	p.decoder, p.loaded = d, l.key
	return true, nil
}

func (p *worker) free() {
	if p.decoder != nil {
		p.decoder.Free()
	}
	p.decoder, p.loaded = nil, ""
}
