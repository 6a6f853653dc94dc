package claims

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/valkey-io/valkey-go"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/valkey/server"
	"steno/session/store/valkey/tier"
)

const (
	// publishQueue bounds the unlogged events that wait to be published; publishBatch how many go
	// at a time.
	publishQueue = 1024
	publishBatch = 64
	// followTime bounds how long Follow waits for a server that is away.
	followTime = 2 * time.Second
	// followedFor is how old the answer of Followed may be before the server is asked.
	followedFor = 500 * time.Millisecond
)

// Feed implements store.Feed by the server's channels. A goroutine of its own publishes until
// close.
type Feed struct {
	*Sessions
	queue   chan published
	full    atomic.Int64 // events dropped because too many waited
	away    atomic.Int64 // because the server did not take them
	life    context.Context
	end     context.CancelFunc
	running sync.WaitGroup
}

// published is an event on its way to a channel.
type published struct{ session, text string }

func NewFeed(s *Sessions) *Feed {
	f := &Feed{Sessions: s, queue: make(chan published, publishQueue)}
	f.life, f.end = context.WithCancel(context.Background())
	f.running.Go(f.publish)
	return f
}

func (f *Feed) Close() {
	f.end()
	f.running.Wait()
}

// topicChannels are the names of the channels by what they are about.
var topicChannels = map[store.TopicKind]string{
	store.SessionLog: "session:", store.SessionUnlogged: "unlogged:", store.AccountEvents: "account:",
}

// Follow implements store.Feed. A new subscription after a lost one is a signal of a log: there may
// be something new.
func (f *Feed) Follow(ctx context.Context, t store.Topic, call func(store.Signal)) (stop func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	kind, ok := topicChannels[t.Kind]
	if !ok {
		return nil, fmt.Errorf("follow topic of kind %d: %w", t.Kind, store.ErrInvalid)
	}
	var followed atomic.Bool
	stop = f.server.Wakes.Listen(kind+t.Name, func(text string) {
		if t.Kind != store.SessionUnlogged {
			if text != "" || followed.Load() {
				call(store.Signal{})
			}
		} else if s, ok := parseSignal(text); ok {
			call(s)
		}
	})
	ctx, cancel := context.WithTimeout(ctx, followTime)
	defer cancel()
	_ = f.server.Wakes.Await(ctx, kind+t.Name) // else it is followed as soon as the server is there
	followed.Store(true)
	return stop, nil
}

// Followed implements store.Feed. The server tells it with a commit of the session, twice a second.
func (f *Feed) Followed(session string) bool {
	l := f.holder(session)
	if l == nil {
		return false
	}
	if time.Since(l.lastAsked()) > followedFor {
		l.soon()
	}
	return l.followed.Load()
}

// Publish implements store.Feed. An event that finds the queue full is dropped.
func (f *Feed) Publish(session string, after int64, e messages.Event) {
	select {
	case f.queue <- published{session, signalText(after, e)}:
	default:
		f.full.Add(1)
	}
}

// Drop is why an unlogged event was not published.
type Drop string

const (
	DropFull Drop = "full" // too many waited
	DropAway Drop = "away" // the server was away, or refused it
)

// Drops counts the unlogged events that were not published since the store was opened, by reason.
func (f *Feed) Drops() map[Drop]int64 {
	return map[Drop]int64{DropFull: f.full.Load(), DropAway: f.away.Load()}
}

// publish publishes what is in the queue, until close.
func (f *Feed) publish() {
	for {
		select {
		case <-f.life.Done():
			return
		case p := <-f.queue:
			f.publishAll(p)
		}
	}
}

// publishAll publishes an event and those that are queued after it.
func (f *Feed) publishAll(p published) {
	commands := []valkey.Completed{f.command(p)}
	for len(commands) < publishBatch && len(f.queue) > 0 { // this goroutine alone takes from it
		commands = append(commands, f.command(<-f.queue))
	}
	for _, answer := range f.server.Client.DoMulti(f.life, commands...) {
		if answer.Error() != nil {
			f.away.Add(1)
		}
	}
}

func (f *Feed) command(p published) valkey.Completed {
	return f.server.Client.B().Publish().Channel(f.server.Prefix + "wake:unlogged:" + p.session).Message(p.text).Build()
}

// signalText is a signal as it is published: number, kind and key in a line, then the body.
func signalText(after int64, e messages.Event) string {
	return fmt.Sprintf("%d %d %s\n%s", after, e.Kind, e.Key.String(), e.Body)
}

// parseSignal reads what signalText has written.
func parseSignal(text string) (s store.Signal, ok bool) {
	line, body, _ := strings.Cut(text, "\n")
	number, rest, _ := strings.Cut(line, " ")
	kind, key, found := strings.Cut(rest, " ")
	after, err := server.ParseInteger(number)
	if err != nil || !found {
		return s, false
	}
	e, err := tier.ParseEvent(0, kind, key, body)
	return store.Signal{After: after, Event: e}, err == nil
}
