package schedule_test

import (
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"steno/session/asr/schedule"
)

func TestCompanyGathersWhileSlotsAreBusy(t *testing.T) {
	run(t, 1, func(t *testing.T, s *schedule.Scheduler, l *log) {
		a := s.Add(schedule.Model{Batch: 3, Decode: l.decode(10 * ms)})
		b := s.Add(schedule.Model{Batch: 3, Decode: l.decode(10 * ms)})
		a.Put(work(schedule.Partial, "alone"))
		synctest.Wait()
		b.Put(work(schedule.FirstPartial, "other"))
		a.Put(work(schedule.Replay, "replay"))
		for _, task := range []string{"p1", "p2", "p3"} {
			a.Put(work(schedule.Partial, task))
		}
		a.Put(work(schedule.Final, "final"))
		time.Sleep(time.Second)
		l.equal(t, batch{0, []string{"alone"}}, batch{10 * ms, []string{"final", "p1", "p2"}},
			batch{20 * ms, []string{"other"}}, batch{30 * ms, []string{"p3", "replay"}})
		if f := a.Figures(); f.Calls != 3 || f.Jobs != 6 || f.LargestBatch != 3 {
			t.Errorf("figures %+v", f)
		}
	})
}

// While speech is open, a recording's work joins no batch on the slot kept from it.
func TestRecordingsJoinNoBatchOnTheSlotOfSpeech(t *testing.T) {
	run(t, 2, func(t *testing.T, s *schedule.Scheduler, l *log) {
		q := s.Add(schedule.Model{Batch: 2, Decode: l.decode(10 * ms)})
		s.Live("", 1)
		for _, task := range []string{"r1", "r2", "r3"} {
			q.Put(work(schedule.Replay, task))
		}
		synctest.Wait() // r1, perhaps with r2
		time.Sleep(5 * ms)
		q.Put(work(schedule.Final, "final"))
		synctest.Wait()
		l.mu.Lock()
		defer l.mu.Unlock()
		if last := l.batches[len(l.batches)-1]; last.at != 5*ms || len(last.tasks) != 1 {
			t.Errorf("decoded %v, want the final alone", l.batches)
		}
	})
}

func TestWaitingForCompany(t *testing.T) {
	model := func(l *log) schedule.Model { return schedule.Model{Batch: 3, Wait: 8 * ms, Decode: l.decode(ms)} }
	t.Run("in vain", func(t *testing.T) {
		run(t, 2, func(t *testing.T, s *schedule.Scheduler, l *log) {
			s.Add(model(l)).Put(work(schedule.Partial, "a"))
			time.Sleep(time.Second)
			l.equal(t, batch{8 * ms, []string{"a"}})
		})
	})
	t.Run("of some", func(t *testing.T) {
		run(t, 2, func(t *testing.T, s *schedule.Scheduler, l *log) {
			q := s.Add(model(l))
			q.Put(work(schedule.Partial, "a"))
			time.Sleep(5 * ms)
			q.Put(work(schedule.FirstPartial, "b"))
			time.Sleep(time.Second)
			l.equal(t, batch{8 * ms, []string{"b", "a"}})
		})
	})
	t.Run("till full", func(t *testing.T) {
		run(t, 2, func(t *testing.T, s *schedule.Scheduler, l *log) {
			q := s.Add(model(l))
			for _, task := range []string{"a", "b", "c"} {
				q.Put(work(schedule.Partial, task))
				time.Sleep(2 * ms)
			}
			l.equal(t, batch{4 * ms, []string{"a", "b", "c"}})
		})
	})
	t.Run("a final goes at once and takes it along", func(t *testing.T) {
		run(t, 2, func(t *testing.T, s *schedule.Scheduler, l *log) {
			q := s.Add(model(l))
			q.Put(work(schedule.Partial, "a"))
			time.Sleep(2 * ms)
			q.Put(work(schedule.Final, "b"))
			synctest.Wait()
			l.equal(t, batch{2 * ms, []string{"b", "a"}})
		})
	})
	t.Run("takes up no slot", func(t *testing.T) {
		run(t, 1, func(t *testing.T, s *schedule.Scheduler, l *log) {
			s.Add(model(l)).Put(work(schedule.FirstPartial, "a"))
			synctest.Wait()
			s.Add(schedule.Model{Decode: l.decode(20 * ms)}).Put(work(schedule.Replay, "b"))
			time.Sleep(time.Second)
			l.equal(t, batch{0, []string{"b"}}, batch{20 * ms, []string{"a"}})
		})
	})
	t.Run("all that is due", func(t *testing.T) {
		run(t, 2, func(t *testing.T, s *schedule.Scheduler, l *log) {
			for range 2 {
				s.Add(model(l)).Put(work(schedule.Partial, "a"))
			}
			time.Sleep(time.Second)
			l.equal(t, batch{8 * ms, []string{"a"}}, batch{8 * ms, []string{"a"}})
		})
	})
	t.Run("each for itself", func(t *testing.T) {
		run(t, 3, func(t *testing.T, s *schedule.Scheduler, l *log) {
			long := schedule.Model{Batch: 2, Wait: 50 * ms, Decode: l.decode(ms)}
			first, q := s.Add(long), s.Add(model(l))
			first.Put(work(schedule.Partial, "a"))
			q.Put(work(schedule.Partial, "b"))
			time.Sleep(20 * ms)
			dropped := work(schedule.Partial, "dropped")
			q.Put(dropped)
			q.Drop(dropped)
			time.Sleep(time.Second)
			l.equal(t, batch{8 * ms, []string{"b"}}, batch{50 * ms, []string{"a"}})
		})
	})
}

