package schedule_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"steno/session/asr/schedule"
)

// A final of a party that has nothing else to do waits for what runs alone, however much of another
// party waits.
func TestManyOfOnePartyDelayOneOfAnotherLittle(t *testing.T) {
	for slots := 1; slots <= 3; slots++ {
		run(t, slots, func(t *testing.T, s *schedule.Scheduler, l *log) {
			q := s.Add(schedule.Model{Decode: l.decode(10 * ms)})
			other := s.Add(schedule.Model{Decode: l.decode(10 * ms)})
			for n := range 50 {
				w := work(schedule.Final, fmt.Sprint("heavy ", n))
				w.Party = "heavy"
				q.Put(w)
			}
			time.Sleep(25 * ms)
			for n, in := range []*schedule.Queue{q, other} {
				w := work(schedule.Final, fmt.Sprint("light ", n))
				w.Party, w.Due = "light", time.Now().Add(time.Hour)
				in.Put(w)
			}
			time.Sleep(time.Second)
			tasks := l.tasks()
			first := slices.Index(tasks, "light 0")
			if begun := 3 * slots; first != begun {
				t.Errorf("on %d slots %d pieces went before the first, want the %d that had begun", slots, first, begun)
			}
			if second := slices.Index(tasks, "light 1"); second > first+2 {
				t.Errorf("on %d slots %d pieces went between two", slots, second-first-1)
			}
			heavy := slices.DeleteFunc(tasks, func(task string) bool { return strings.HasPrefix(task, "light") })
			for n, task := range heavy {
				if slots == 1 && task != fmt.Sprint("heavy ", n) { // several slots begin together
					t.Fatalf("work of one party was decoded in the order %q", heavy)
				}
			}
			if n := s.Parties(); n != 0 {
				t.Errorf("%d parties remembered without work", n)
			}
		})
	}
}

// A party that had no work while another had the slots gets half of them afterwards, not more; and
// of two slots each has one.
func TestIdlePartiesGainNothing(t *testing.T) {
	run(t, 2, func(t *testing.T, s *schedule.Scheduler, l *log) {
		q := s.Add(schedule.Model{Decode: l.decode(10 * ms)})
		for _, party := range []string{"first", "second"} {
			for range 100 {
				q.Put(&schedule.Work{Class: schedule.Replay, Party: party, Task: party})
			}
			time.Sleep(205 * ms)
		}
		s.Close()
		begun := map[time.Duration]map[string]bool{}
		for _, b := range l.batches {
			if begun[b.at] == nil {
				begun[b.at] = map[string]bool{}
			}
			begun[b.at][b.tasks[0]] = true
		}
		for at := 230 * ms; at <= 400*ms; at += 10 * ms {
			if len(begun[at]) != 2 {
				t.Errorf("at %v slots were given to %v", at, begun[at])
			}
		}
	})
}

// Under overload partials of the party that asks for most are dropped before those of others.
func TestPartialsOfTheHeavyPartyAreDropped(t *testing.T) {
	run(t, 1, func(t *testing.T, s *schedule.Scheduler, l *log) {
		late := map[string]int{}
		q := s.Add(schedule.Model{Patience: 50 * ms, Decode: l.decode(10 * ms), Late: func(w *schedule.Work) {
			late[w.Party]++
		}})
		for range 20 {
			for _, party := range []string{"heavy", "heavy", "heavy", "heavy", "light"} {
				q.Put(&schedule.Work{Class: schedule.Partial, Party: party, Task: party})
			}
			time.Sleep(30 * ms)
		}
		time.Sleep(time.Second)
		s.Close()
		if late["light"] > 0 || late["heavy"] < 20 {
			t.Errorf("dropped %v", late)
		}
	})
}

// Running work of one party leaves its slot to that of a party that is as far as it was, and is due
// before, and not to what waits of one that is further.
func TestOutrankedByAnotherParty(t *testing.T) {
	run(t, 1, func(t *testing.T, s *schedule.Scheduler, l *log) {
		q := s.Add(schedule.Model{Decode: l.decode(10 * ms)})
		put := func(party string, due time.Duration) {
			q.Put(&schedule.Work{Class: schedule.Final, Party: party, Due: time.Now().Add(due), Task: party})
			synctest.Wait()
		}
		outranked := func(want bool) {
			t.Helper()
			if got := q.Outranked(schedule.Final, time.Now().Add(50*ms), "a"); got != want {
				t.Errorf("outranked %v, want %v", got, want)
			}
		}
		put("b", 0)
		put("a", 50*ms)
		put("b", 0)
		time.Sleep(15 * ms) // a's is running
		outranked(false)    // b has used more
		put("c", 100*ms)
		outranked(false)
		put("d", 0)
		outranked(true)
		if q.Outranked(schedule.Final, time.Time{}, "a") {
			t.Error("outranked by work of its own class where only more urgent classes count")
		}
		time.Sleep(time.Second)
	})
}

