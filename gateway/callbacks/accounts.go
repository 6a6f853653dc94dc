package callbacks

import (
	"sync"
	"time"
)

const (
	slowAfter = 500 * time.Millisecond // a request that lasts longer is slow, and makes room for another
	slowFor   = time.Minute            // for which the requests of an account are bounded after a slow one
	slowRoom  = 4                      // slow requests for each other one, in all
)

// accounts bounds the requests under way of accounts whose receivers are slow, whatever their hosts
// are called, so that those of others find room. Its methods may be called from any goroutine.
type accounts struct {
	few int // requests under way of such an account

	mu  sync.Mutex
	all map[string]*receiver
}

// receiver is what is known of an account.
type receiver struct {
	busy  int       // requests under way
	until time.Time // it is bounded
	queue host      // of requests that find no room
}

func newAccounts(c Config) *accounts {
	return &accounts{few: max(1, c.Concurrency/2), all: map[string]*receiver{}}
}

// enter lets a request of an account begin, which must leave, or returns how long it must wait at
// least.
func (a *accounts) enter(name string, now time.Time) (wait time.Duration, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	r := a.of(name)
	if now.Before(r.until) && r.busy >= a.few {
		return r.queue.queue(now, slowAfter).Sub(now), false
	}
	r.busy++
	return 0, true
}

// queue returns when a request of an account may be tried that must wait until a time, one after
// the other.
func (a *accounts) queue(name string, from time.Time, each time.Duration) time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.of(name).queue.queue(from, each)
}

// slow notes that a request of an account is slow.
func (a *accounts) slow(name string, now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.of(name).until = now.Add(slowFor) // whose request may have left meanwhile
}

// of returns what is known of an account, which is nothing at first. The caller holds the lock.
func (a *accounts) of(name string) *receiver {
	r := a.all[name]
	if r == nil {
		r = new(receiver)
		a.all[name] = r
	}
	return r
}

// leave ends a request.
func (a *accounts) leave(name string, now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	r := a.all[name]
	if r.busy--; r.busy == 0 && !now.Before(r.until) {
		delete(a.all, name)
	}
}

// forget removes accounts that are not bounded any more.
func (a *accounts) forget(now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for name, r := range a.all {
		if r.busy == 0 && !now.Before(r.until) {
			delete(a.all, name)
		}
	}
}

// place is the slot that a request under way has: one of the dispatcher's, or, once it is slow, one
// of those for slow requests.
type place struct {
	dispatcher *Dispatcher

	mu    sync.Mutex
	moved bool
	left  bool
}

// move exchanges the slot for one of a slow request, if there is one.
func (p *place) move() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.moved && !p.left && p.dispatcher.slow.TryAcquire("", 1) {
		p.moved = true
		p.dispatcher.slots.Release("", 1)
	}
}

// leave releases the slot.
func (p *place) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left = true
	if p.moved {
		p.dispatcher.slow.Release("", 1)
	} else {
		p.dispatcher.slots.Release("", 1)
	}
}
