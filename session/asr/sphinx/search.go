package sphinx

import (
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"steno/session/asr"
	"steno/session/asr/schedule"
)

// search decodes an utterance for its final, by one decoder. While live speech is in progress it
// decodes, in small pieces of work, what is sure to stay, at a distance of the hold of
// [runningMean] from the speech; the end leaves it little to do. A search that finds no decoder
// free then, or has to release its own, decodes later from the utterance's samples, with the same
// result. The recognizer's lock guards all fields; those that describe what the decoder has are its
// slot's alone while it runs.
//
// The end of an utterance is decoded in one piece of work, which leaves its slot to finals that are
// due before: a long utterance that has all of itself left does not hold up a short one.
type search struct {
	u      *stream
	pool   *pool   // whose decoders and queues it uses; nil: not chosen
	worker *worker // of the pool, if the search has the utterance's vocabulary

	held    *pooledDecoder  // nil: none
	begun   bool            // the decoder that is held has begun the utterance
	fed     int             // samples that it has
	closed  bool            // the decoder knows that no samples follow
	more    bool            // it has more to decode of those
	pieces  int             // of work done while the speech was in progress
	guess   bool            // the utterance is decoded as if it had ended
	final   bool            // work was put as that of a finished utterance
	due     time.Time       // when the final of live speech is to be done; zero before the end
	work    *schedule.Work  // waits for a slot; nil: none does
	in      *schedule.Queue // in which it waits
	running bool            // on a slot
	parked  bool            // waits for a decoder
	stale   atomic.Bool     // it runs in vain; the one field that is read without the lock
	done    bool
	path    []segment
	err     error

	finalBegan time.Time // when it was begun to decode to the end
}

// Samples that a search needs before it can decode anything but a whole utterance, and that are
// worth a piece of work.
const (
	firstWork = minSamples + hold*frame
	piece     = block * frame
)

// speed is how many times faster than it is spoken speech is to be decoded for its final: finals
// that wait go in the order in which they would be late. On a slot to itself it takes about half
// that time (processors of 2018 to 2025: a fifth to a tenth of the audio's length).
const speed = 4

// newSearches returns one search by a plain decoder and, if there is a vocabulary, one by a decoder
// that has it.
func (s *stream) newSearches() []*search {
	all := []*search{{u: s, pool: &s.r.plain}}
	if s.lexicon.key != "" {
		all = append(all, &search{u: s})
	}
	return all
}

// advance puts a piece of work if there is something to decode while the speech is in progress, and
// a decoder for it.
func (s *search) advance() {
	u := s.u
	if u.replay || u.ended || u.gone || s.guess || s.work != nil || s.running || s.err != nil {
		return
	}
	sure := min(len(u.samples), u.sure)
	if sure < firstWork || !s.more && sure-s.fed < piece || s.held == nil && !s.mayBegin() {
		return
	}
	s.put(schedule.Work{Class: schedule.Lagged, Samples: piece})
}

// mayBegin reports whether a decoder is free for an utterance in progress.
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
	if !s.u.replay && s.due.IsZero() {
		s.due = s.u.endedAt.Add(time.Duration(s.left()) * time.Second / asr.Rate / speed)
		if s.worker != nil || s.pool == nil { // the vocabulary is decoded for after what others have to wait for
			s.due = s.due.Add(s.due.Sub(s.u.endedAt))
		}
	}
	if s.done || s.running || s.parked || s.work != nil && s.work.Class == s.wholeClass() {
		return
	}
	s.unqueue()
	if s.pool == nil {
		s.join(s.u.r.workerFor(s.u.lexicon.key))
	}
	s.putWhole()
}

// putWhole puts all that is left of an utterance.
func (s *search) putWhole() {
	w := schedule.Work{Class: s.wholeClass(), Samples: s.left(), Due: s.due}
	if s.closed {
		w.Samples = 0 // they were counted before
		w.Rest = s.final == s.u.ended
	}
	s.final = s.u.ended
	s.put(w)
}

// left returns how many samples were not decoded while the speech was in progress.
func (s *search) left() int { return max(len(s.u.samples)-s.pieces*piece, 0) }

// wholeClass is the class of the work that decodes all of an utterance.
func (s *search) wholeClass() schedule.Class {
	switch {
	case s.u.replay:
		return schedule.Replay
	case s.u.ended:
		return schedule.Final
	}
	return schedule.Guess
}

// speculate has the utterance decoded as if it had ended, while slots have nothing else to do, if a
// decoder is idle. It does not where a decoder has begun already: little would be left for the end,
// and all is lost if there is none.
func (s *search) speculate() {
	if s.held != nil || s.work != nil || s.running || s.done || s.err != nil {
		return
	}
	pool, worker := s.pool, s.worker
	if pool == nil {
		worker = s.u.r.workerFor(s.u.lexicon.key)
		pool = &worker.pool
	}
	if !pool.open() {
		return
	}
	if s.pool == nil {
		s.join(worker)
	}
	s.guess = true
	s.putWhole()
}

