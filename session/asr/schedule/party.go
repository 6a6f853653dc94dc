package schedule

import (
	"container/list"
	"slices"
	"time"
)

// Slots are shared by start-time fair queueing: of the parties with work of a class, the one whose
// work has had the slots for the shortest time goes first. A party that comes to have work starts
// level with the one that was served last: it gains nothing by having been idle, and waits for one
// piece of each other at most. Each class is shared on its own.

const (
	// leastCost is what a piece of work counts at least, so that parties take turns even if
	// decoding takes no time.
	leastCost = 100 * time.Microsecond
	// mostCredit bounds by how much less than others a party counts as served whose work had to
	// wait for a bound of its model: it does not keep others from the slots for long afterwards.
	mostCredit = time.Second
	// maxIdle is how many parties without work are remembered at most.
	maxIdle = 4096
)

// clock is what parties have used of the slots for work of one class, while there is any.
type clock struct {
	parties map[string]*party
	now     time.Duration // what the party has used whose work was begun last
	work    int           // pieces that wait or are being decoded
	sweepAt int           // number of parties at which those without work are looked at again
}

// party is a party's use of the slots for a class.
type party struct {
	name    string
	used    time.Duration // of slots, for what has been decoded
	running time.Duration // what is being decoded is expected to take
	work    int           // pieces that wait or are being decoded
}

// turn orders parties: the least goes first.
func (p *party) turn() time.Duration { return p.used + p.running }

// enter counts a piece of work of a party.
func (c *clock) enter(name string) *party {
	p := c.parties[name]
	if p == nil {
		c.sweep()
		p = &party{name: name}
		c.parties[name] = p
	}
	if p.work == 0 {
		p.used = max(p.used, c.now)
	}
	p.work++
	c.work++
	return p
}

// sweep forgets parties without work that are not ahead of those served.
func (c *clock) sweep() {
	if c.parties == nil {
		c.parties = map[string]*party{}
	}
	if len(c.parties) < c.sweepAt {
		return
	}
	for name, p := range c.parties {
		if p.work == 0 && (p.used <= c.now || len(c.parties) > maxIdle) {
			delete(c.parties, name)
		}
	}
	c.sweepAt = 2*len(c.parties) + 16
}

// begin counts a piece of work that is being decoded from now on.
func (c *clock) begin(p *party, expected time.Duration) {
	c.now = max(c.now, p.used)
	p.used = max(p.used, c.now-mostCredit)
	p.running += expected
}

// end counts the slot's time that the piece has taken.
func (c *clock) end(p *party, expected, took time.Duration) {
	p.running -= expected
	p.used += max(took, leastCost)
	c.leave(p)
}

// leave forgets a piece of work that was decoded or dropped, and its party if that matters no more.
func (c *clock) leave(p *party) {
	p.work--
	c.work--
	switch {
	case c.work == 0:
		*c = clock{}
	case p.work == 0 && p.used <= c.now:
		delete(c.parties, p.name)
	}
}

// line is the waiting work of a class in a queue.
type line struct {
	ranks []*rank // of the parties that have some, in no order
	len   int
}

// rank is one party's part of a line.
type rank struct {
	of    *party
	works list.List // of *Work, the most urgent first; never empty
}

// insert adds work of a party.
func (l *line) insert(w *Work) {
	i := slices.IndexFunc(l.ranks, func(r *rank) bool { return r.of == w.of })
	if i < 0 {
		i = len(l.ranks)
		l.ranks = append(l.ranks, &rank{of: w.of})
	}
	w.line, w.rank = l, l.ranks[i]
	l.len++
	works := &w.rank.works
	for e := works.Back(); e != nil; e = e.Prev() {
		if !w.before(e.Value.(*Work)) {
			w.place = works.InsertAfter(w, e)
			return
		}
	}
	w.place = works.PushFront(w)
}

// remove removes work.
func (l *line) remove(w *Work) {
	w.rank.works.Remove(w.place)
	if w.rank.works.Len() == 0 {
		i := slices.Index(l.ranks, w.rank)
		l.ranks = slices.Delete(l.ranks, i, i+1)
	}
	l.len--
	w.line, w.rank, w.place = nil, nil, nil
}

func (r *rank) first() *Work { return r.works.Front().Value.(*Work) }

// first returns the most urgent work of a line that is not empty.
func (l *line) first() *Work {
	first := l.ranks[0].first()
	for _, r := range l.ranks[1:] {
		if w := r.first(); w.before(first) {
			first = w
		}
	}
	return first
}

// since returns how long work of a line that is not empty has waited, of what each party has first.
func (l *line) since() time.Time {
	oldest := l.ranks[0].first().since
	for _, r := range l.ranks[1:] {
		if since := r.first().since; since.Before(oldest) {
			oldest = since
		}
	}
	return oldest
}