func TestOverloadShedsLaterPartialsFirst(t *testing.T) {
	run(t, 1, func(t *testing.T, s *schedule.Scheduler, l *log) {
		var late []string
		q := s.Add(schedule.Model{
			Name: "m", Patience: 25 * ms, Decode: l.decode(10 * ms),
			Late: func(w *schedule.Work) { late = append(late, w.Task.(string)) },
		})
		q.Put(work(schedule.Replay, "replay 1"))
		synctest.Wait()
		q.Put(work(schedule.Replay, "replay 2"))
		q.Put(work(schedule.Partial, "partial 1"))
		q.Put(work(schedule.Partial, "partial 2"))
		q.Put(work(schedule.FirstPartial, "first"))
		q.Put(work(schedule.Final, "final"))
		time.Sleep(time.Second)
		l.equal(t, batch{0, []string{"replay 1"}}, batch{10 * ms, []string{"final"}}, batch{20 * ms, []string{"first"}},
			batch{30 * ms, []string{"replay 2"}})
		q.Shed("no decoder", 3)
		f := q.Figures()
		if len(late) != 2 || f.Shed[schedule.ShedLate] != 2 || f.Shed["no decoder"] != 3 {
			t.Errorf("late %q, shed %v", late, f.Shed)
		}
		f.Shed["x"]++
		if again := q.Figures().Shed; len(again) != 2 {
			t.Errorf("the caller's map is the queue's: %v", again)
		}
	})
}

func TestFigures(t *testing.T) {
	run(t, 1, func(t *testing.T, s *schedule.Scheduler, l *log) {
		q := s.Add(schedule.Model{Name: "m", Batch: 2, Decode: l.decode(100 * ms)})
		for _, c := range []schedule.Class{schedule.Final, schedule.Final, schedule.Partial, schedule.Replay} {
			q.Put(&schedule.Work{Class: c, Samples: 8000, Task: "x"})
			synctest.Wait()
		}
		f := q.Figures()
		if f.Waiting != [6]int{schedule.Final: 1, schedule.Partial: 1, schedule.Replay: 1} || f.Running != 1 ||
			f.Calls != 1 || f.RTF() != 0 {
			t.Errorf("while decoding: %+v", f)
		}
		time.Sleep(time.Second)
		f = q.Figures()
		want := schedule.Figures{
			Model: "m", Slots: 1, Calls: 3, Jobs: 4, LargestBatch: 2, Queued: (100 + 100 + 200) * ms,
			LongestQueued: 200 * ms,
			Decoding:      300 * ms, LongestDecode: 100 * ms, Audio: 2 * time.Second,
		}
		want.Classes[schedule.Final] = schedule.ClassFigures{Jobs: 2, Queued: 100 * ms, Decoding: 150 * ms,
			Audio: time.Second}
		want.Classes[schedule.Partial] = schedule.ClassFigures{Jobs: 1, Queued: 100 * ms, Decoding: 50 * ms,
			Audio: time.Second / 2}
		want.Classes[schedule.Replay] = schedule.ClassFigures{Jobs: 1, Queued: 200 * ms, Decoding: 100 * ms,
			Audio: time.Second / 2}
		if !reflect.DeepEqual(f, want) || f.RTF() != 0.15 {
			t.Errorf("figures %+v, RTF %v; want %+v", f, f.RTF(), want)
		}
	})
}
