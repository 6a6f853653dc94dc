package schedule_test

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"steno/session/asr/schedule"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// log notes what was decoded, each batch at the time of its beginning.
type log struct {
	mu      sync.Mutex
	start   time.Time
	batches []batch
}

type batch struct {
	at    time.Duration
	tasks []string
}

func newLog() *log { return &log{start: time.Now()} }

// decode takes so long for every call.
func (l *log) decode(took time.Duration) func([]*schedule.Work) {
	return func(works []*schedule.Work) {
		b := batch{at: time.Since(l.start)}
		for _, w := range works {
			b.tasks = append(b.tasks, w.Task.(string))
		}
		l.mu.Lock()
		l.batches = append(l.batches, b)
		l.mu.Unlock()
		time.Sleep(took)
	}
}

// tasks returns all that was decoded, in the order of its beginning.
func (l *log) tasks() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []string
	for _, b := range l.batches {
		out = append(out, b.tasks...)
	}
	return out
}

func (l *log) equal(t *testing.T, want ...batch) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	same := func(a, b batch) bool { return a.at == b.at && slices.Equal(a.tasks, b.tasks) }
	if !slices.EqualFunc(l.batches, want, same) {
		t.Errorf("decoded %v, want %v", l.batches, want)
	}
}

func work(c schedule.Class, task string) *schedule.Work { return &schedule.Work{Class: c, Task: task} }

const ms = time.Millisecond

// run tests with so many slots in a bubble of fake time.
func run(t *testing.T, slots int, test func(t *testing.T, s *schedule.Scheduler, l *log)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := schedule.New(slots)
		defer s.Close()
		test(t, s, newLog())
	})
}

func TestTheMostUrgentOfAllModelsGoesFirst(t *testing.T) {
	run(t, 1, func(t *testing.T, s *schedule.Scheduler, l *log) {
		a := s.Add(schedule.Model{Name: "a", Decode: l.decode(ms)})
		b := s.Add(schedule.Model{Name: "b", Decode: l.decode(ms)})
		a.Put(work(schedule.Replay, "keeps the slot busy"))
		synctest.Wait()
		for c := schedule.Replay; c >= schedule.Final; c-- {
			name := []string{"final", "first", "lagged", "partial", "guess", "replay"}[c]
			b.Put(work(c, name+" 1"))
			a.Put(work(c, name+" 2"))
			b.Put(work(c, name+" 3"))
		}
		time.Sleep(time.Second)
		want := []string{"keeps the slot busy", "final 1", "final 2", "final 3", "first 1", "first 2", "first 3",
			"lagged 1", "lagged 2", "lagged 3", "partial 1", "partial 2", "partial 3", "guess 1", "guess 2", "guess 3",
			"replay 1", "replay 2", "replay 3"}
		if got := l.tasks(); !slices.Equal(got, want) {
			t.Errorf("decoded %q, want %q", got, want)
		}
	})
}

func TestOneModelDoesNotTakeAllSlots(t *testing.T) {
	run(t, 3, func(t *testing.T, s *schedule.Scheduler, l *log) {
		narrow := s.Add(schedule.Model{Parallel: 1, Decode: l.decode(10 * ms)})
		wide := s.Add(schedule.Model{Decode: l.decode(10 * ms)})
		narrow.Put(work(schedule.Final, "a"))
		narrow.Put(work(schedule.Final, "b"))
		synctest.Wait()
		wide.Put(work(schedule.Partial, "c"))
		synctest.Wait()
		wide.Put(work(schedule.Partial, "d"))
		time.Sleep(time.Second)
		l.equal(t, batch{0, []string{"a"}}, batch{0, []string{"c"}}, batch{0, []string{"d"}},
			batch{10 * ms, []string{"b"}})
	})
}

func TestRecordingsLeaveASlotToSpeech(t *testing.T) {
	for _, c := range []struct{ slots, live, at0, at10 int }{
		{slots: 3, live: 0, at0: 3, at10: 3},
		{slots: 3, live: 2, at0: 2, at10: 2},
		{slots: 2, live: 1, at0: 1, at10: 1},
		{slots: 1, live: 1, at0: 1, at10: 1}, // or recordings would wait for ever
	} {
		run(t, c.slots, func(t *testing.T, s *schedule.Scheduler, l *log) {
			q := s.Add(schedule.Model{Decode: l.decode(10 * ms)})
			s.Live("", c.live)
			for range 9 {
				q.Put(work(schedule.Replay, "r"))
			}
			time.Sleep(15 * ms)
			if n := len(l.tasks()); n != c.at0+c.at10 {
				t.Errorf("%+v: %d recordings begun", c, n)
			}
			s.Live("", -c.live)
			synctest.Wait()
			if _, busy := s.Slots(); busy != c.slots {
				t.Errorf("%+v: %d slots busy once all speech is over", c, busy)
			}
		})
	}
}

