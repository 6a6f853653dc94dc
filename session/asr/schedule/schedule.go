// Package schedule shares the decoding slots of an engine program among the utterances of all its
// models.
//
// A slot is a goroutine that decodes; there are about as many as processors, since decoding only
// computes. Each model has a [Queue] for its work. Whenever a slot is free it takes the most urgent
// work of all models: by [Class], and within a class what is due first ([Work.Due]), which is what
// came first unless the owner sets another time. If the model decodes several pieces in one call,
// other waiting pieces of its queue go with it, the most urgent first.
//
// While slots are busy batches fill without waiting. While one is free, work of a model with
// [Model.Wait] waits a little for company without occupying the slot; finals never do.
//
// Within a class parties ([Work.Party]) share the slots: the one goes first that has had them for
// the shortest time, and of its work what is due first. One with much work delays itself, and its
// partials are dropped before those of others. Work of one party alone is in the order above. No
// result depends on it.
//
// A decode cannot be interrupted, so every class pays for what is running: work should be split
// into small pieces where it can, or ask from time to time whether other work should have its slot
// ([Queue.Outranked]). [Replay] work therefore has slots of its own, as many, where the system lets
// threads have a lower priority and the model computes on them alone ([Model.OneThread]). What is
// begun of it while live speech is open ([Scheduler.Live]) has that priority: live speech finds its
// slots free and takes the processors from recordings, which also rest while it is decoded and no
// processor is free ([Queue.Rest]). Elsewhere they share the slots. While live speech is open one
// slot takes no Replay work, so that a long recording never occupies all slots.
// [Guess] work may be in vain: it leaves one of several slots to other work, unless its model
// abandons guesses for that ([Model.GivesWay]). [Partial] and Replay work leave one free while a
// final or a guess of a heavy model is decoded ([Model.Heavy]), and that of a heavy model always
// where several parties speak: a final of one does not wait for partials of another. Under overload
// finals still come first; partials that have waited longer than [Model.Patience] are dropped and
// counted, later ones rather than first ones, since first ones are served before. Finals and
// recordings are never dropped.
//
// # Goroutines and locks
//
// A Scheduler has one lock and a goroutine for each slot. Decode and Late are called on those,
// without the lock: they may call any method but Close. Replay work that has a lower priority is
// decoded on a goroutine that ends with it, and so does its thread, since a priority that was
// lowered cannot be raised again. A program sees to it that Go may use as many processors more as
// there are such slots ([Background]): a thread that waits for a processor keeps Go's part of one.
// Any goroutine may call any method.
package schedule

import (
	"runtime"
	"sync"
	"time"
)

// Class is the urgency of work.
type Class int

// The classes, the most urgent first.
const (
	Final        Class = iota // the end of live speech: the client waits for the answer
	FirstPartial              // shows the client that it is understood
	Lagged                    // for the final of live speech in progress: what is not done then delays the final
	Partial
	Guess  // for the final of live speech that may have ended: in vain if it has not
	Replay // recordings: the capacity that live speech leaves
	classes
)

// Scheduler has the slots and the work that waits for them.
type Scheduler struct {
	slots   sync.WaitGroup // their goroutines
	alarms  sync.WaitGroup // the alarm's function, waiting to run or running
	mu      sync.Mutex     // guards all below, and the fields of queues and works
	wake    *sync.Cond     // for slots: there may be work, or the scheduler closes
	eased   *sync.Cond     // for Queue.Rest: a slot has become free, or live speech has ended
	settled *sync.Cond     // for Queue.Close: a queue has nothing running
	queues  []*Queue
	clocks  [classes]clock // what parties have used, by class
	alarm   *time.Timer    // wakes a slot when waiting work is due; nil: none is
	due     time.Time      // of the alarm
	limit   int            // slots
	busy    int            // slots decoding
	behind  int            // slots of recordings alone, decoding
	resting int            // of those, in Queue.Rest
	replays int            // of the busy slots, those with a recording's work
	guesses int            // of the busy slots, those with a guess of a model without GivesWay
	finals  int            // of the busy slots, those with a final or a guess of a heavy model
	waiting int            // pieces of work in all queues
	live    int            // open utterances of live speech
	talkers map[string]int // of those, by party; a party without any is not there
	arrived uint64         // pieces of work that ever arrived
	closed  bool
}

// DefaultSlots returns as many as the processors that Go may use, but at least 2 (so that a
// recording cannot block live speech) and at most 32.
func DefaultSlots() int { return min(max(runtime.GOMAXPROCS(0), 2), 32) }

// New starts that many slots; less than 1: [DefaultSlots].
func New(slots int) *Scheduler {
	if slots < 1 {
		slots = DefaultSlots()
	}
	s := &Scheduler{limit: slots, talkers: map[string]int{}}
	s.wake, s.eased, s.settled = sync.NewCond(&s.mu), sync.NewCond(&s.mu), sync.NewCond(&s.mu)
	for range slots + Background(slots) {
		s.slots.Go(s.serve)
	}
	return s
}

// Background returns how many slots a scheduler has for recordings alone, besides others.
func Background(slots int) int {
	if !canYield {
		return 0
	}
	return slots
}

// Close drops waiting work, waits for decodes under way, and ends the slots. Work put afterwards is
// dropped immediately. It may be called again.
func (s *Scheduler) Close() {
	s.mu.Lock()
	s.closed = true
	for _, q := range s.queues {
		q.clear()
	}
	s.stopAlarm()
	s.wake.Broadcast()
	s.eased.Broadcast()
	s.mu.Unlock()
	s.slots.Wait()
	s.alarms.Wait()
}

// Live reports that n more utterances of a party's live speech are open, or fewer if n is negative.
func (s *Scheduler) Live(party string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live += n
	if s.talkers[party] += n; s.talkers[party] == 0 {
		delete(s.talkers, party)
		s.wake.Broadcast() // the others' partials may use one slot more
	}
	if s.live == 0 {
		s.wake.Broadcast() // recordings may use one slot more
		s.eased.Broadcast()
	}
}

// Slots returns how many slots there are, and how many of them are decoding.
func (s *Scheduler) Slots() (all, busy int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.limit, s.busy
}
