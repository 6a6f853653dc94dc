package overview

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"steno/gateway/activity"
	"steno/messages"
	"steno/session/store"
)

const (
	followedFor  = 10 * time.Second        // after somebody has looked at a session
	speakingFor  = 1500 * time.Millisecond // after a partial, if no final follows it
	mostFollowed = 200                     // sessions, of all accounts
)

// partials follows what is being said in sessions of other nodes, as long as somebody looks at
// them: their nodes publish partials while they are followed. Its methods may be called from any
// goroutine.
type partials struct {
	feed store.Feed

	mu     sync.Mutex
	all    map[string]*followed // by session
	closed bool
	timers sync.WaitGroup // of those that are followed
}

// followed is one session.
type followed struct {
	timer *time.Timer // ends it; nil while it begins. Guarded by the lock of partials
	stop  func()

	mu      sync.Mutex
	text    string
	subject string // the utterance
	at      time.Time
}

func newPartials(f store.Feed) *partials { return &partials{feed: f, all: map[string]*followed{}} }

// of returns what is being said in a session, empty where nothing is or where it is not known yet,
// and follows it from now on.
func (p *partials) of(ctx context.Context, session string) (subject, text string) {
	f, fresh := p.find(session)
	if f == nil {
		return "", ""
	}
	if fresh {
		p.follow(ctx, session, f)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if time.Since(f.at) > speakingFor {
		return "", ""
	}
	return f.subject, f.text
}

// find returns what is known of a session, and restarts the time for which it is followed; nil
// where no more can be followed. A fresh one is not followed yet.
func (p *partials) find(session string) (f *followed, fresh bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f = p.all[session]; f != nil {
		if f.timer != nil && f.timer.Stop() { // else it ends just now, and the next look follows it again
			f.timer.Reset(followedFor)
		}
		return f, false
	}
	if p.closed || len(p.all) >= mostFollowed {
		return nil, false
	}
	f = &followed{}
	p.all[session] = f
	return f, true
}

// follow begins to follow a session. One that cannot be followed is forgotten.
func (p *partials) follow(ctx context.Context, session string, f *followed) {
	stop, err := p.feed.Follow(ctx, store.Topic{Kind: store.SessionUnlogged, Name: session}, f.take)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil && !p.closed {
		f.stop = stop
		p.timers.Add(1)
		f.timer = time.AfterFunc(followedFor, func() { p.end(session, f) })
		return
	}
	delete(p.all, session)
	if err == nil {
		stop()
	}
}

// end ends what nobody looks at any more.
func (p *partials) end(session string, f *followed) {
	defer p.timers.Done()
	p.mu.Lock()
	delete(p.all, session)
	p.mu.Unlock()
	f.stop()
}

// close ends all and waits for what is under way.
func (p *partials) close() {
	p.mu.Lock()
	p.closed = true
	var rest []func()
	for _, f := range p.all {
		if f.timer != nil && f.timer.Stop() {
			rest = append(rest, f.stop)
			p.timers.Done()
		}
	}
	p.mu.Unlock()
	for _, stop := range rest {
		stop()
	}
	p.timers.Wait()
}

// take keeps a partial. It is called by the feed and does not block.
func (f *followed) take(s store.Signal) {
	if s.Event.Kind != messages.KindPartial {
		return
	}
	var body struct {
		Data struct{ Utterance struct{ Text string } }
	}
	if json.Unmarshal(s.Event.Body, &body) != nil {
		return // of a later version
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.text, f.subject, f.at = activity.Shown(body.Data.Utterance.Text), s.Event.Subject, time.Now()
}
