package session

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"

	"steno/messages"
	"steno/session/addon"
	"steno/session/panics"
)

// Limits of the step queue, for each add-on of a session: an add-on whose provider hangs delays no
// other.
const (
	maxRunningSteps = 8   // steps under way
	maxQueuedSteps  = 256 // steps that wait for a running one to finish; any more fail immediately as overloaded
)

// stepQueue runs the add-ons' steps beside the transcript. A step waits no longer than it may run,
// so the queue is empty at the latest two step timeouts after the last final. Its goroutines return
// when no step is left.
type stepQueue struct {
	session *run
	running sync.WaitGroup // the goroutines

	mu     sync.Mutex
	addons map[string]*addonSteps // by name
}

// addonSteps are one add-on's steps in the queue.
type addonSteps struct {
	running int // goroutines
	queued  []queuedStep
}

// queuedStep is a step and its deadline: a step not started by then fails as overloaded.
type queuedStep struct {
	addon.Step
	deadline time.Time
}

// admit accepts a step, or refuses it if the add-on's queue is full. If run is set the caller must
// start a goroutine for the step; otherwise a running one takes it from the queue.
func (q *stepQueue) admit(step queuedStep) (run, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.addons == nil {
		q.addons = map[string]*addonSteps{}
	}
	a := q.addons[step.Addon]
	if a == nil {
		a = new(addonSteps)
		q.addons[step.Addon] = a
	}
	switch {
	case a.running < maxRunningSteps:
		a.running++
		return true, true
	case len(a.queued) < maxQueuedSteps:
		a.queued = append(a.queued, step)
		return false, true
	}
	return false, false
}

// next removes and returns the add-on's oldest queued step. If there is none, the calling goroutine
// must return.
func (q *stepQueue) next(name string) (step queuedStep, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	a := q.addons[name]
	if len(a.queued) == 0 {
		a.running--
		return step, false
	}
	step = a.queued[0]
	a.queued[0], a.queued = queuedStep{}, a.queued[1:]
	return step, true
}

// start queues the steps and returns without waiting for them. Steps without a provider or without
// room in the queue emit their failure immediately. The collectors call it, and Open before they
// start.
func (q *stepQueue) start(steps []addon.Step) {
	now := q.session.cfg.Addons.Clock().Now()
	for _, step := range steps {
		if step.Do == nil {
			q.session.emit(step.OnceKey(), step.Fail(addon.Unavailable(step.Addon)))
			continue
		}
		queued := queuedStep{step, now.Add(step.Timeout)}
		run, ok := q.admit(queued)
		if !ok {
			q.session.emit(step.Key, step.Fail(addon.Overloaded(step.Addon)))
		}
		if run {
			q.running.Go(func() { q.run(queued) })
		}
	}
}

// run runs a step, then steps of the same add-on from the queue until it is empty.
func (q *stepQueue) run(step queuedStep) {
	for ok := true; ok; step, ok = q.next(step.Addon) {
		q.session.failOn(panics.Try(func() { q.runOne(step) }))
	}
}

// runOne runs one step and emits its message. An abandoned session emits none: the session that
// resumes it runs the step again.
func (q *stepQueue) runOne(step queuedStep) {
	m, once := step.Fail(addon.Overloaded(step.Addon)), false
	if q.session.cfg.Addons.Clock().Now().Before(step.deadline) {
		m, once = step.Do(q.session.life)
	}
	key := step.Key
	if once {
		key = step.OnceKey()
	}
	if q.session.life.Err() == nil {
		q.session.emit(key, m)
	}
}

// pendingSteps finds the steps whose messages are missing from an event log because the process
// died or abandoned the session after their finals. It drops a final once all its messages are
// read, so it holds few at any time.
type pendingSteps struct {
	addons  *addon.Live
	finals  map[string]messages.Event // by the utterance's id
	missing map[messages.Key]string   // from the key of a missing message to the utterance's id
	count   map[string]int            // number of missing messages by the utterance's id
	once    map[messages.Key]bool     // messages that are there for the steps of all finals, and those that would be
}

func newPendingSteps(a *addon.Live) *pendingSteps {
	return &pendingSteps{addons: a, finals: map[string]messages.Event{}, missing: map[messages.Key]string{},
		count: map[string]int{}, once: map[messages.Key]bool{}}
}

// add reads the next event of the log.
func (p *pendingSteps) add(e messages.Event) {
	if e.Kind == messages.KindFinal {
		id := e.Subject
		for _, step := range p.addons.Steps(id, messages.Utterance{}) {
			there, known := p.once[step.OnceKey()]
			if there {
				continue
			}
			if !known {
				p.once[step.OnceKey()] = false
			}
			p.finals[id] = e
			p.missing[step.Key] = id
			p.count[id]++
		}
		return
	}
	if _, known := p.once[e.Key]; known {
		p.once[e.Key] = true
		return
	}
	id, ok := p.missing[e.Key]
	if !ok {
		return
	}
	delete(p.missing, e.Key)
	if p.count[id]--; p.count[id] == 0 {
		delete(p.count, id)
		delete(p.finals, id)
	}
}

// steps returns the steps whose messages are missing, in the order of their finals.
func (p *pendingSteps) steps() ([]addon.Step, error) {
	var list []addon.Step
	for _, e := range slices.SortedFunc(maps.Values(p.finals),
		func(a, b messages.Event) int { return cmp.Compare(a.Seq, b.Seq) }) {
		u, err := finalOf(e)
		if err != nil {
			return nil, err
		}
		for _, step := range p.addons.Steps(e.Subject, u) {
			if _, missing := p.missing[step.Key]; missing && !p.once[step.OnceKey()] {
				list = append(list, step)
			}
		}
	}
	return list, nil
}
