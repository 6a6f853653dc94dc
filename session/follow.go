package session

import (
	"sync"
	"time"

	"steno/session/addon"
	"steno/session/panics"
)

// What follows finals is bounded for each add-on of a session, so that one that hangs takes nothing from the others.
const (
	maxAbreast = 8   // steps under way
	maxWaiting = 256 // steps that wait for one of those to end; any more fail at once, as overloaded
)

// following is what add-ons do with finals, beside everything else. A step waits at most as long as it may take, so after
// twice that time from the last final nothing is left. The goroutines end when no step is left.
type following struct {
	steps sync.WaitGroup // the goroutines

	mu     sync.Mutex
	addons map[string]*queued // by name
}

// queued is one add-on's work.
type queued struct {
	abreast int // goroutines
	waiting []due
}

// due is a step with the time by which it must have begun.
type due struct {
	addon.Step
	by time.Time
}

// admit takes a step. begin says that it has a goroutine to itself, else it waits for one; without room it is not taken.
func (f *following) admit(d due) (begin, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.addons == nil {
		f.addons = map[string]*queued{}
	}
	q := f.addons[d.Addon]
	if q == nil {
		q = new(queued)
		f.addons[d.Addon] = q
	}
	switch {
	case q.abreast < maxAbreast:
		q.abreast++
		return true, true
	case len(q.waiting) < maxWaiting:
		q.waiting = append(q.waiting, d)
		return false, true
	}
	return false, false
}

// next is the add-on's step that waits longest. Without one the goroutine that asks is let go.
func (f *following) next(name string) (d due, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	q := f.addons[name]
	if len(q.waiting) == 0 {
		q.abreast--
		return d, false
	}
	d = q.waiting[0]
	q.waiting[0], q.waiting = due{}, q.waiting[1:]
	return d, true
}

// follow has the steps done. It does not wait for them; what cannot be done says so at once. Called before the
// collectors begin, and by them.
func (s *Session) follow(steps []addon.Step) {
	now := time.Now()
	for _, step := range steps {
		if step.Do == nil {
			s.failOn(s.out.emit(s.life, step.Key, step.Fail(addon.Unavailable(step.Addon)), noCheckpoint))
			continue
		}
		d := due{step, now.Add(step.Within)}
		begin, ok := s.following.admit(d)
		if !ok {
			s.failOn(s.out.emit(s.life, step.Key, step.Fail(addon.Overloaded(step.Addon)), noCheckpoint))
		}
		if begin {
			s.following.steps.Go(func() { s.carryOut(d) })
		}
	}
}

// carryOut does a step, then those that wait for one of the same add-on to end.
func (s *Session) carryOut(d due) {
	for ok := true; ok; d, ok = s.following.next(d.Addon) {
		s.failOn(panics.Try(func() { s.step(d) }))
	}
}

// step does one step and emits its message. A session that was abandoned emits none: its successor does the step.
func (s *Session) step(d due) {
	m := d.Fail(addon.Overloaded(d.Addon))
	if time.Now().Before(d.by) {
		m = d.Do(s.life)
	}
	if s.life.Err() == nil {
		s.failOn(s.out.emit(s.life, d.Key, m, noCheckpoint))
	}
}
