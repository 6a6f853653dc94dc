package server

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/valkey-io/valkey-go"

	"steno/session/retry"
	"steno/session/store"
)

// recheck is how long a waiter goes without asking the server: a message may have been lost.
const recheck = 5 * time.Second

// Wakes is the subscription of this process: to channels by name, over one connection. Messages may
// be lost. Each subscription of a channel, also after a lost connection, counts as a message
// without text. A goroutine of its own runs until close.
type wakes struct {
	client  valkey.Client
	prefix  string        // of the names of channels
	changed chan struct{} // has room for one: the set of channels is another
	cancel  context.CancelFunc
	running sync.WaitGroup

	mu       sync.Mutex
	channels map[string]*channel      // by name
	lookers  map[string]chan struct{} // see wait; by what is asked
	known    map[string]bool          // names that the server has the subscription of
}

// channel is what waits for the messages of one name. Both fields are guarded by the mutex of
// wakes.
type channel struct {
	rung      chan struct{} // closed, and replaced, by a message
	listeners map[*listener]bool
	kept      bool // without listeners as well
}

type listener struct{ message func(text string) }

func newWakes(client valkey.Client, prefix string) *wakes {
	life, cancel := context.WithCancel(context.Background())
	w := &wakes{
		client: client, prefix: prefix, changed: make(chan struct{}, 1), cancel: cancel,
		channels: map[string]*channel{}, known: map[string]bool{}, lookers: map[string]chan struct{}{},
	}
	w.running.Go(func() { w.run(life) })
	return w
}

// Close ends the subscription. Listeners are not called after it has returned.
func (w *wakes) close() {
	w.cancel()
	w.running.Wait()
}

// Await waits until the server has had the subscription of a name that is listened to. Errors: the
// context's.
func (w *wakes) Await(ctx context.Context, name string) error {
	for {
		rung, known := w.state(name)
		if known {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-rung:
		}
	}
}

// state returns the channel that is closed with the next message of a name, and whether the server
// has had its subscription.
func (w *wakes) state(name string) (rung <-chan struct{}, known bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := w.channels[name]
	if c == nil {
		return nil, true
	}
	return c.rung, w.known[name]
}

// watch returns a channel that is closed with the next message. The name stays subscribed until
// close.
func (w *wakes) watch(name string) <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := w.open(name)
	c.kept = true
	return c.rung
}

// Listen calls f for each message until stop is called. It is called by one goroutine at a time and
// not after stop has returned; it must not block, nor call methods of wakes.
func (w *wakes) Listen(name string, f func(text string)) (stop func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	l := &listener{f}
	w.open(name).listeners[l] = true
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		c := w.channels[name]
		if c == nil || !c.listeners[l] {
			return
		}
		if delete(c.listeners, l); len(c.listeners) == 0 && !c.kept {
			delete(w.channels, name)
			w.signal()
		}
	}
}

// open returns the channel of a name. Called with mu held.
func (w *wakes) open(name string) *channel {
	c := w.channels[name]
	if c == nil {
		c = &channel{rung: make(chan struct{}), listeners: map[*listener]bool{}}
		w.channels[name] = c
		w.signal()
	}
	return c
}

// signal has run look at the set of channels.
func (w *wakes) signal() {
	select {
	case w.changed <- struct{}{}:
	default:
	}
}

// ring passes on a message of a channel. It is called by one goroutine at a time.
func (w *wakes) ring(channel, text string) {
	name := strings.TrimPrefix(channel, w.prefix+"wake:")
	w.mu.Lock()
	defer w.mu.Unlock()
	c := w.channels[name]
	if c == nil {
		return
	}
	w.known[name] = w.known[name] || text == "" // subscriptions have no text
	close(c.rung)
	c.rung = make(chan struct{})
	for l := range c.listeners {
		l.message(text)
	}
}

// Run keeps the subscription over connections that end, from when the first channel is wanted.
func (w *wakes) run(ctx context.Context) {
	select {
	case <-ctx.Done():
		return
	case <-w.changed:
	}
	pause := retry.Backoff{First: 20 * time.Millisecond, Longest: 2 * time.Second}
	for ctx.Err() == nil {
		if w.subscribed(ctx) {
			pause.Reset()
		}
		_ = retry.Sleep(ctx, pause.Next())
	}
}

// subscribed keeps the subscription over one connection until that or ctx ends, and tells whether
// it came about.
func (w *wakes) subscribed(ctx context.Context) (ok bool) {
	conn, _ := w.client.Dedicate()
	ended := conn.SetPubSubHooks(valkey.PubSubHooks{
		OnMessage: func(m valkey.PubSubMessage) { w.ring(m.Channel, m.Message) },
		OnSubscription: func(s valkey.PubSubSubscription) {
			if s.Kind == "subscribe" {
				w.ring(s.Channel, "")
			}
		},
	})
	defer func() {
		conn.Close()
		for range ended { // until the hooks are not called any more
		}
	}()
	have := map[string]bool{}
	w.mu.Lock()
	clear(w.known)
	w.mu.Unlock()
	for w.update(ctx, conn, have) == nil {
		ok = true
		select {
		case <-ctx.Done():
			return ok
		case <-ended:
			return ok
		case <-w.changed:
		}
	}
	return ok
}

// update subscribes a connection to the channels that are wanted and not among those it has, and
// the other way round.
func (w *wakes) update(ctx context.Context, conn valkey.DedicatedClient, have map[string]bool) error {
	var more, fewer []string
	w.mu.Lock()
	for name := range w.channels {
		if !have[name] {
			more = append(more, w.prefix+"wake:"+name)
			have[name] = true
		}
	}
	for name := range have {
		if w.channels[name] == nil {
			fewer = append(fewer, w.prefix+"wake:"+name)
			delete(have, name)
			delete(w.known, name)
		}
	}
	w.mu.Unlock()
	var err error
	if len(more) > 0 {
		err = conn.Do(ctx, conn.B().Subscribe().Channel(more...).Build()).Error()
	}
	if len(fewer) > 0 {
		err = errors.Join(err, conn.Do(ctx, conn.B().Unsubscribe().Channel(fewer...).Build()).Error())
	}
	return err
}

// awayPause is the time between two questions to a server that is away.
const awayPause = time.Second

// wait returns when pause, which returns how long there is nothing to do, has returned 0. It is
// called again with each message of the channel. While the server is away wait waits. Of those who
// wait with the same key one asks at a time, and the next when that has what it waited for: else
// all of them would come for one job. Errors: the context's.
func (w *wakes) wait(ctx context.Context, name, key string, pause func(context.Context) (time.Duration, error)) error {
	looker := w.looker(key)
	select {
	case looker <- struct{}{}:
		defer func() { <-looker }()
	case <-ctx.Done():
		return ctx.Err()
	}
	for {
		rung := w.watch(name) // before looking, so that nothing is missed
		left, err := pause(ctx)
		if errors.Is(err, store.ErrAway) {
			left, err = awayPause, nil
		}
		if err != nil || left <= 0 {
			return err
		}
		timer := time.NewTimer(min(left, recheck))
		select {
		case <-ctx.Done():
			err = ctx.Err()
		case <-rung:
		case <-timer.C:
		}
		timer.Stop()
		if err != nil {
			return err
		}
	}
}

// looker returns a channel with room for the one who asks.
func (w *wakes) looker(key string) chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.lookers[key] == nil {
		w.lookers[key] = make(chan struct{}, 1)
	}
	return w.lookers[key]
}
