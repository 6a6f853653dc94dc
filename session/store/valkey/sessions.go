package valkey

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

// sessions implements store.Sessions.
type sessions struct {
	server  *server.Conn
	writer  server.Writer
	tier    *tier.Tier
	records recordsRoom
	node    string
	lease   time.Duration
	window  time.Duration // from the end of a lease until other nodes may adopt the session
	group   *groupCommit

	life    context.Context
	end     context.CancelFunc
	running sync.WaitGroup // the loop that renews, and claims being given back
	unwatch func()

	mu      sync.Mutex
	handles map[*live]bool   // not closed
	holders map[string]*live // of them the last one of each session
}

// recordsRoom is what the sessions need of records.
type recordsRoom struct {
	// Decode reads the record of an id from its hash.
	Decode func(id string, fields map[string]string) (store.Record, error)
	// Restore keeps a record again that the server has forgotten, from its hash. One that is there stays as it is.
	Restore func(ctx context.Context, id string, fields map[string]string) error
}

// claimOptions say who claims, and for how long.
type claimOptions struct {
	Node   string
	Lease  time.Duration
	Window time.Duration // from the end of a lease until other nodes may adopt the session
}

// newSessions begins to renew leases. The caller must close it.
func newSessions(w server.Writer, t *tier.Tier, r recordsRoom, o claimOptions) *sessions {
	life, end := context.WithCancel(context.Background())
	s := w.Conn
	n := &sessions{
		server: s, writer: w, tier: t, records: r, node: o.Node, lease: o.Lease, window: o.Window,
		life: life, end: end, handles: map[*live]bool{}, holders: map[string]*live{},
	}
	n.group = newGroupCommit(w, o.Lease, o.Window)
	n.unwatch = s.Wakes.Listen("claims:"+o.Node, n.probe)
	n.running.Go(n.renew)
	return n
}

// close releases the handles that are left, and waits for what runs.
func (s *sessions) close() {
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
func (s *sessions) held() []*live {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.handles))
}

// many tells whether the process holds so many sessions that each has fewer calls than it may have, whatever it commits.
func (s *sessions) many() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.handles) >= int(commitEvery/groupEvery)
}

// holder returns the last handle on a session that is not closed; nil for none.
func (s *sessions) holder(id string) *live {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.holders[id]
}

// probe has the handles on a session ask whether they still have it; all handles where id is empty.
func (s *sessions) probe(id string) {
	for _, l := range s.held() {
		if id == "" || l.id == id {
			l.raise(wantNow)
		}
	}
}

var sessionRenew = scripts.Script("session_renew", "record", "session")

// renew extends the leases of handles that have written nothing for a while, until the store is closed.
func (s *sessions) renew() {
	for retry.Sleep(s.life, s.lease/5) == nil {
		for batch := range slices.Chunk(s.idle(), renewBatch) {
			if s.renewThese(batch) != nil {
				break // away: the next round is soon
			}
		}
	}
}

// idle lists the handles whose leases have used up a third.
func (s *sessions) idle() []*live {
	latest := time.Now().Add(s.lease * 2 / 3)
	return slices.DeleteFunc(s.held(), func(l *live) bool { return l.leaseEnds().After(latest) })
}

func (s *sessions) renewThese(batch []*live) error {
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

var sessionAdopt = scripts.Script("session_adopt", "record", "session")

// Adopt implements store.Sessions. Those that this process holds are not due, whatever the server says.
func (s *sessions) Adopt(ctx context.Context, limit int) ([]store.Record, error) {
	const page = 100
	own := map[string]bool{}
	for _, l := range s.held() {
		own[l.id] = !l.isLost()
	}
	var due []store.Record
	for skip := 0; len(due) < limit; skip += page {
		m, err := s.server.Run(ctx, sessionAdopt, server.Milliseconds(s.lease), server.Milliseconds(s.window), server.Decimal(int64(skip)), server.Decimal(page))
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
func (s *sessions) record(ctx context.Context, id string) (r store.Record, found bool, err error) {
	fields, err := s.server.Hash(ctx, "record:"+id)
	if err != nil || len(fields) == 0 {
		return r, false, err
	}
	r, err = s.records.Decode(id, fields)
	return r, true, err
}
