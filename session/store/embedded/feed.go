package embedded

import (
	"context"
	"slices"
	"sync"

	"steno/messages"
	"steno/session/store"
)

// feed implements store.Feed within the process.
type feed struct {
	lock      sync.RWMutex // held shared while followers are called
	followers map[store.Topic][]*follower
}

// follower is one call of Follow.
type follower struct {
	mu sync.Mutex // held while f is called; taken under feed.lock
	f  func(store.Signal)
}

func newFeed() *feed { return &feed{followers: map[store.Topic][]*follower{}} }

// Follow implements store.Feed.
func (f *feed) Follow(ctx context.Context, t store.Topic, call func(store.Signal)) (stop func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	one := &follower{f: call}
	f.lock.Lock()
	defer f.lock.Unlock()
	f.followers[t] = append(f.followers[t], one)
	return func() { f.unfollow(t, one) }, nil
}

// unfollow waits for calls that are running. A second call changes nothing.
func (f *feed) unfollow(t store.Topic, one *follower) {
	f.lock.Lock()
	defer f.lock.Unlock()
	rest := slices.DeleteFunc(f.followers[t], func(other *follower) bool { return other == one })
	if f.followers[t] = rest; len(rest) == 0 {
		delete(f.followers, t)
	}
}

// Followed implements store.Feed.
func (f *feed) Followed(session string) bool {
	f.lock.RLock()
	defer f.lock.RUnlock()
	return len(f.followers[store.Topic{Kind: store.SessionUnlogged, Name: session}]) > 0
}

// Publish implements store.Feed.
func (f *feed) Publish(session string, after int64, e messages.Event) {
	f.signal(store.Topic{Kind: store.SessionUnlogged, Name: session}, store.Signal{After: after, Event: e})
}

// logged tells that an event of a session was committed.
func (f *feed) logged(account, session string, k messages.Kind) {
	f.signal(store.Topic{Kind: store.SessionLog, Name: session}, store.Signal{})
	if store.AccountKinds.Has(k) {
		f.signal(store.Topic{Kind: store.AccountEvents, Name: account}, store.Signal{})
	}
}

func (f *feed) signal(t store.Topic, s store.Signal) {
	f.lock.RLock()
	defer f.lock.RUnlock()
	for _, one := range f.followers[t] {
		one.call(s)
	}
}

func (o *follower) call(s store.Signal) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.f(s)
}
