package store

import (
	"context"

	"steno/messages"
)

// AccountKinds are the kinds of events that the log of an account holds: which sessions began and
// ended, and their finals.
const AccountKinds messages.Filter = 1<<messages.KindStartSession | 1<<messages.KindEndSession | 1<<messages.KindFinal

// AccountLog is, of every account, the events of AccountKinds of all its sessions in the order in
// which they became durable. Events go with their records.
type AccountLog interface {
	// AccountEvents lists at most limit events of an account with a number above after, ascending.
	// whole is false where some that followed after are not kept any more because the log is
	// bounded; events of deleted records are not missed.
	AccountEvents(ctx context.Context, account string, after int64, limit int) (events []AccountEvent, whole bool,
		err error)
	// AccountTail lists the last events of an account, at most limit, ascending.
	AccountTail(ctx context.Context, account string, limit int) ([]AccountEvent, error)
	// AccountEnd returns the number of an account's last event; 0 where there was none.
	AccountEnd(ctx context.Context, account string) (int64, error)
	// Epoch is the number of the store's history. It changes when events were lost that had been
	// durable, as after a failover to a replica that lagged, and could not be written again:
	// numbers reported before may then mean other events of sessions. Those of an account's log are
	// never reused for another event.
	Epoch(ctx context.Context) (int64, error)
}

// AccountEvent is an event in the log of an account.
type AccountEvent struct {
	N       int64 // its number in that log: ascending from 1, with gaps
	Session string
	messages.Event
}

// Feed tells those who follow sessions, on whatever node, that something has happened. It may lose
// any signal: the logs are the truth, the feed saves asking them all the time. Followers look at
// their log now and then.
type Feed interface {
	// Follow calls f for every signal of a topic from now on, until stop is called. f is called by
	// one goroutine at a time, maybe under locks of a session: it must not block, nor call the
	// store. It is not called after stop has returned. ctx bounds the call of Follow alone.
	Follow(ctx context.Context, t Topic, f func(Signal)) (stop func(), err error)
	// Followed tells whether anything follows the unlogged events of a session, on whatever node.
	// It answers from memory, maybe with what was true a second ago, and does not block.
	Followed(session string) bool
	// Publish sends an event to those who follow the unlogged events of a session. after is the
	// number of the last logged event before it. It does not block: events that cannot be passed on
	// immediately are dropped. The event's Body is kept.
	Publish(session string, after int64, e messages.Event)
}

// Topic is what can be followed. Its zero value is none.
type Topic struct {
	Kind TopicKind
	Name string // of the account, or the id of the session
}

// TopicKind is what a topic's signals are about.
type TopicKind uint8

const (
	// SessionLog: an event was appended to the session's log, or its record was deleted.
	SessionLog TopicKind = iota + 1
	// SessionUnlogged: an event of the session that is not logged, see Publish.
	SessionUnlogged
	// AccountEvents: an event was appended to the account's log.
	AccountEvents
)

// Signal is one signal of a topic. It is zero but for the topics of the kind SessionUnlogged.
type Signal struct {
	// After is the number of the last logged event before Event.
	After int64
	// Event has its Key and Body.
	Event messages.Event
}
