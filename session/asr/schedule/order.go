package schedule

import "time"

// next returns the most urgent work that may be started now and its queue, or nil. For work that
// waits for company it sets the alarm.
func (s *Scheduler) next(now time.Time) (best *Queue, lead *Work) {
	for _, q := range s.queues {
		w, due := q.lead()
		switch {
		case w == nil || q.running >= q.model.Parallel:
		case due.After(now):
			s.wakeAt(due)
		case lead == nil || w.before(lead):
			best, lead = q, w
		}
	}
	return best, lead
}

// before reports whether the work is more urgent than other work.
func (w *Work) before(other *Work) bool {
	if w.Class != other.Class {
		return w.Class < other.Class
	}
	if w.of != other.of && w.of.turn() != other.of.turn() {
		return w.of.turn() < other.of.turn()
	}
	if !w.due.Equal(other.due) {
		return w.due.Before(other.due)
	}
	return w.arrival < other.arrival
}

// isBehind reports whether work of a class is decoded on the slots of recordings alone.
func (q *Queue) isBehind(c Class) bool { return canYield && c == Replay && q.model.OneThread }

// bound returns how many slots there are, of which bounded work leaves one. A single slot counts as
// two.
func (s *Scheduler) bound() int { return max(s.limit, 2) }

// mayStart reports whether another slot may start work of a class. A single slot may start all, or
// some would wait for ever.
func (q *Queue) mayStart(c Class) bool {
	s := q.s
	most := s.bound()
	switch {
	case q.isBehind(c):
		return s.behind < s.limit && (s.live == 0 || s.behind+1 < most)
	case s.busy == s.limit:
		return false
	case c == Replay && s.live > 0 && s.replays+1 >= most:
		return false
	case (c == Partial || c == Replay) && s.busy+1 >= most && (s.finals > 0 || q.model.Heavy && len(s.talkers) > 1):
		return false
	}
	return c != Guess || q.model.GivesWay || s.guesses+1 < most
}

// lead returns the queue's most urgent work that may be started, nil if there is none, and when it
// is due: now (the zero time), or at the end of the longest wait for company in the queue.
func (q *Queue) lead() (lead *Work, due time.Time) {
	n := 0
	for c := range q.lines {
		line := &q.lines[c]
		if line.len == 0 || !q.mayStart(Class(c)) || lead != nil && q.isBehind(Class(c)) {
			continue
		}
		if end := line.since().Add(q.model.Wait); lead == nil || end.Before(due) {
			due = end
		}
		if lead == nil {
			lead = line.first()
		}
		n += line.len
	}
	if lead == nil || lead.Class == Final || n >= q.model.Batch {
		due = time.Time{}
	}
	return lead, due
}

// take removes the most urgent work for one call of Decode, and returns what becomes of the slot's
// time.
func (q *Queue) take() (batch []*Work, shares []share) {
	for c := range q.lines {
		if !q.mayStart(Class(c)) || len(batch) > 0 && q.isBehind(Class(c)) {
			continue
		}
		for line := &q.lines[c]; line.len > 0 && len(batch) < q.model.Batch; {
			w := line.first()
			q.remove(w)
			batch, shares = append(batch, w), append(shares, q.begin(w))
		}
	}
	return batch, shares
}

// begin counts work that is being decoded from now on as its party's.
func (q *Queue) begin(w *Work) share {
	of := share{w.Class, w.Samples, w.of, time.Duration(q.meter.sums.RTF() * float64(duration(w.Samples)))}
	of.expected = max(of.expected, leastCost)
	q.s.clocks[w.Class].begin(w.of, of.expected)
	return of
}

// wakeAt sets the alarm, unless it is set to an earlier time.
func (s *Scheduler) wakeAt(due time.Time) {
	if s.alarm != nil && !due.Before(s.due) {
		return
	}
	s.stopAlarm()
	s.due = due
	s.alarms.Add(1)
	var alarm *time.Timer
	alarm = time.AfterFunc(time.Until(due), func() {
		defer s.alarms.Done()
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.alarm == alarm {
			s.alarm = nil
		}
		s.wake.Signal()
	})
	s.alarm = alarm
}

// stopAlarm stops the alarm.
func (s *Scheduler) stopAlarm() {
	if s.alarm != nil && s.alarm.Stop() {
		s.alarms.Done()
	}
	s.alarm = nil
}
