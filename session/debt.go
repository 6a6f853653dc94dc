package session

import (
	"cmp"
	"maps"
	"slices"

	"steno/messages"
	"steno/session/addon"
)

// debts are the finals of a log whose add-ons have not all had their say: the process died, or left the session, after
// the final. Those of finals that want nothing more are let go of as the log is read, so there are few at any time.
type debts struct {
	addons *addon.Live
	finals map[string]messages.Logged // by the utterance's id
	owed   map[string]string          // keys of messages that are missing, to the id
	left   map[string]int             // by id, how many are missing
}

func newDebts(a *addon.Live) *debts {
	return &debts{addons: a, finals: map[string]messages.Logged{}, owed: map[string]string{}, left: map[string]int{}}
}

// note takes an event of the log, in its order.
func (d *debts) note(e messages.Logged) {
	if e.Kind == messages.KindFinal {
		id := finalID(e)
		for _, step := range d.addons.Following(id, messages.Utterance{}) {
			d.finals[id] = e
			d.owed[step.Key] = id
			d.left[id]++
		}
		return
	}
	id, ok := d.owed[e.Key]
	if !ok {
		return
	}
	delete(d.owed, e.Key)
	if d.left[id]--; d.left[id] == 0 {
		delete(d.left, id)
		delete(d.finals, id)
	}
}

// steps is what is missing, in the order of the finals.
func (d *debts) steps() ([]addon.Step, error) {
	var list []addon.Step
	for _, e := range slices.SortedFunc(maps.Values(d.finals), func(a, b messages.Logged) int { return cmp.Compare(a.Seq, b.Seq) }) {
		u, err := finalOf(e)
		if err != nil {
			return nil, err
		}
		for _, step := range d.addons.Following(finalID(e), u) {
			if _, missing := d.owed[step.Key]; missing {
				list = append(list, step)
			}
		}
	}
	return list, nil
}
