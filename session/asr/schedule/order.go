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
	if !w.due.Equal(other.due) {
		return w.due.Before(other.due)
	}
	return w.arrival < other.arrival
}

// mayStart reports whether another slot may start work of a class. A single slot may start all, or
// some would wait for ever.
func (q *Queue) mayStart(c Class) bool {
	s := q.s
	switch {
	case c == Replay && s.live > 0:
		return s.replays+1 < max(s.limit, 2)
	case c == Guess && !q.model.GivesWay:
		return s.guesses+1 < max(s.limit, 2)
	}
	return true
}

// lead returns the queue's most urgent work that may be started, nil if there is none, and when it
// is due: now (the zero time), or at the end of the longest wait for company in the queue.
func (q *Queue) lead() (lead *Work, due time.Time) {
	n := 0
	for c := range q.lines {
		front := q.lines[c].Front()
		if front == nil || !q.mayStart(Class(c)) {
			continue
		}
		w := front.Value.(*Work)
		if end := w.since.Add(q.model.Wait); lead == nil || end.Before(due) {
			due = end
		}
		if lead == nil {
			lead = w
		}
		n += q.lines[c].Len()
	}
	if lead == nil || lead.Class == Final || n >= q.model.Batch {
		due = time.Time{}
	}
	return lead, due
}

// take removes the most urgent work for one call of Decode.
func (q *Queue) take() []*Work {
	var batch []*Work
	for c := range q.lines {
		if !q.mayStart(Class(c)) {
			continue
		}
		for e := q.lines[c].Front(); e != nil && len(batch) < q.model.Batch; e = q.lines[c].Front() {
			w := e.Value.(*Work)
			q.remove(w)
			batch = append(batch, w)
		}
	}
	return batch
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
