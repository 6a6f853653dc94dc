package schedule_test

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"steno/session/asr/schedule"
)

// script is a run of a scheduler, drawn at random. It holds no time but the fake one.
type script struct {
	slots  int
	party  string // whose all work is
	models []shape
	steps  []step
}

type shape struct {
	batch, parallel int
	wait, patience  time.Duration
	took            time.Duration
	givesWay        bool
}

type step struct {
	action string
	model  int
	class  schedule.Class
	n      int
}

func drawScript(t *rapid.T) script {
	in := func(low, high int, what string) int { return rapid.IntRange(low, high).Draw(t, what) }
	s := script{slots: in(1, 4, "slots"), party: rapid.SampledFrom([]string{"", "a"}).Draw(t, "party")}
	for range in(1, 3, "models") {
		s.models = append(s.models, shape{
			batch: in(0, 4, "batch"), parallel: in(0, 2, "parallel"), wait: time.Duration(in(0, 5, "wait")) * ms,
			patience: time.Duration(10*in(0, 3, "patience")) * ms, took: time.Duration(in(0, 9, "took")) * ms,
			givesWay: in(0, 1, "gives way") == 1,
		})
	}
	actions := rapid.SampledFrom([]string{"put", "put", "put", "put", "sleep", "drop", "live", "close"})
	for range in(1, 80, "steps") {
		s.steps = append(s.steps, step{
			action: actions.Draw(t, "action"), model: in(0, len(s.models)-1, "model"),
			class: schedule.Class(in(0, 5, "class")), n: in(0, 9, "n"),
		})
	}
	return s
}

// fate is what became of one piece of work.
type fate struct {
	model         int
	put, due      time.Time
	begun         time.Time
	lead          bool // of its batch
	decoded       int  // times
	dropped, lost bool // by Drop or Late; by Close
	work          schedule.Work
	readyAt       time.Time // when it stops waiting for company
	bounded       bool      // it may not be decoded on all slots
}

// simulation runs a script against a scheduler and records the faults of its decisions.
type simulation struct {
	script  script
	s       *schedule.Scheduler
	queues  []*schedule.Queue
	fates   []*fate
	closed  map[int]bool
	mu      sync.Mutex // guards all below, and the fates
	live    int
	running []int // calls of each model
	replays int   // calls with a recording's work
	guesses int   // calls with a guess of a model without GivesWay
	faults  []string
}

func (w *simulation) fault(format string, args ...any) {
	w.faults = append(w.faults, fmt.Sprintf(format, args...))
}

// play runs a script and returns its faults. Wherever it continues, all slots are idle or decoding.
func play(s script) []string {
	w := &simulation{script: s, s: schedule.New(s.slots), closed: map[int]bool{}, running: make([]int, len(s.models))}
	for i, m := range s.models {
		w.queues = append(w.queues, w.s.Add(schedule.Model{
			Batch: m.batch, Parallel: m.parallel, Wait: m.wait, Patience: m.patience, GivesWay: m.givesWay,
			Decode: func(batch []*schedule.Work) { w.decode(i, batch) }, Late: w.late,
		}))
	}
	for _, step := range s.steps {
		w.play(step)
		synctest.Wait()
	}
	time.Sleep(time.Minute)
	w.end()
	return w.faults
}

func (w *simulation) play(step step) {
	q, closed := w.queues[step.model], w.closed[step.model]
	switch step.action {
	case "put":
		q.Put(&w.add(step, closed).work)
	case "drop":
		if n := len(w.fates); n > 0 {
			f := w.fates[n-1-step.n%n]
			f.dropped = w.queues[f.model].Drop(&f.work) || f.dropped
		}
	case "sleep":
		time.Sleep(time.Duration(step.n) * ms)
	case "live":
		n := 1 - 2*(step.n%2)
		w.mu.Lock()
		n = max(n, -w.live)
		w.live += n
		w.mu.Unlock()
		w.s.Live("", n)
	case "close":
		if step.n == 0 {
			w.closeQueue(step.model)
		}
	}
}

func (w *simulation) add(step step, closed bool) *fate {
	m := w.script.models[step.model]
	f := &fate{model: step.model, put: time.Now(), readyAt: time.Now(), lost: closed,
		bounded: m.parallel > 0 && m.parallel < w.script.slots || step.class == schedule.Guess && !m.givesWay}
	if step.class != schedule.Final {
		f.readyAt = f.put.Add(m.wait)
	}
	f.work, f.due = schedule.Work{Class: step.class, Task: f, Party: w.script.party}, f.put
	if step.n > 5 {
		f.due = f.put.Add(time.Duration(step.n-7) * 5 * ms)
		f.work.Due = f.due
	}
	w.fates = append(w.fates, f)
	return f
}

