package schedule_test

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"steno/session/asr/engine/schedule"
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
		for _, c := range []schedule.Class{schedule.Replay, schedule.Partial, schedule.FirstPartial, schedule.Final} {
			name := []string{"final", "first", "partial", "replay"}[c]
			b.Put(work(c, name+" 1"))
			a.Put(work(c, name+" 2"))
			b.Put(work(c, name+" 3"))
		}
		time.Sleep(time.Second)
		want := []string{"keeps the slot busy", "final 1", "final 2", "final 3", "first 1", "first 2", "first 3",
			"partial 1", "partial 2", "partial 3", "replay 1", "replay 2", "replay 3"}
		if got := l.tasks(); !slices.Equal(got, want) {
			t.Errorf("decoded %q, want %q", got, want)
		}
	})
}
