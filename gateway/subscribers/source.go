package subscribers

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"steno/messages"
	"steno/session/store"
)

// pageSize is how many events are read from a log at a time. Of these a page keeps no more bytes
// than may wait for its reader, or a single larger one.
const pageSize = 256

// finishedFor is how long after its outcome a session without an end_session counts as ended. The
// event is logged immediately after the outcome, unless the process dies between the two.
const finishedFor = 10 * time.Second

// page is a piece of a log.
type page struct {
	publications []*publication
	bytes, room  int   // of publications, and at most
	full         bool  // there may be more
	resync       int64 // position at which the log begins where some that were asked for are not kept; else 0
	over         bool  // nothing ever follows
}

// add adds a publication, unless the page is full. It reports whether it did.
func (p *page) add(f *publication) bool {
	if p.bytes += len(f.body); p.bytes > p.room && len(p.publications) > 0 {
		p.full = true
		return false
	}
	p.publications = append(p.publications, f)
	return true
}

// source is a log that hubs and subscriptions read.
type source interface {
	// topic is what wakes readers of the log.
	topic() store.Topic
	// history is the epoch of the log.
	history() int64
	// session is the id of the one session whose log it is; empty for a log of several.
	session() string
	// read returns what follows a position. Errors: store.ErrNotFound (the session was deleted),
	// and others of the store.
	read(ctx context.Context, after int64) (page, error)
	// clamp returns a position, or one before the end of the log where that is beyond it: a hub
	// must not begin there.
	clamp(ctx context.Context, position int64) (int64, error)
	// restart returns the position at which a reader continues whose position is from another epoch
	// of the log.
	restart(ctx context.Context, position int64) (int64, error)
	// over reports whether nothing follows the end of the log, though its last event does not show
	// it.
	over(ctx context.Context) (bool, error)
}

// sessionSource is the log of a session.
type sessionSource struct {
	store       Store
	account, id string
	epoch       int64
	room        int                       // bytes of a page
	finished    atomic.Pointer[time.Time] // since when the session has been seen finished; nil: it has not
}

func (s *sessionSource) topic() store.Topic { return store.Topic{Kind: store.SessionLog, Name: s.id} }
func (s *sessionSource) history() int64     { return s.epoch }
func (s *sessionSource) session() string    { return s.id }

func (s *sessionSource) read(ctx context.Context, after int64) (page, error) {
	events, err := s.store.Events(ctx, s.account, s.id, after, pageSize)
	if err != nil {
		return page{}, fmt.Errorf("read log of session: %w", err)
	}
	p := page{full: len(events) == pageSize, room: s.room}
	for _, e := range events {
		if !p.add(newPublication(s.epoch, e.Seq, s.id, e)) {
			break
		}
		p.over = p.over || e.Kind == messages.KindEndSession
	}
	return p, nil
}

// clamp returns 0 for a position that no event has, which readers have no reason to ask for.
func (s *sessionSource) clamp(ctx context.Context, position int64) (int64, error) {
	if position == 0 {
		return 0, nil
	}
	events, err := s.store.Events(ctx, s.account, s.id, position-1, 1)
	if err != nil {
		return 0, fmt.Errorf("read log of session: %w", err)
	}
	if len(events) == 0 {
		return 0, nil
	}
	return position, nil
}

// restart returns the beginning: the numbers of another epoch stand for other events.
func (s *sessionSource) restart(context.Context, int64) (int64, error) { return 0, nil }

func (s *sessionSource) over(ctx context.Context) (bool, error) {
	r, err := s.store.Get(ctx, s.account, s.id)
	if errors.Is(err, store.ErrNotFound) {
		return false, err
	}
	if err != nil {
		return false, fmt.Errorf("look at session: %w", err)
	}
	if !r.Finished() {
		s.finished.Store(nil)
		return false, nil
	}
	now := time.Now()
	s.finished.CompareAndSwap(nil, &now) // the record has the time by another machine's clock
	return now.Sub(*s.finished.Load()) >= finishedFor, nil
}

// accountSource is the log of an account.
type accountSource struct {
	store   Store
	account string
	epoch   int64
	room    int // bytes of a page
}

func (s *accountSource) topic() store.Topic {
	return store.Topic{Kind: store.AccountEvents, Name: s.account}
}
func (s *accountSource) history() int64  { return s.epoch }
func (s *accountSource) session() string { return "" }

func (s *accountSource) read(ctx context.Context, after int64) (page, error) {
	events, whole, err := s.store.AccountEvents(ctx, s.account, after, pageSize)
	if err != nil {
		return page{}, fmt.Errorf("read log of account: %w", err)
	}
	p := page{full: len(events) == pageSize, room: s.room}
	for _, e := range events {
		if !p.add(newPublication(s.epoch, e.N, e.Session, e.Event)) {
			break
		}
	}
	if !whole && len(events) > 0 {
		p.resync = events[0].N
	}
	return p, nil
}

func (s *accountSource) clamp(ctx context.Context, position int64) (int64, error) {
	end, err := s.store.AccountEnd(ctx, s.account)
	if err != nil {
		return 0, fmt.Errorf("find end of account's log: %w", err)
	}
	return min(position, end), nil
}

// restart returns the same position: no store reuses a number of an account's log for another
// event, so everything after it is still to be sent.
func (s *accountSource) restart(ctx context.Context, position int64) (int64, error) {
	return s.clamp(ctx, position)
}

// over is false: an account may always have another session.
func (s *accountSource) over(context.Context) (bool, error) { return false, nil }
