package sphinx

import (
	"fmt"
	"time"

	"steno/session/asr/schedule"
)

// place holds one decoder that was taught a vocabulary: words added to a decoder stay in it. It decodes one utterance at
// a time; its queue makes the others wait.
type place struct {
	r     *Recognizer
	queue *schedule.Queue // of *part and lesson

	// guarded by the recognizer's lock
	key     string // vocabulary of the newest work put here
	pending int    // parts and lessons put here and not yet finished or discarded
	used    int    // the recognizer's count of puts at the newest one

	// touched by the queue's one decode at a time, and by Close after it
	decoder finalDecoder
	loaded  string // key of decoder's vocabulary
}

// Lessons counts the decoders taught a vocabulary.
type Lessons struct {
	Count int           // loads
	Time  time.Duration // taken by them
}

func (r *Recognizer) addPlaces() {
	for i := range r.config.Vocabularies {
		p := &place{r: r}
		p.queue = r.scheduler.Add(schedule.Model{
			Name: fmt.Sprintf("%s-vocabulary-%d", r.config.Name, i+1), Parallel: 1, Decode: p.decode,
		})
		r.places = append(r.places, p)
	}
}

// placeFor finds the place of a vocabulary; or the idle one that was left alone longest, to learn it; or the one with the
// least to do. Call with the lock held.
func (r *Recognizer) placeFor(key string) *place {
	best := r.places[0]
	for _, p := range r.places {
		if p.key == key {
			return p
		}
		if p.pending < best.pending || p.pending == best.pending && p.used < best.used {
			best = p
		}
	}
	return best
}

// take notes that something with a vocabulary is put here.
func (p *place) take(key string) {
	p.r.puts++
	p.pending++
	p.key, p.used = key, p.r.puts
}

// lesson is work that only loads a vocabulary.
type lesson lexicon

// prepare has a place that is still empty learn a vocabulary while the first utterance with it is spoken, so that the
// final need not wait for it.
func (r *Recognizer) prepare(l lexicon) {
	if p := r.placeFor(l.key); p.key == "" {
		p.take(l.key)
		p.queue.Put(&schedule.Work{Class: schedule.FirstPartial, Task: lesson(l)})
	}
}

// decode does a part or a lesson.
func (p *place) decode(batch []*schedule.Work) {
	p.r.mu.Lock()
	defer p.r.mu.Unlock()
	defer func() { p.pending-- }()
	switch task := batch[0].Task.(type) {
	case lesson:
		_, _ = p.taught(lexicon(task), nil) // an error is met again by the utterance, and told then
	case *part:
		if task.wanted() {
			task.finish(p.taught(task.of.u.lexicon, task.of.samples))
		}
	}
}

// taught decodes samples, if there are any, after a lesson where one is needed. It gives the lock up meanwhile.
func (p *place) taught(l lexicon, samples []int16) (path []segment, err error) {
	p.r.mu.Unlock()
	began := time.Now()
	loaded, err := p.teach(l)
	took := time.Since(began)
	if err == nil && len(samples) > 0 {
		path, err = p.decoder.Decode(samples)
	}
	p.r.mu.Lock()
	if loaded {
		p.r.lessons.Count++
		p.r.lessons.Time += took
	}
	return path, err
}

// teach makes sure that the decoder has the vocabulary, and tells whether one had to be loaded.
func (p *place) teach(l lexicon) (bool, error) {
	if p.decoder != nil && p.loaded == l.key {
		return false, nil
	}
	p.free()
	d, err := p.r.from.Taught(l)
	if err != nil {
		return true, fmt.Errorf("sphinx: vocabulary: %w", err)
	}
	p.decoder, p.loaded = d, l.key
	return true, nil
}

func (p *place) free() {
	if p.decoder != nil {
		p.decoder.Free()
	}
	p.decoder, p.loaded = nil, ""
}
