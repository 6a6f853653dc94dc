// Package schedule shares the decoding slots of an engine process among the utterances of all its models.
//
// A slot is a goroutine that decodes; there are about as many as processors, since decoding is nothing but computing.
// Each model has a [Queue] for its work. Whenever a slot is free it takes the most urgent work there is, over all models:
// by [Class], and first come, first served within a class. Where the model decodes several pieces in one call, what else
// waits in its queue goes with it, the most urgent first.
//
// While slots are busy company gathers by itself. While one is free, work of a model that asks for it ([Model.Wait])
// holds back a little for company, without taking up the slot; finals never do.
//
// A decode cannot be interrupted, so what is begun is the price of every class: work should be cut into small pieces
// where it can. While live speech is open ([Scheduler.Live]) one slot takes no [Replay] work, so that a long recording is
// never in everybody's way. Under overload finals still come first; partials that have waited longer than they are worth
// ([Model.Patience]) are shed and counted, later ones before first ones, since those are served before. Finals and
// recordings are never shed.
//
// # Goroutines and locks
//
// A Scheduler has one lock and as many goroutines as slots. Decode and Late are called on those, without the lock: they
// may call any method but Close. Every method may be called from any goroutine.
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
	Final        Class = iota // live speech that has ended: somebody waits for an answer
	FirstPartial              // shows that somebody is heard
	Partial
	Replay // recordings: what live speech leaves over
	classes
)

// Scheduler is the slots and the work that waits for them.
type Scheduler struct {
	slots   sync.WaitGroup // their goroutines
	alarms  sync.WaitGroup // the alarm's function, waiting to run or running
	mu      sync.Mutex     // guards all below, and the queues' and the works' fields
	wake    *sync.Cond     // for slots: there may be something to take, or closing
	settled *sync.Cond     // for Queue.Close: a queue has nothing running
	queues  []*Queue
	alarm   *time.Timer // wakes a slot when held back work is due; nil: nothing is
	due     time.Time   // of the alarm
	limit   int         // slots
	busy    int         // slots decoding
	replays int         // of them, those with a recording's work
	guesses int         // of them, those with work by PutIfIdle
	waiting int         // pieces of work in all queues
	live    int         // open utterances of live speech
	arrived uint64      // pieces of work that ever came
	closed  bool
}

// DefaultSlots is as many as the processors Go may use, but 2 at least (so that a recording cannot stand in the way of
// live speech) and 32 at most.
func DefaultSlots() int { return min(max(runtime.GOMAXPROCS(0), 2), 32) }

// New starts so many slots; less than 1: [DefaultSlots].
func New(slots int) *Scheduler {
	if slots < 1 {
		slots = DefaultSlots()
	}
	s := &Scheduler{limit: slots}
	s.wake, s.settled = sync.NewCond(&s.mu), sync.NewCond(&s.mu)
	for range slots {
		s.slots.Go(s.serve)
	}
	return s
}

// Close drops what waits, waits for what is being decoded, and ends the slots. Work put afterwards is dropped at once.
// It may be called again.
func (s *Scheduler) Close() {
	s.mu.Lock()
	s.closed = true
	for _, q := range s.queues {
		q.clear()
	}
	s.quiet()
	s.wake.Broadcast()
	s.mu.Unlock()
	s.slots.Wait()
	s.alarms.Wait()
}

// Live tells that n more utterances of live speech are open, or fewer where n is negative.
func (s *Scheduler) Live(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live += n
	if s.live == 0 {
		s.wake.Broadcast() // recordings have a slot more
	}
}

// Slots returns how many slots there are, and how many of them are decoding now.
func (s *Scheduler) Slots() (all, busy int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.limit, s.busy
}
