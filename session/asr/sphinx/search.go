package sphinx

import (
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"steno/session/asr/schedule"
)

// search decodes an utterance for its final, by one decoder. While live speech goes on it decodes, in small pieces of
// work, what is sure to stay, behind the speech by the hold of [runningMean]; the end leaves it little to do. A search
// that finds no decoder free then, or has to give up its own, decodes later from the utterance's samples, with the same
// result. The recognizer's lock guards all fields.
type search struct {
	u      *stream
	pool   *pool   // whose decoders and queues it uses; nil: not chosen
	worker *worker // of the pool, if the search has the utterance's vocabulary

	held    *pooledDecoder // nil: none
	begun   bool           // the decoder that is held has begun the utterance
	fed     int            // samples that it has
	more    bool           // it has more to decode of those
	pieces  int            // of work done
	guess   bool           // the utterance is decoded as if it had ended
	work    *schedule.Work // waits for a slot; nil: none does
	running bool           // on a slot
	parked  bool           // waits for a decoder
	stale   atomic.Bool    // it runs in vain; the one field that is read without the lock
	done    bool
	path    []segment
	err     error

	finalBegan time.Time // when it was begun to decode to the end
}

// Samples that a search needs before it can decode anything but a whole utterance, and that are worth a piece of work.
const (
	firstWork = minSamples + hold*frame
	piece     = block * frame
)

// newSearches returns one search by a plain decoder and, if there is a vocabulary, one by a decoder that has it.
func (s *stream) newSearches() []*search {
	all := []*search{{u: s, pool: &s.r.plain}}
	if s.lexicon.key != "" {
		all = append(all, &search{u: s})
	}
	return all
}

// advance puts a piece of work if there is something to decode while the speech goes on, and a decoder for it.
func (s *search) advance() {
	u := s.u
	if u.replay || u.ended || u.gone || s.guess || s.work != nil || s.running || s.err != nil {
		return
	}
	sure := min(len(u.samples), u.sure)
	if sure < firstWork || !s.more && sure-s.fed < piece || s.held == nil && !s.mayBegin() {
		return
	}
	s.put(schedule.Lagged, piece)
}

// mayBegin reports whether a decoder is free for an utterance that goes on.
func (s *search) mayBegin() bool {
	if s.pool == nil {
		w := s.u.r.openWorker(s.u.lexicon.key)
		if w == nil {
			return false
		}
		s.join(w)
	}
	return s.pool.open()
}

// finish makes sure that the utterance, which has ended, is being decoded to its end.
func (s *search) finish() {
	if s.err != nil {
		s.done = true
	}
	if s.done || s.running || s.parked || s.work != nil && s.work.Class != schedule.Lagged {
		return
	}
	s.unqueue()
	if s.pool == nil {
		s.join(s.u.r.workerFor(s.u.lexicon.key))
	}
	s.putFinal()
}

func (s *search) putFinal() {
	class := schedule.Final
	if s.u.replay {
		class = schedule.Replay
	}
	s.put(class, max(len(s.u.samples)-s.pieces*piece, 0))
}

// speculate decodes the utterance as if it had ended if a slot and a decoder are idle, and reports whether it does. It
// does not where a decoder has begun already: little would be left for the end, and all is lost if there is none.
func (s *search) speculate() bool {
	if s.held != nil || s.work != nil || s.running || s.done || s.err != nil {
		return false
	}
	pool, worker := s.pool, s.worker
	if pool == nil {
		worker = s.u.r.workerFor(s.u.lexicon.key)
		pool = &worker.pool
	}
	work := &schedule.Work{Class: schedule.Final, Samples: len(s.u.samples), Task: s}
	if !pool.open() || !pool.finals.PutIfIdle(work) {
		return false
	}
	if s.pool == nil {
		s.join(worker)
	}
	s.work, s.guess = work, true
	return true
}

func (s *search) put(class schedule.Class, samples int) {
	s.work = &schedule.Work{Class: class, Samples: samples, Task: s}
	s.queue().Put(s.work)
}

// unqueue takes the search's work out of its queue. A slot that has it already will find that it is not wanted.
func (s *search) unqueue() {
	if s.work != nil {
		s.queue().Drop(s.work)
		s.work = nil
	}
}

// queue returns the queue of the search's work.
func (s *search) queue() *schedule.Queue {
	if s.work.Class == schedule.Lagged {
		return s.pool.lagged
	}
	return s.pool.finals
}

// join and part count the searches of a worker.
func (s *search) join(w *worker) {
	s.worker, s.pool = w, &w.pool
	w.take(s.u.lexicon.key)
}

func (s *search) part() {
	if s.worker != nil {
		s.worker.pending--
		s.worker, s.pool = nil, nil
	}
}

// reset forgets what was decoded: samples were taken back, or follow those of a guess. A search that is running ends in
// vain, and another takes its place.
func (s *search) reset() {
	s.unqueue()
	s.guess = false
	if !s.running {
		s.clear()
		return
	}
	s.stale.Store(true)
	fresh := &search{u: s.u}
	if s.worker == nil {
		fresh.pool = s.pool
	}
	s.u.searches[slices.Index(s.u.searches, s)] = fresh
}

