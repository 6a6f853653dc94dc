package subscribers

import (
	"steno/messages"
	"steno/session"
	"steno/session/store"
)

// unlogged are the kinds of events that are not logged.
var unlogged = func() (set messages.Filter) {
	for _, k := range messages.Kinds() {
		if !k.Logged() {
			set = set.With(k)
		}
	}
	return set
}()

// logged are all other kinds.
var logged = messages.FilterOf(messages.Kinds()...) &^ unlogged

// Publisher is the sink of a running session that publishes its unlogged events while somebody
// follows them. The logged ones are published by the store. It is a [session.Sink], and used as
// one: under the session's lock.
type Publisher struct {
	feed    store.Feed
	session string
	last    int64 // number of the last logged event
}

var _ session.Sink = (*Publisher)(nil)

// NewPublisher returns the publisher of a session.
func NewPublisher(feed store.Feed, id string) *Publisher { return &Publisher{feed: feed, session: id} }

// Wants adds the unlogged kinds while somebody follows them.
func (p *Publisher) Wants() messages.Filter {
	if p.feed.Followed(p.session) {
		return logged | unlogged
	}
	return logged
}

// Send publishes an unlogged event, and notes where in the log it stands.
func (p *Publisher) Send(e messages.Event) {
	if e.Seq > 0 {
		p.last = e.Seq
		return
	}
	p.feed.Publish(p.session, p.last, e)
}
