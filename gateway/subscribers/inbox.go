package subscribers

import (
	"sync"

	"steno/messages"
	"steno/session/store"
)

// maxSignals bounds the unlogged events that wait for a hub.
const maxSignals = 256

// inbox holds what the feed has signalled to a hub and the hub has not looked at yet. Its methods
// may be called from any goroutine.
type inbox struct {
	wake chan struct{}

	mu       sync.Mutex
	logged   bool // there is something new in the log
	unlogged []store.Signal
	dropped  int // unlogged events for which there was no room
}

func newInbox() *inbox { return &inbox{wake: make(chan struct{}, 1)} }

// signal is what the feed calls. Of an utterance's partials only the newest waits.
func (b *inbox) signal(s store.Signal) {
	b.mu.Lock()
	switch {
	case s.Event.Kind == 0:
		b.logged = true
	case s.Event.Kind == messages.KindPartial && b.replace(s):
	case len(b.unlogged) < maxSignals:
		b.unlogged = append(b.unlogged, s)
	default:
		b.dropped++
	}
	b.mu.Unlock()
	b.notify()
}

// notify wakes the hub.
func (b *inbox) notify() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// replace puts a partial in the place of an older one of its utterance. It is called with mu held.
func (b *inbox) replace(s store.Signal) bool {
	for i := range b.unlogged {
		if b.unlogged[i].Event.Key == s.Event.Key {
			b.unlogged[i] = s
			return true
		}
	}
	return false
}

// take empties the inbox.
func (b *inbox) take() (logged bool, unlogged []store.Signal, dropped int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	logged, unlogged, dropped = b.logged, b.unlogged, b.dropped
	b.logged, b.unlogged, b.dropped = false, nil, 0
	return logged, unlogged, dropped
}