// usage is the slots' time that parties have had.
type usage struct {
	mu    sync.Mutex
	of    map[string]time.Duration
	begun map[string]time.Duration
}

func (u *usage) count(in map[string]time.Duration, party string, took time.Duration) {
	u.mu.Lock()
	defer u.mu.Unlock()
	in[party] += took
}

// begunBy returns the time of what was begun, by party.
func (u *usage) begunBy() map[string]time.Duration {
	u.mu.Lock()
	defer u.mu.Unlock()
	out := map[string]time.Duration{}
	for party, took := range u.begun {
		out[party] = took
	}
	return out
}

// contest is a run in which two parties always have work, with others that come and go.
type contest struct {
	slots, models int
	took          [][2]time.Duration // of the pieces of each party: at least, at most
	visits        []visit
}

type visit struct {
	party int // above the two
	model int
	after time.Duration
	took  time.Duration
}

const longest = 20 * ms

func drawContest(t *rapid.T) contest {
	in := func(low, high int, what string) int { return rapid.IntRange(low, high).Draw(t, what) }
	c := contest{slots: in(1, 3, "slots"), models: in(1, 2, "models")}
	for range 2 {
		low := time.Duration(in(1, 20, "least")) * ms
		c.took = append(c.took, [2]time.Duration{low, time.Duration(in(int(low/ms), 20, "most")) * ms})
	}
	for range in(0, 40, "visits") {
		c.visits = append(c.visits, visit{
			in(2, 5, "party"), in(0, c.models-1, "model"), time.Duration(in(0, 30, "after")) * ms,
			time.Duration(in(0, 20, "took")) * ms,
		})
	}
	return c
}

type piece struct {
	party string
	took  time.Duration
	begun chan struct{}
	next  func() // puts another piece of a party that always has work; nil: none
}

// play runs the contest and returns its faults.
func (c contest) play() (faults []string) {
	s := schedule.New(c.slots)
	defer s.Close()
	u := &usage{of: map[string]time.Duration{}, begun: map[string]time.Duration{}}
	var queues []*schedule.Queue
	for range c.models {
		queues = append(queues, s.Add(schedule.Model{Decode: func(batch []*schedule.Work) {
			p := batch[0].Task.(*piece)
			u.count(u.begun, p.party, p.took)
			close(p.begun)
			if p.next != nil {
				p.next()
			}
			time.Sleep(p.took)
			u.count(u.of, p.party, p.took)
		}}))
	}
	put := func(model int, p piece) {
		queues[model].Put(&schedule.Work{Class: schedule.Final, Party: p.party, Task: &p})
	}
	var more func(party, n int)
	more = func(party, n int) {
		span := c.took[party]
		put(n%c.models, piece{
			party: fmt.Sprint(party), took: span[0] + time.Duration(n)*7*ms%(span[1]-span[0]+ms),
			begun: make(chan struct{}), next: func() { more(party, n+4) },
		})
	}
	for n := range 4 {
		more(0, n)
		more(1, n)
	}
	for _, v := range c.visits {
		time.Sleep(v.after)
		party := fmt.Sprint(v.party)
		before := u.begunBy()
		p := piece{party: party, took: v.took, begun: make(chan struct{})}
		put(v.model, p)
		<-p.begun
		for other, took := range u.begunBy() {
			if most := time.Duration(c.slots+3) * longest; other != party && took-before[other] > most {
				faults = append(faults, fmt.Sprintf("party %s was given %v of the slots while one piece of %s waited",
					other, took-before[other], party))
			}
		}
	}
	time.Sleep(100 * ms)
	u.mu.Lock()
	defer u.mu.Unlock()
	if apart := (u.of["0"] - u.of["1"]).Abs(); apart > time.Duration(c.slots+1)*longest {
		faults = append(faults, fmt.Sprintf("two parties that always had work were given %v and %v of the slots",
			u.of["0"], u.of["1"]))
	}
	return faults
}

// However long their pieces of work are, and whoever else comes, two parties that always have work
// get the same of the slots, and nobody waits for more than a few pieces of each other.
func TestPartiesShareTheSlots(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := drawContest(rt)
		var faults []string
		synctest.Test(t, func(*testing.T) { faults = c.play() })
		if len(faults) > 0 {
			rt.Fatalf("%v", faults)
		}
	})
}
