package session

import (
	"cmp"
	"maps"
	"slices"

	"steno/messages"
	"steno/session/addon"
)

// pendingSteps finds the steps whose messages are missing from an event log: those of finals after which the process died
// or gave up the session. It forgets a final as soon as all its messages were read, so it holds few at any time.
type pendingSteps struct {
	addons  *addon.Live
	finals  map[string]messages.Event // by the utterance's id
	missing map[messages.Key]string   // from the key of a missing message to the utterance's id
	count   map[string]int            // number of missing messages by the utterance's id
	once    map[messages.Key]bool     // messages that are there for the steps of all finals, and those that would be
}

func newPendingSteps(a *addon.Live) *pendingSteps {
	return &pendingSteps{addons: a, finals: map[string]messages.Event{}, missing: map[messages.Key]string{}, count: map[string]int{}, once: map[messages.Key]bool{}}
}

// add takes the next event of the log.
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
	for _, e := range slices.SortedFunc(maps.Values(p.finals), func(a, b messages.Event) int { return cmp.Compare(a.Seq, b.Seq) }) {
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