// closeQueue finds every piece of the queue's work begun or dropped.
func (w *simulation) closeQueue(model int) {
	w.queues[model].Close()
	w.closed[model] = true
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.running[model] > 0 {
		w.fault("%d decodes under way after Close", w.running[model])
	}
	for _, f := range w.fates {
		if f.model == model && f.decoded == 0 && !f.dropped {
			f.lost = true
		}
	}
}

func (w *simulation) late(work *schedule.Work) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f := work.Task.(*fate)
	waited := time.Since(f.put)
	if work.Class != schedule.FirstPartial && work.Class != schedule.Partial ||
		waited <= w.script.models[f.model].patience {
		w.fault("class %d shed after %v", work.Class, waited)
	}
	f.dropped = true
}

func (w *simulation) decode(model int, batch []*schedule.Work) {
	w.mu.Lock()
	m, replay, guess := w.script.models[model], 0, 0
	for i, work := range batch {
		f := work.Task.(*fate)
		f.decoded++
		f.begun, f.lead = time.Now(), i == 0
		if f.model != model || i > 0 && work.Class < batch[i-1].Class {
			w.fault("a batch of several models, or not the most urgent first")
		}
		if work.Class == schedule.Replay {
			replay = 1
		}
		if work.Class == schedule.Guess && !m.givesWay {
			guess = 1
		}
	}
	w.running[model]++
	w.replays += replay
	w.guesses += guess
	w.bounds(model, len(batch), replay > 0)
	w.mu.Unlock()
	time.Sleep(m.took)
	w.mu.Lock()
	w.running[model]--
	w.replays -= replay
	w.guesses -= guess
	w.mu.Unlock()
}

func (w *simulation) bounds(model, pieces int, replay bool) {
	m, all := w.script.models[model], 0
	for _, n := range w.running {
		all += n
	}
	if all > w.script.slots || m.parallel > 0 && w.running[model] > m.parallel || pieces > max(m.batch, 1) {
		w.fault("%d decodes on %d slots, %d of a model that takes %d, %d pieces in a batch of %d",
			all, w.script.slots, w.running[model], m.parallel, pieces, m.batch)
	}
	if replay && w.live > 0 && w.replays > max(w.script.slots-1, 1) {
		w.fault("%d of %d slots have recordings beside live speech", w.replays, w.script.slots)
	}
	if w.guesses > max(w.script.slots-1, 1) {
		w.fault("%d of %d slots have guesses", w.guesses, w.script.slots)
	}
}

// end checks that every piece came to its end, and that none was begun while a more urgent one
// waited.
func (w *simulation) end() {
	defer w.s.Close()
	if n := w.s.Parties(); n > 0 {
		w.fault("%d parties remembered without work", n)
	}
	jobs, decoded := 0, 0
	for i, q := range w.queues {
		f := q.Figures()
		jobs += f.Jobs
		if f.Waiting != [6]int{} || f.Running != 0 {
			w.fault("model %d is not done: %+v", i, f)
		}
	}
	for i, f := range w.fates {
		decoded += f.decoded
		if f.decoded > 1 || (f.decoded == 1) == (f.dropped || f.lost) {
			w.fault("work %d was decoded %d times, dropped %v, lost %v", i, f.decoded, f.dropped, f.lost)
		}
		for _, other := range w.fates {
			if overtaken(f, other) {
				w.fault("work of class %d was begun while some of class %d waited", other.work.Class, f.work.Class)
			}
		}
	}
	if jobs != decoded {
		w.fault("%d pieces decoded, %d counted", decoded, jobs)
	}
}

// overtaken reports whether another piece was begun, not as company, while this one should have
// been. Work of a model that has a bound of its own may have to wait.
func overtaken(f, other *fate) bool {
	if f.decoded == 0 || other.decoded == 0 || !other.lead || f.bounded {
		return false
	}
	urgent := f.work.Class < other.work.Class || f.work.Class == other.work.Class && f.due.Before(other.due)
	return urgent && f.readyAt.Before(other.begun) && other.begun.Before(f.begun)
}

func TestAnyWorkComesToItsEndInOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := drawScript(rt)
		var faults []string
		synctest.Test(t, func(*testing.T) { faults = play(s) })
		if len(faults) > 0 {
			rt.Fatalf("%v", faults)
		}
	})
}
