package embedded

import (
	"cmp"
	"context"
	"database/sql"
	"sync"
	"time"

	"steno/session/store"
)

// maxServed is how many accounts are remembered before those without jobs are forgotten.
const maxServed = 1 << 14

// rotation remembers in which order accounts were served. It is of this process: after a restart
// all are as if never served.
type rotation struct {
	mu     sync.Mutex
	last   int64
	served map[servedAccount]int64
}

// servedAccount is an account and the kind of its jobs.
type servedAccount struct {
	account string
	fetch   bool
}

func newRotation() *rotation { return &rotation{served: map[servedAccount]int64{}} }

// accountJobs is what the queue holds of an account's jobs of one kind.
type accountJobs struct {
	account string
	running int           // under a lease
	age     sql.NullInt64 // when the oldest free one was made
	oldest  sql.NullInt64 // its record
	ends    sql.NullInt64 // when the first of the leases ends
}

// may tells whether a job of the account may be taken now.
func (n accountJobs) may(w store.Want) bool {
	return n.oldest.Valid && (w.PerAccount <= 0 || n.running < w.PerAccount)
}

// querier is a database or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// loadAccounts reads the accounts that have jobs of the kind: each is looked up in indexes alone,
// however many jobs it has.
func loadAccounts(ctx context.Context, q querier, w store.Want, now time.Time) ([]accountJobs, error) {
	const free = ` FROM jobs j INDEXED BY jobs_by_age WHERE j.fetch = ?1 AND j.account = a.account AND lease_until <= ?2
		ORDER BY created_at, record LIMIT 1)`
	const leased = ` FROM jobs j INDEXED BY jobs_by_lease WHERE j.fetch = ?1 AND j.account = a.account AND ` +
		`lease_until > ?2)`
	rows, err := q.QueryContext(ctx, `WITH RECURSIVE a(account) AS (
			SELECT min(account) FROM jobs WHERE fetch = ?1
			UNION ALL
			SELECT (SELECT min(account) FROM jobs j WHERE j.fetch = ?1 AND j.account > a.account) FROM a WHERE a.account IS NOT NULL)
		SELECT account, (SELECT count(*)`+leased+`, (SELECT created_at`+free+`, (SELECT record`+free+`, (SELECT `+
		`min(lease_until)`+leased+`
		FROM a WHERE account IS NOT NULL`, w.Fetch, now.UnixMilli())
	return collect(rows, err, "look for jobs", func(scan scanner) (n accountJobs, err error) {
		err = scan(&n.account, &n.running, &n.age, &n.oldest, &n.ends)
		return n, err
	})
}

// next picks the account that a job is to be taken of: of those that have the fewest under a lease
// the one that was not served for the longest time.
func (t *rotation) next(all []accountJobs, w store.Want) (n accountJobs, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	before := func(a, b accountJobs) bool {
		return cmp.Or(
			cmp.Compare(a.running, b.running),
			cmp.Compare(t.served[servedAccount{a.account, w.Fetch}], t.served[servedAccount{b.account, w.Fetch}]),
			cmp.Compare(a.age.Int64, b.age.Int64), cmp.Compare(a.oldest.Int64, b.oldest.Int64),
		) < 0
	}
	for _, a := range all {
		if a.may(w) && (!ok || before(a, n)) {
			n, ok = a, true
		}
	}
	return n, ok
}

// serve notes that a job of an account was taken.
func (t *rotation) serve(account string, all []accountJobs, w store.Want) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last++
	t.served[servedAccount{account, w.Fetch}] = t.last
	if len(t.served) > maxServed {
		t.forget(all, w)
	}
}

// forget forgets accounts that have no jobs of the kind any more. To forget one earlier would let
// it go first again with its next job. Called with mu held.
func (t *rotation) forget(all []accountJobs, w store.Want) {
	known := map[string]bool{}
	for _, a := range all {
		known[a.account] = true
	}
	for of := range t.served {
		if of.fetch == w.Fetch && !known[of.account] {
			delete(t.served, of)
		}
	}
}

// due is when a job may be taken, in milliseconds: 0 for now, null for never.
func due(all []accountJobs, w store.Want) (at sql.NullInt64) {
	for _, a := range all {
		switch {
		case a.may(w):
			return sql.NullInt64{Valid: true}
		case a.ends.Valid && (!at.Valid || a.ends.Int64 < at.Int64):
			at = a.ends
		}
	}
	return at
}