func TestCloseDropsWhatWaitsAndWaitsForTheRest(t *testing.T) {
	run(t, 2, func(t *testing.T, s *schedule.Scheduler, l *log) {
		a := s.Add(schedule.Model{Decode: l.decode(10 * ms)})
		b := s.Add(schedule.Model{Parallel: 1, Decode: l.decode(20 * ms)})
		held := s.Add(schedule.Model{Batch: 2, Wait: time.Hour, Decode: l.decode(ms)})
		for q, name := range map[*schedule.Queue]string{a: "a", b: "b"} {
			q.Put(work(schedule.Final, name))
			synctest.Wait()
			q.Put(work(schedule.Partial, name+" dropped"))
		}
		held.Put(work(schedule.Partial, "held"))
		start := time.Now()
		b.Close()
		if took := time.Since(start); took != 20*ms {
			t.Errorf("closed one queue after %v", took)
		}
		b.Put(work(schedule.Final, "too late"))
		s.Close()
		if took := time.Since(start); took != 20*ms {
			t.Errorf("closed after %v", took)
		}
		a.Put(work(schedule.Final, "too late"))
		b.Close()
		s.Close()
		got := l.tasks()
		slices.Sort(got)
		if want := []string{"a", "a dropped", "b"}; !slices.Equal(got, want) { // a's second had its turn while b ran
			t.Errorf("decoded %q, want %q", got, want)
		}
		if f := held.Figures(); f.Waiting != [6]int{} || f.Calls != 0 {
			t.Errorf("figures %+v", f)
		}
	})
}

func TestDrop(t *testing.T) {
	run(t, 1, func(t *testing.T, s *schedule.Scheduler, l *log) {
		q := s.Add(schedule.Model{Decode: l.decode(10 * ms)})
		running, waiting := work(schedule.Final, "running"), work(schedule.Final, "waiting")
		q.Put(running)
		synctest.Wait()
		q.Put(waiting)
		if q.Drop(running) || q.Drop(work(schedule.Final, "never put")) {
			t.Error("dropped what does not wait")
		}
		if !q.Drop(waiting) || q.Drop(waiting) {
			t.Error("want dropped exactly once")
		}
		time.Sleep(20 * ms)
		q.Put(waiting)
		time.Sleep(20 * ms)
		q.Put(running)
		time.Sleep(20 * ms)
		if got := l.tasks(); !slices.Equal(got, []string{"running", "waiting", "running"}) {
			t.Errorf("decoded %q", got)
		}
	})
}

// Guesses leave one of several slots to other work, unless their model has GivesWay.
func TestGuessesLeaveASlot(t *testing.T) {
	run(t, 3, func(t *testing.T, s *schedule.Scheduler, l *log) {
		stays := s.Add(schedule.Model{Decode: l.decode(30 * ms)})
		gives := s.Add(schedule.Model{GivesWay: true, Decode: l.decode(30 * ms)})
		for _, task := range []string{"a", "b", "c"} {
			stays.Put(work(schedule.Guess, task))
		}
		time.Sleep(10 * ms)
		gives.Put(work(schedule.Guess, "d"))
		time.Sleep(10 * ms)
		stays.Put(work(schedule.Final, "final"))
		time.Sleep(time.Second)
		l.equal(t, batch{0, []string{"a"}}, batch{0, []string{"b"}}, batch{10 * ms, []string{"d"}},
			batch{30 * ms, []string{"final"}}, batch{30 * ms, []string{"c"}})
	})
	run(t, 1, func(t *testing.T, s *schedule.Scheduler, l *log) {
		s.Add(schedule.Model{Decode: l.decode(ms)}).Put(work(schedule.Guess, "alone"))
		time.Sleep(time.Second)
		l.equal(t, batch{0, []string{"alone"}})
	})
}

// Later partials and recordings leave one of several slots free while a final or a guess of a heavy
// model is decoded.
func TestHeavyFinalsAreLeftAlone(t *testing.T) {
	for _, c := range []struct {
		slots int
		heavy bool
		class schedule.Class // beside it
		want  []time.Duration
	}{
		{2, true, schedule.Partial, []time.Duration{0, 30 * ms, 30 * ms}},
		{2, true, schedule.Replay, []time.Duration{0, 30 * ms, 60 * ms}}, // one slot is left to live speech
		{2, true, schedule.FirstPartial, []time.Duration{0, 10 * ms, 30 * ms}},
		{2, false, schedule.Partial, []time.Duration{0, 10 * ms, 30 * ms}},
		{3, true, schedule.Partial, []time.Duration{0, 10 * ms, 30 * ms}},
		{1, true, schedule.Partial, []time.Duration{0, 30 * ms, 60 * ms}},
	} {
		for _, class := range []schedule.Class{schedule.Final, schedule.Guess} {
			run(t, c.slots, func(t *testing.T, s *schedule.Scheduler, l *log) {
				q := s.Add(schedule.Model{GivesWay: true, Heavy: c.heavy, Decode: l.decode(30 * ms)})
				s.Live("", 1)
				q.Put(work(class, "final"))
				time.Sleep(10 * ms)
				q.Put(work(c.class, "beside"))
				q.Put(work(c.class, "beside"))
				time.Sleep(time.Second)
				l.mu.Lock()
				defer l.mu.Unlock()
				var begun []time.Duration
				for _, b := range l.batches {
					begun = append(begun, b.at)
				}
				if !slices.Equal(begun, c.want) {
					t.Errorf("%+v, class %d: begun at %v", c, class, begun)
				}
				s.Live("", -1)
			})
		}
	}
}

