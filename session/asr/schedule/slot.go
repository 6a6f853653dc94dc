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
	of := q.occupied(batch)
	q.meter.begin(batch, began)
	s.count(q, 1, of)
	yields := of.behind > 0 && s.live > 0
	if s.waiting > 0 {
		s.wake.Signal() // a slot that leaves work wakes the next one
	}

	s.mu.Unlock()
	processor := q.model.decode(batch, yields)
	took := time.Since(began)
	s.mu.Lock()

	s.count(q, -1, of)
	q.meter.end(shares, took, processor)
	for i, part := range parts(shares) {
		of := shares[i]
		s.clocks[of.class].end(of.party, of.expected, time.Duration(float64(took)*part))
	}
	if q.running == 0 {
		s.settled.Broadcast()
	}
}

// decode calls Decode, on a thread of lower priority if it is to yield, and returns the processor
// time that it took; 0 if that is not known.
func (m *Model) decode(batch []*Work, yields bool) (processor time.Duration) {
	switch {
	case !m.OneThread:
		m.Decode(batch)
		return 0
	case yields:
		done := make(chan time.Duration)
		go func() {
			runtime.LockOSThread() // for good: the thread ends with the goroutine
			yield()
			done <- m.onThread(batch)
		}()
		return <-done
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return m.onThread(batch)
}

// onThread calls Decode on a thread that the caller has locked.
func (m *Model) onThread(batch []*Work) (processor time.Duration) {
	before := threadTime()
	m.Decode(batch)
	return threadTime() - before
}

// occupied is what a call of Decode occupies: a slot of one kind or the other, and of what is
// bounded.
type occupied struct{ slots, behind, replays, guesses, finals int }

func (q *Queue) occupied(batch []*Work) occupied {
	if q.isBehind(batch[0].Class) {
		return occupied{behind: 1}
	}
	of := occupied{slots: 1}
	for _, w := range batch {
		if w.Class == Replay {
			of.replays = 1
		}
		if w.Class == Guess && !q.model.GivesWay {
			of.guesses = 1
		}
		if q.model.Heavy && (w.Class == Guess || w.Class == Final) {
			of.finals = 1
		}
	}
	return of
}

func (s *Scheduler) count(q *Queue, n int, of occupied) {
	q.running += n
	s.busy += n * of.slots
	s.behind += n * of.behind
	s.replays += n * of.replays
	s.guesses += n * of.guesses
	s.finals += n * of.finals
	if n < 0 && s.resting > 0 {
		s.eased.Broadcast()
	}
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
