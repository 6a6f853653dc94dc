package schedule

import (
	"container/list"
	"slices"
	"time"
)

// Model specifies how the work of a queue is decoded. Decode is required.
type Model struct {
	Name string
	// Batch is how many pieces of work one call of Decode takes at most; 0: one.
	Batch int
	// Wait is how long a piece waits for company at most while a slot is free and the batch is not
	// full; 0: not at all. Finals never wait, and take waiting pieces with them.
	Wait time.Duration
	// Parallel is how many calls of Decode run at a time; 0: as many as there are slots.
	Parallel int
	// Patience is how long a partial may wait: an older one is dropped when its turn comes, and
	// counted as [ShedLate]; 0: for ever.
	Patience time.Duration
	// OnlyPartials is true if the work of live speech is for partials alone: finals do without it.
	OnlyPartials bool
	// OneThread is true if Decode computes only on the thread that it is called on, so that its
	// processor time can be measured, and recordings have a lower priority.
	OneThread bool
	// Heavy is true if decodes slow each other by half although each has a processor, since they
	// share memory: later partials and recordings leave a slot free beside finals and guesses, and
	// where several parties speak.
	Heavy bool
	// GivesWay is true if Decode abandons a guess for work that outranks it ([Queue.Outranked]).
	GivesWay bool
	// Decode does the work of at least one piece. It is called on a slot's goroutine with no lock
	// held; the slice is its own.
	Decode func(batch []*Work)
	// Late is called with each piece that was dropped because it had waited longer than Patience,
	// in the same way; it may be nil.
	Late func(w *Work)
}

// ShedLate is the reason of the pieces that the scheduler sheds itself.
const ShedLate = "late"

// Work is one piece of work. It may be put again once it was dropped or its Decode has returned.
type Work struct {
	Class   Class
	Samples int // of audio; for the figures
	Task    any // the owner's
	// Party is whose work it is: parties share the slots. Empty: work of nobody, which is a party.
	Party string
	// Due orders the work of a class and a party: what is due first goes first. Zero: due when it
	// is put.
	Due time.Time
	// Rest is true for the remainder of a piece that has released its slot. It is not counted as
	// another one, but its Samples are.
	Rest bool

	line    *line         // where it waits; nil: nowhere
	rank    *rank         // of its party, in line
	place   *list.Element // in rank
	of      *party        // of Party and Class, while it waits or is being decoded
	arrival uint64        // its number in the order of arrival
	since   time.Time     // when it arrived
	due     time.Time     // Due, or when it arrived
}

// Queue is the work of one model.
type Queue struct {
	s       *Scheduler
	model   Model
	lines   [classes]line // by class
	running int           // calls of Decode
	closed  bool
	meter   meter
}

// Add returns a new queue for a model. It may be called at any time before Close.
func (s *Scheduler) Add(m Model) *Queue {
	s.mu.Lock()
	defer s.mu.Unlock()
	m.Batch = max(m.Batch, 1)
	if m.Parallel < 1 {
		m.Parallel = s.limit + Background(s.limit)
	}
	q := &Queue{s: s, model: m}
	s.queues = append(s.queues, q)
	return q
}

// Close drops waiting work, waits for decodes under way, and closes the queue: work put afterwards
// is dropped immediately. It may be called again, but not by Decode or Late.
func (q *Queue) Close() {
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	q.closed = true
	q.clear()
	q.s.queues = slices.DeleteFunc(q.s.queues, func(other *Queue) bool { return other == q })
	for q.running > 0 {
		q.s.settled.Wait()
	}
}

// Put queues work. The queue is as long as its owner lets it be: let an open utterance have one
// piece waiting, and bound the utterances.
func (q *Queue) Put(w *Work) {
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	if q.closed || q.s.closed {
		return
	}
	q.s.arrived++
	w.arrival, w.since = q.s.arrived, time.Now()
	if w.due = w.Due; w.due.IsZero() {
		w.due = w.since
	}
	w.of = q.s.clocks[w.Class].enter(w.Party)
	q.lines[w.Class].insert(w)
	q.s.waiting++
	q.s.wake.Signal()
}

// Rest is called from time to time by work of recordings that is being decoded. Where it has a slot
// of its own and live speech is open it waits, until the decodes that are under way leave a
// processor free or for that long at most: see [Model.Heavy] for why.
func (q *Queue) Rest(most time.Duration) {
	s := q.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if !q.isBehind(Replay) || !s.crowded(0) {
		return
	}
	s.resting++
	defer func() { s.resting-- }()
	over := false
	alarm := time.AfterFunc(most, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		over = true
		s.eased.Broadcast()
	})
	defer alarm.Stop()
	for !over && !s.closed && s.crowded(1) {
		s.eased.Wait()
	}
}

// crowded reports whether live speech is open and no processor is free, with so many recordings
// more that are decoded.
func (s *Scheduler) crowded(more int) bool {
	return s.live > 0 && s.busy+s.behind-s.resting+more >= s.bound()
}

// Outranked reports whether work of a class and a party that is being decoded should leave its slot
// to other work, which waits for it and would have been taken first. Where due is zero that is work
// of more urgent classes alone.
func (q *Queue) Outranked(c Class, due time.Time, party string) bool {
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	asks := occupied{slots: 1}
	if q.isBehind(c) {
		asks = occupied{behind: 1}
	}
	var lead *Work
	switch {
	case asks.slots > 0 && q.s.busy == q.s.limit || asks.behind > 0 && !q.mayStart(c):
		q.s.count(q, -1, asks) // as it would be without the work that asks
		_, lead = q.s.next(time.Now())
		q.s.count(q, 1, asks)
	case q.running == q.model.Parallel: // else an idle slot takes what waits
		lead, _ = q.lead()
	}
	return lead != nil && q.s.outranks(lead, c, due, party)
}

func (s *Scheduler) outranks(lead *Work, c Class, due time.Time, party string) bool {
	if lead.Class != c || due.IsZero() {
		return lead.Class < c
	}
	if lead.Party != party {
		used := s.clocks[c].now
		if own := s.clocks[c].parties[party]; own != nil {
			used = own.used // as it was when the work was begun
		}
		if lead.of.turn() != used {
			return lead.of.turn() < used
		}
	}
	return !lead.due.After(due)
}

// Drop removes waiting work. It returns false if the work is not waiting: it is being decoded, was,
// or was never put.
func (q *Queue) Drop(w *Work) bool {
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	if w.line == nil {
		return false
	}
	q.drop(w)
	return true
}

// drop removes work that will not be decoded.
func (q *Queue) drop(w *Work) {
	q.remove(w)
	q.s.clocks[w.Class].leave(w.of)
}

func (q *Queue) remove(w *Work) {
	w.line.remove(w)
	q.s.waiting--
}

func (q *Queue) clear() {
	for c := range q.lines {
		for line := &q.lines[c]; line.len > 0; {
			q.drop(line.first())
		}
	}
}