// Later partials of a heavy model leave a slot free as long as several parties speak.
func TestPartialsWhereSeveralSpeak(t *testing.T) {
	for _, c := range []struct {
		heavy  bool
		second string // the other utterance's party
		want   []time.Duration
	}{
		{true, "b", []time.Duration{0, 10 * ms, 30 * ms}}, // the second party ends after 10 ms
		{true, "a", []time.Duration{0, 0, 30 * ms}},
		{false, "b", []time.Duration{0, 0, 30 * ms}},
	} {
		run(t, 2, func(t *testing.T, s *schedule.Scheduler, l *log) {
			q := s.Add(schedule.Model{Heavy: c.heavy, Decode: l.decode(30 * ms)})
			s.Live("a", 1)
			s.Live(c.second, 1)
			for range 3 {
				q.Put(work(schedule.Partial, "partial"))
			}
			time.Sleep(10 * ms)
			s.Live(c.second, -1)
			time.Sleep(time.Second)
			l.mu.Lock()
			defer l.mu.Unlock()
			var begun []time.Duration
			for _, b := range l.batches {
				begun = append(begun, b.at)
			}
			if !slices.Equal(begun, c.want) {
				t.Errorf("%+v: begun at %v", c, begun)
			}
			s.Live("a", -1)
		})
	}
}

// Finals that are due before others are decoded first, and others that ask leave their slots to
// them.
func TestWorkIsDoneAsItIsDue(t *testing.T) {
	run(t, 1, func(t *testing.T, s *schedule.Scheduler, l *log) {
		q := s.Add(schedule.Model{Decode: l.decode(10 * ms)})
		now := time.Now()
		due := func(c schedule.Class, after time.Duration, task string) *schedule.Work {
			return &schedule.Work{Class: c, Due: now.Add(after), Task: task}
		}
		q.Put(due(schedule.Final, 50*ms, "running"))
		synctest.Wait()
		outranked := func(c schedule.Class, after time.Duration, want bool) {
			t.Helper()
			if got := q.Outranked(c, now.Add(after), ""); got != want {
				t.Errorf("outranked %v, want %v", got, want)
			}
		}
		outranked(schedule.Guess, time.Hour, false)
		q.Put(due(schedule.Final, 70*ms, "third"))
		q.Put(due(schedule.Final, 30*ms, "first"))
		q.Put(due(schedule.Guess, 0, "last"))
		q.Put(due(schedule.Final, 30*ms, "second"))
		outranked(schedule.Final, 20*ms, false)
		outranked(schedule.Final, 30*ms, true)
		outranked(schedule.Final, 50*ms, true)
		outranked(schedule.Guess, 0, true)
		rest := due(schedule.Final, 40*ms, "rest")
		rest.Rest = true
		q.Put(rest)
		time.Sleep(time.Second)
		if got := l.tasks(); !slices.Equal(got, []string{"running", "first", "second", "rest", "third", "last"}) {
			t.Errorf("decoded %q", got)
		}
		if f := q.Figures(); f.Jobs != 5 || f.Calls != 6 || f.Queued != (10+20+30+40)*ms {
			t.Errorf("figures %+v", f)
		}
		outranked(schedule.Guess, time.Hour, false)
	})
}

// Of two models that decode one piece at a time the one that asks counts as if it had ended.
func TestAModelsOwnWorkOutranksIt(t *testing.T) {
	run(t, 2, func(t *testing.T, s *schedule.Scheduler, l *log) {
		m := schedule.Model{Parallel: 1, GivesWay: true, Decode: l.decode(10 * ms)}
		one, other := s.Add(m), s.Add(m)
		one.Put(work(schedule.Guess, "a"))
		synctest.Wait()
		one.Put(work(schedule.Final, "b"))
		if !one.Outranked(schedule.Guess, time.Now(), "") {
			t.Error("an idle slot may not take what waits")
		}
		one.Put(work(schedule.Guess, "like it"))
		if one.Outranked(schedule.Final, time.Time{}, "") {
			t.Error("nothing is more urgent")
		}
		other.Put(work(schedule.Guess, "c"))
		synctest.Wait()
		if !one.Outranked(schedule.Guess, time.Now(), "") || other.Outranked(schedule.Guess, time.Now(), "") {
			t.Error("a model that decodes one piece at a time is not outranked by its own work, or another one by that")
		}
	})
}
