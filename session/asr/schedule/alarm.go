package schedule

import "time"

// wakeAt sets the alarm, unless it is set for an earlier time.
func (s *Scheduler) wakeAt(due time.Time) {
	if s.alarm != nil && !due.Before(s.due) {
		return
	}
	s.quiet()
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

// quiet stops the alarm.
func (s *Scheduler) quiet() {
	if s.alarm != nil && s.alarm.Stop() {
		s.alarms.Done()
	}
	s.alarm = nil
}
