// Package claims has the running sessions of a store on a Valkey server: who holds one, what its
// holder has accepted and what of it is durable, its losses and its end, the feed of its followers
// and the logs of accounts. Everything written goes through a script that compares the claim.
//
// # Goroutines
//
// One renews the leases of sessions that write nothing (Sessions.renew), one gathers the commits of
// sessions (groupCommit.gather), with one for each call under way, and one publishes unlogged
// events (Feed.publish). Of each handle: one that makes durable what the handle has accepted
// (flusher.flush), and while a segment or page goes to blob storage one more (flusher.beginUpload,
// flusher.beginPage). Methods run in their callers' goroutines. A claim whose answer was lost is
// given back in a goroutine of its own. Release waits for those of the handle, Close for all.
//
// The flusher is the one that writes to a session, so its calls have an order; it alone has version
// and answered, until Release, which waits for it, takes its place. Finish alone writes beside it,
// when nothing is left to be made durable.
//
// # Locks
//
//	flusher.notifying  held while a session learns of its progress; taken before claim.mu
//	claim.mu           what is accepted, and all other state of a handle; nothing is taken while
//	                   it is held
//	groupCommit.mu     the commits that wait for a call; nothing is taken while it is held
//	Sessions.mu        the handles of the process; nothing is taken while it is held
//
// No call to the server or to blob storage is made while claim.mu or Sessions.mu is held.
package claims

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"steno/session/retry"
	"steno/session/store"
	"steno/session/store/valkey/server"
	"steno/session/store/valkey/tier"
)

const (
	// renewBatch is how many leases one call renews.
	renewBatch = 100
)

// Sessions implements store.Sessions, but for what needs no claim.
type Sessions struct {
	*room
	life    context.Context
	end     context.CancelFunc
	running sync.WaitGroup // the loop that renews, and claims being given back
	unwatch func()

	mu      sync.Mutex
	handles map[*Live]bool   // not closed
	holders map[string]*Live // of them the last one of each session
}

// New begins to renew leases. The caller must close it.
func New(w server.Writer, t *tier.Tier, r Records, o Options) *Sessions {
	life, end := context.WithCancel(context.Background())
	n := &Sessions{
		room: &room{
			server: w.Conn, writer: w, tier: t, records: r, node: o.Node, lease: o.Lease, window: o.Window,
			group: newGroupCommit(w, o.Lease, o.Window),
		},
		life: life, end: end, handles: map[*Live]bool{}, holders: map[string]*Live{},
	}
	n.unwatch = n.server.Wakes.Listen("claims:"+o.Node, n.probe)
	n.running.Go(n.renew)
	return n
}

// Close releases the handles that are left, and waits for what runs.
func (s *Sessions) Close() {
	s.unwatch()
	var closing sync.WaitGroup
	for _, l := range s.held() {
		closing.Go(func() { _ = l.Close() })
	}
	closing.Wait()
	s.end()
	s.running.Wait()
	s.group.close()
}

// held lists the handles that are not closed.
func (s *Sessions) held() []*Live {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.handles))
}

// keep puts a new handle on the list.
func (s *Sessions) keep(l *Live) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handles[l], s.holders[l.id] = true, l
	s.open.Store(int64(len(s.handles)))
}

// holder returns the last handle on a session that is not closed; nil for none.
func (s *Sessions) holder(id string) *Live {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.holders[id]
}

// probe has the handles on a session ask whether they still have it; all handles where id is empty.
func (s *Sessions) probe(id string) {
	for _, l := range s.held() {
		if id == "" || l.id == id {
			l.raise(wantNow)
		}
	}
}

var sessionRenew = Scripts.Script("session_renew", "record", "session")

// renew extends the leases of handles that have written nothing for a while, until the store is
// closed.
func (s *Sessions) renew() {
	for retry.Sleep(s.life, s.lease/5) == nil {
		for batch := range slices.Chunk(s.idle(), renewBatch) {
			if s.renewThese(batch) != nil {
				break // away: the next round is soon
			}
		}
	}
}

// idle lists the handles whose leases have used up a third.
func (s *Sessions) idle() []*Live {
	latest := time.Now().Add(s.lease * 2 / 3)
	return slices.DeleteFunc(s.held(), func(l *Live) bool { return l.leaseEnds().After(latest) })
}

func (s *Sessions) renewThese(batch []*Live) error {
	args := []string{server.Milliseconds(s.lease), server.Milliseconds(s.window)}
	for _, l := range batch {
		args = append(args, l.id, l.nonce)
	}
	asked := time.Now()
	m, err := s.server.Run(s.life, sessionRenew, args...)
	if err != nil {
		return err
	}
	left, err := m.AsIntSlice()
	if err != nil || len(left) != len(batch) {
		return fmt.Errorf("%w: renewal: %d answers for %d leases, %w", store.ErrAway, len(left), len(batch), err)
	}
	for i, l := range batch {
		if left[i] < 0 {
			l.raise(wantNow) // the commit learns what has become of the claim
		} else {
			l.renewed(asked, time.Duration(left[i])*time.Millisecond)
		}
	}
	return nil
}

var sessionAdopt = Scripts.Script("session_adopt", "record", "session")

// Adopt implements store.Sessions. Those that this process holds are not due, whatever the server
// answers.
func (s *Sessions) Adopt(ctx context.Context, limit int) ([]store.Record, error) {
	const page = 100
	own := map[string]bool{}
	for _, l := range s.held() {
		own[l.id] = !l.isLost()
	}
	var due []store.Record
	for skip := 0; len(due) < limit; skip += page {
		m, err := s.server.Run(ctx, sessionAdopt, server.Milliseconds(s.lease), server.Milliseconds(s.window),
			server.Decimal(int64(skip)), server.Decimal(page))
		if err != nil {
			return nil, fmt.Errorf("list due sessions: %w", err)
		}
		ids, err := m.AsStrSlice()
		if err != nil {
			return nil, fmt.Errorf("list due sessions: %w: %w", store.ErrAway, err)
		}
		for _, id := range ids {
			if id == "" || own[id] || len(due) == limit {
				continue
			}
			r, found, err := s.record(ctx, id)
			if err != nil {
				return nil, fmt.Errorf("list due sessions: %w", err)
			}
			if found && !r.Finished() {
				due = append(due, r)
			}
		}
		if len(ids) < page {
			break
		}
	}
	return due, nil
}

// record returns a record, whatever its account.
func (s *Sessions) record(ctx context.Context, id string) (r store.Record, found bool, err error) {
	fields, err := s.server.Hash(ctx, "record:"+id)
	if err != nil || len(fields) == 0 {
		return r, false, err
	}
	r, err = s.records.Decode(id, fields)
	return r, true, err
}

// forget takes a handle that is closed off the list.
func (s *Sessions) forget(l *Live) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.handles, l)
	s.open.Store(int64(len(s.handles)))
	if s.holders[l.id] == l {
		delete(s.holders, l.id)
	}
}