func (s *search) put(w schedule.Work) {
	if w.Class == schedule.Lagged {
		s.putIn(s.pool.lagged, w)
	} else {
		s.putIn(s.pool.finals, w)
	}
}

func (s *search) putIn(q *schedule.Queue, w schedule.Work) {
	w.Task, w.Party, s.work, s.in = s, s.u.party, &w, q
	q.Put(s.work)
}

// unqueue takes the search's work out of its queue. A slot that has it already will find that it is
// not wanted.
func (s *search) unqueue() {
	if s.work != nil {
		s.in.Drop(s.work)
		s.work = nil
	}
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

// reset forgets what was decoded: samples were taken back, or follow those of a guess. A search
// that is running ends in vain, and another takes its place.
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

// clear releases the decoder and discards all results.
func (s *search) clear() {
	s.release()
	s.done, s.path, s.err = false, nil, nil
}

// release releases the decoder and assigns it to a search that waits.
func (s *search) release() {
	if s.held != nil {
		s.unassign()
		s.pool.next()
	}
}

// unassign releases the decoder.
func (s *search) unassign() {
	s.held.holder, s.held = nil, nil
	s.begun, s.fed, s.closed, s.more, s.pieces = false, 0, false, false, 0
}

// abandon ends the search of an utterance that is closed. If it is running, its slot does the rest.
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
	if s.worker != nil && s.worker.loaded != u.lexicon.key {
		s.putLearning(false)
		return
	}
	whole := u.ended || s.guess
	if whole && !s.closed {
		s.wholeBegan()
	}
	end := len(u.samples)
	if !whole {
		end = max(min(end, u.sure), s.fed)
		s.pieces++
	}
	samples := u.samples[s.fed:end]
	s.running, s.fed = true, end

	u.r.mu.Unlock()
	path, more, err := s.decode(samples, whole)
	u.r.mu.Lock()

	s.running, s.more = false, more
	s.ran(path, whole && !more, err)
}

// wholeBegan notes that the utterance is decoded to its end from now on.
func (s *search) wholeBegan() {
	s.finalBegan = time.Now()
	if u := s.u; !u.ended && !u.guessed {
		u.guessed = true
		u.r.speculations.Begun++
	}
}

// ran takes the result of a piece of work, which is the path if it was the last one, and puts the
// next one.
func (s *search) ran(path []segment, last bool, err error) {
	u := s.u
	if s.stale.Load() {
		s.abandon()
		return
	}
	if last || err != nil {
		s.path, s.err, s.done = path, err, last
	}
	if last || err != nil || !u.ended && len(s.pool.parked) > 0 {
		s.release()
	}
	switch {
	case u.ended:
		u.r.settle(u)
	case s.guess && !s.done:
		s.putWhole()
	default:
		s.advance()
	}
}

// decode adds samples to the decoder, without the lock, and decodes a block. If whole, they are the
// rest of the utterance, and decode decodes all of it, unless its slot should be left to other
// work; more reports whether something is left.
func (s *search) decode(samples []int16, whole bool) (path []segment, more bool, err error) {
	d, err := s.loaded()
	if err == nil && !s.begun {
		s.begun = true
		err = d.Begin()
	}
	if err == nil {
		err = d.Add(samples)
	}
	if err == nil && whole && !s.closed {
		s.closed = true
		err = d.End()
	}
	for more = true; more && err == nil && !s.stale.Load(); {
		if more, err = d.Step(); !whole || more && s.outranked() {
			return nil, more, err
		}
	}
	if err == nil && !s.stale.Load() {
		path, err = d.Path()
	}
	return path, false, err
}

// outranked reports whether the search should leave its slot to other work, or its decoder to a
// finished utterance. Searches of recordings do not: live speech may take the decoders that they
// hold.
func (s *search) outranked() bool {
	u := s.u
	u.r.mu.Lock()
	defer u.r.mu.Unlock()
	return !u.replay && (!u.ended && len(s.pool.parked) > 0 || s.pool.finals.Outranked(s.wholeClass(), s.due, u.party))
}

// loaded returns the decoder that the search holds, and loads it first if needed; that of a worker
// is.
func (s *search) loaded() (finalDecoder, error) {
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

// loadAnother loads a decoder of the plain pool in the background, one at a time. The caller holds
// the lock.
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

// speculate has the final decoded while slots have nothing else to do. It does not for recordings,
// whose clients do not wait.
func (r *Recognizer) speculate(u *stream) {
	if u.replay || len(u.samples) == 0 {
		return
	}
	for _, s := range u.searches {
		s.speculate()
	}
}

// discard abandons what speculation has started.
func (r *Recognizer) discard(u *stream) {
	if u.guessed {
		u.guessed = false
		r.speculations.Wasted++
	}
	for _, s := range u.searches {
		if s.guess {
			s.reset()
		}
	}
}

// settle makes sure that all of a finished utterance is being decoded, and decides its final if all
// of it has been.
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