// clear gives up the decoder and all results.
func (s *search) clear() {
	s.release()
	s.done, s.path, s.err = false, nil, nil
}

// release gives up the decoder, for one that waits.
func (s *search) release() {
	if s.held != nil {
		s.unassign()
		s.pool.next()
	}
}

// unassign gives up the decoder.
func (s *search) unassign() {
	s.held.holder, s.held = nil, nil
	s.begun, s.fed, s.more, s.pieces = false, 0, false, 0
}

// abandon ends the search of an utterance that is over. If it is running, its slot does the rest.
func (s *search) abandon() {
	if s.running {
		s.stale.Store(true)
		return
	}
	if s.pool != nil {
		s.unqueue()
		s.pool.leave(s)
	}
	s.clear()
	s.part()
}

// run does a piece of work on a slot. It releases the lock while decoding.
func (s *search) run(work *schedule.Work) {
	u := s.u
	if s.work != work {
		return
	}
	s.work = nil
	if !s.pool.assign(s) {
		s.guess = false
		return
	}
	whole := u.ended || s.guess
	if whole {
		s.finalBegan = time.Now()
	}
	end := len(u.samples)
	if !whole {
		end = max(min(end, u.sure), s.fed)
	}
	samples, begun := u.samples[s.fed:end], s.begun
	s.running, s.fed = true, end

	u.r.mu.Unlock()
	path, more, err := s.decode(begun, samples, whole)
	u.r.mu.Lock()

	s.running, s.begun, s.more = false, true, more
	s.pieces++
	s.ran(path, whole, err)
}

// ran takes the result of a piece of work and puts the next one.
func (s *search) ran(path []segment, whole bool, err error) {
	u := s.u
	if s.stale.Load() {
		s.abandon()
		return
	}
	if whole || err != nil {
		s.path, s.err, s.done = path, err, whole
	}
	if whole || err != nil || !u.ended && len(s.pool.parked) > 0 {
		s.release()
	}
	if u.ended {
		u.r.settle(u)
		return
	}
	s.advance()
}

// decode gives the decoder samples, without the lock. Where they are the rest of the utterance all of it is decoded,
// else one block; more says that there is another.
func (s *search) decode(begun bool, samples []int16, whole bool) (path []segment, more bool, err error) {
	d, err := s.loaded()
	if err != nil {
		return nil, false, err
	}
	if !begun {
		if err := d.Begin(); err != nil {
			return nil, false, err
		}
	}
	if err := d.Add(samples); err != nil {
		return nil, false, err
	}
	if !whole {
		more, err = d.Step()
		return nil, more, err
	}
	if err := d.End(); err != nil {
		return nil, false, err
	}
	for more = true; more; {
		if more, err = d.Step(); err != nil || s.stale.Load() {
			return nil, false, err
		}
	}
	path, err = d.Path()
	return path, false, err
}

// loaded returns the decoder that the search holds, and loads it first if needed.
func (s *search) loaded() (finalDecoder, error) {
	if s.worker != nil {
		err := s.worker.load(s.u.lexicon)
		return s.held.decoder, err
	}
	if s.held.decoder != nil {
		return s.held.decoder, nil
	}
	d, err := s.u.r.from.Final()
	if err != nil {
		return nil, fmt.Errorf("sphinx: %w", err)
	}
	s.u.r.mu.Lock()
	s.held.decoder = d
	s.u.r.mu.Unlock()
	return d, nil
}

// loadAnother loads a decoder of the plain pool in the background, one at a time. The caller holds the lock.
func (r *Recognizer) loadAnother() {
	free := r.plain.idle()
	if r.closed || r.loadingDecoder || free == nil || free.decoder != nil {
		return
	}
	free.loading, r.loadingDecoder = true, true
	r.background.Go(func() {
		d, err := r.from.Final()
		r.mu.Lock()
		defer r.mu.Unlock()
		free.loading, r.loadingDecoder = false, false
		if err == nil {
			free.decoder = d
		} // else whoever needs it will meet the error
		r.plain.next()
	})
}

// speculate begins the final if a slot and a decoder are idle. It does not for recordings, whose clients do not wait.
func (r *Recognizer) speculate(u *stream) {
	if u.guessed || u.replay || len(u.samples) == 0 {
		return
	}
	for _, s := range u.searches {
		u.guessed = s.speculate() || u.guessed
	}
	if u.guessed {
		r.speculations.Begun++
	}
}

// discard gives up what speculation began.
func (r *Recognizer) discard(u *stream) {
	if !u.guessed {
		return
	}
	u.guessed = false
	r.speculations.Wasted++
	for _, s := range u.searches {
		if s.guess || s.done {
			s.reset()
		}
	}
}

// settle makes sure that all of an utterance that has ended is being decoded, and decides its final if all of it is.
func (r *Recognizer) settle(u *stream) {
	done := true
	for _, s := range u.searches {
		s.finish()
		done = done && s.done
	}
	if done {
		u.decide()
	}
}

// runSearch does the work of a queue of searches.
func (r *Recognizer) runSearch(batch []*schedule.Work) {
	r.mu.Lock()
	defer r.mu.Unlock()
	batch[0].Task.(*search).run(batch[0])
}
