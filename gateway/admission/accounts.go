package admission

import (
	"maps"
	"slices"
	"time"

	"steno/session/asr"
)

// Holder is whose session it is: an account, and the name of the count of its key.
type Holder struct{ Account, Key string }

// accounts returns how many speakers the accounts have that have sessions on an engine. It is
// called with mu held.
func (c *Controller) accounts(now time.Time, engine string) map[string]float64 {
	by := map[string]*demand{}
	for s := range c.speakers {
		if s.engine != engine {
			continue
		}
		if by[s.account] == nil {
			by[s.account] = &demand{}
		}
		by[s.account].add(s, now)
	}
	speakers := make(map[string]float64, len(by))
	for account, d := range by {
		speakers[account] = d.speakers()
	}
	return speakers
}

// hasShare reports whether an account may have a session with so many channels more since it is one
// of several on an engine, and has less than an equal share of it. Of an engine that serves other
// nodes too that is not known. It is called with mu held.
func (c *Controller) hasShare(now time.Time, account, engine string, channels float64) bool {
	if c.engines[engine].capacity.shared {
		return false
	}
	speakers := c.accounts(now, engine)
	own := speakers[account] + channels
	speakers[account] = own
	return len(speakers) > 1 && own <= c.engines[engine].capacity.most()/float64(len(speakers))
}

// shareOf returns which part of an account's utterances have partials where a part of all may: all
// accounts have equally many, unless they need fewer.
func shareOf(account string, speakers map[string]float64, part float64) float64 {
	own := speakers[account]
	if len(speakers) < 2 || own <= 0 {
		return part
	}
	needs := slices.Sorted(maps.Values(speakers))
	room := 0.0
	for _, n := range needs {
		room += n * part
	}
	return min(1, asr.EvenShare(room, needs, own)/own)
}
