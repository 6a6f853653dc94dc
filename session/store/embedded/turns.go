package embedded

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"sync"
	"time"

	"steno/session/store"
)

// maxServed is how many accounts are remembered before those without jobs are forgotten.
const maxServed = 1 << 14

// turns remembers in which order accounts were served. It is of this process: after a restart all are as if never served.
type turns struct {
	mu     sync.Mutex
	last   int64
	served map[turnOf]int64
}

// turnOf is an account and the kind of its jobs.
type turnOf struct {
	account string
	fetch   bool
}

func newTurns() *turns { return &turns{served: map[turnOf]int64{}} }

// standing is what the queue holds of an account's jobs of one kind.
type standing struct {
	account string
	running int           // under a lease
	age     sql.NullInt64 // when the oldest free one was made
	oldest  sql.NullInt64 // its record
	ends    sql.NullInt64 // when the first of the leases is over
}

// may tells whether a job of the account may be taken now.
func (n standing) may(w store.Want) bool {
	return n.oldest.Valid && (w.PerAccount <= 0 || n.running < w.PerAccount)
}

// querier is a database or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// standings tells how accounts stand that have jobs of the kind: each is looked up in indexes alone, however many jobs
// it has.
func standings(ctx context.Context, q querier, w store.Want, now time.Time) ([]standing, error) {
	const free = ` FROM jobs j INDEXED BY jobs_by_age WHERE j.fetch = ?1 AND j.account = a.account AND lease_until <= ?2
		ORDER BY created_at, record LIMIT 1)`
	const leased = ` FROM jobs j INDEXED BY jobs_by_lease WHERE j.fetch = ?1 AND j.account = a.account AND lease_until > ?2)`
	rows, err := q.QueryContext(ctx, `WITH RECURSIVE a(account) AS (
			SELECT min(account) FROM jobs WHERE fetch = ?1
			UNION ALL
			SELECT (SELECT min(account) FROM jobs j WHERE j.fetch = ?1 AND j.account > a.account) FROM a WHERE a.account IS NOT NULL)
		SELECT account, (SELECT count(*)`+leased+`, (SELECT created_at`+free+`, (SELECT record`+free+`, (SELECT min(lease_until)`+leased+`
		FROM a WHERE account IS NOT NULL`, w.Fetch, now.UnixMilli())
	return collect(rows, err, "look for jobs", func(scan scanner) (n standing, err error) {
		err = scan(&n.account, &n.running, &n.age, &n.oldest, &n.ends)
		return n, err
	})
}

// next picks the account that a job is to be taken of: of those that have the fewest under a lease the one that was not
// served for the longest time.
func (t *turns) next(all []standing, w store.Want) (n standing, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	before := func(a, b standing) bool {
		return cmp.Or(
			cmp.Compare(a.running, b.running),
			cmp.Compare(t.served[turnOf{a.account, w.Fetch}], t.served[turnOf{b.account, w.Fetch}]),
			cmp.Compare(a.age.Int64, b.age.Int64), cmp.Compare(a.oldest.Int64, b.oldest.Int64),
		) < 0
	}
	for _, s := range all {
		if s.may(w) && (!ok || before(s, n)) {
			n, ok = s, true
		}
	}
	return n, ok
}

// serve notes that a job of an account was taken.
func (t *turns) serve(account string, all []standing, w store.Want) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last++
	t.served[turnOf{account, w.Fetch}] = t.last
	if len(t.served) > maxServed {
		t.forget(all, w)
	}
}

// forget forgets accounts that have no jobs of the kind any more. To forget one earlier would let it go first again with its
// next job. Called with mu held.
func (t *turns) forget(all []standing, w store.Want) {
	known := map[string]bool{}
	for _, s := range all {
		known[s.account] = true
	}
	for of := range t.served {
		if of.fetch == w.Fetch && !known[of.account] {
			delete(t.served, of)
		}
	}
}

// due is when a job may be taken, in milliseconds: 0 for now, null for never.
func due(all []standing, w store.Want) (at sql.NullInt64) {
	for _, s := range all {
		switch {
		case s.may(w):
			return sql.NullInt64{Valid: true}
		case s.ends.Valid && (!at.Valid || s.ends.Int64 < at.Int64):
			at = s.ends
		}
	}
	return at
}

// WaitJob implements store.Queue.
func (s *Store) WaitJob(ctx context.Context, w store.Want) error {
	return s.queue.wait(ctx, s.now, func(ctx context.Context) (sql.NullInt64, error) {
		all, err := standings(ctx, s.read, w, s.now())
		if err != nil {
			return sql.NullInt64{}, err
		}
		return due(all, w), nil
	})
}

// leaseIn answers sql.ErrNoRows where there is no job to take.
func (s *Store) leaseIn(ctx context.Context, tx *sql.Tx, node string, ttl time.Duration, w store.Want) (l store.Lease, err error) {
	now := s.now()
	all, err := standings(ctx, tx, w, now)
	if err != nil {
		return l, err
	}
	next, ok := s.turns.next(all, w)
	if !ok {
		return l, sql.ErrNoRows
	}
	l.Until = time.UnixMilli(now.Add(ttl).UnixMilli()).UTC()
	err = tx.QueryRowContext(ctx, `UPDATE jobs SET attempts = attempts + 1, lease = lease + 1, lease_owner = ?, lease_until = ?
		WHERE record = ? RETURNING attempts, lease`, node, l.Until.UnixMilli(), next.oldest.Int64).Scan(&l.Attempt, &l.Number)
	if err != nil {
		return l, fmt.Errorf("take job: %w", err)
	}
	if l.Record, err = startRecord(ctx, tx, next.oldest.Int64); err == nil {
		s.turns.serve(next.account, all, w)
	}
	return l, err
}
