package schedule

import (
	"runtime"
	"time"
)

// serve is one slot: it decodes the most urgent work until Close.
func (s *Scheduler) serve() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.closed {
		now := time.Now()
		if q, late := s.late(now); q != nil {
			s.notifyLate(q, late)
			continue
		}
		q, _ := s.next(now)
		if q == nil {
			s.wake.Wait()
			continue
		}
		s.decode(q, now)
	}
}

// decode releases the lock while it decodes.
func (s *Scheduler) decode(q *Queue, began time.Time) {
	batch, shares := q.take()
	replays, guesses := q.marks(batch)
	q.meter.begin(batch, began)
	s.count(q, 1, replays, guesses)
	if s.waiting > 0 {
		s.wake.Signal() // a slot that leaves work wakes the next one
	}

	s.mu.Unlock()
	processor := q.model.decode(batch)
	took := time.Since(began)
	s.mu.Lock()

	s.count(q, -1, -replays, -guesses)
	q.meter.end(shares, took, processor)
	for i, part := range parts(shares) {
		of := shares[i]
		s.clocks[of.class].end(of.party, of.expected, time.Duration(float64(took)*part))
	}
	if q.running == 0 {
		s.settled.Broadcast()
	}
}

// decode calls Decode, and returns the processor time that it took; 0 if that is not known.
func (m *Model) decode(batch []*Work) (processor time.Duration) {
	if !m.OneThread {
		m.Decode(batch)
		return 0
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := threadTime()
	m.Decode(batch)
	return threadTime() - before
}

// marks returns 1 or 0 for whether a batch has work of a recording, and whether it has a guess of a
// model without GivesWay.
func (q *Queue) marks(batch []*Work) (replays, guesses int) {
	for _, w := range batch {
		if w.Class == Replay {
			replays = 1
		}
		if w.Class == Guess && !q.model.GivesWay {
			guesses = 1
		}
	}
	return replays, guesses
}

func (s *Scheduler) count(q *Queue, slots, replays, guesses int) {
	q.running += slots
	s.busy += slots
	s.replays += replays
	s.guesses += guesses
}

// late takes the partials that have waited too long out of some queue.
func (s *Scheduler) late(now time.Time) (*Queue, []*Work) {
	for _, q := range s.queues {
		if out := q.late(now); len(out) > 0 {
			return q, out
		}
	}
	return nil, nil
}

func (q *Queue) late(now time.Time) []*Work {
	if q.model.Patience <= 0 {
		return nil
	}
	var out []*Work
	for _, c := range []Class{FirstPartial, Partial} {
		for line := &q.lines[c]; line.len > 0 && now.Sub(line.since()) > q.model.Patience; {
			for _, r := range line.ranks {
				if w := r.first(); now.Sub(w.since) > q.model.Patience {
					q.drop(w)
					out = append(out, w)
					break
				}
			}
		}
	}
	q.meter.drop(ShedLate, len(out))
	return out
}

// notifyLate releases the lock while it calls Late for dropped work.
func (s *Scheduler) notifyLate(q *Queue, late []*Work) {
	if q.model.Late == nil {
		return
	}
	q.running++ // so that Queue.Close waits
	s.mu.Unlock()
	for _, w := range late {
		q.model.Late(w)
	}
	s.mu.Lock()
	q.running--
	s.settled.Broadcast()
}
