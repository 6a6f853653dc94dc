// Package accounts keeps accounts within their quotas: it refuses sessions, jobs and uploads that
// are beyond them, reports what remains, paces callbacks, and finds the accounts whose sessions are
// to end. Quotas are those that were set by the API, else those of the configuration.
//
// Run has a goroutine of its own, which reads the quotas that other nodes may have set. The lock is
// held for the maps alone, never while the store is asked.
package accounts

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"time"

	"steno/gateway/metrics"
	"steno/session/store"
)

// DefaultName is the name, in the configuration, of the quota of accounts without one.
const DefaultName = "default"

const (
	readEvery = 2 * time.Second // between looks for quotas that another node has set
	readTime  = 5 * time.Second // for the store to answer
	storedFor = 2 * time.Second // for which the bytes of an account are reused

	maxBlocked = 10_000 // accounts that are known to be refused
)

// Config is what accounts are bounded by.
type Config struct {
	Store interface {
		store.Accounts
		store.Keys
	}
	// Quotas are those of the configuration, by account; that of DefaultName is for all others.
	Quotas  map[string]store.Quota
	Metrics *metrics.Accounts
	Retry   time.Duration // in answers where nothing can be computed
	// Running returns the audio of an account's unfinished sessions, on all nodes.
	Running func(account string) time.Duration
	// Failed is called with errors of the store while quotas are read, which is tried again.
	Failed func(error)
}

// Accounts bounds accounts. Its methods may be called from any goroutine.
type Accounts struct {
	cfg Config

	mu      sync.Mutex
	set     map[string]store.Quota // by the API
	blocked map[string]time.Time   // accounts that have no session to open until then
	stored  map[string]holding
}

// holding is how many bytes an account has.
type holding struct {
	bytes int64
	asked time.Time
}

// New returns accounts whose quotas in the store are not read yet. The caller has Run called.
func New(c Config) *Accounts {
	return &Accounts{cfg: c, blocked: map[string]time.Time{}, stored: map[string]holding{}}
}

// Run reads the quotas of the store again and again until ctx ends.
func (a *Accounts) Run(ctx context.Context) {
	tick := time.NewTicker(readEvery)
	defer tick.Stop()
	for {
		if err := a.Read(ctx); err != nil && ctx.Err() == nil {
			a.cfg.Failed(fmt.Errorf("read quotas of accounts: %w", err))
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Read reads the quotas of the store. Errors: the store's; those known stay in force.
func (a *Accounts) Read(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	set, err := a.cfg.Store.Quotas(ctx)
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if !maps.Equal(a.set, set) {
		clear(a.blocked)
	}
	a.set = set
	return nil
}

// Of returns the quota of an account.
func (a *Accounts) Of(account string) store.Quota {
	q, _ := a.find(account)
	return q
}

// The places that a quota is from.
const (
	fromAPI     = "api"
	fromConfig  = "configuration"
	fromDefault = "default"
	fromNowhere = "none"
)

// find returns the quota of an account and where it is from.
func (a *Accounts) find(account string) (q store.Quota, from string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if q, ok := a.set[account]; ok {
		return q, fromAPI
	}
	if q, ok := a.cfg.Quotas[account]; ok && account != DefaultName {
		return q, fromConfig
	}
	if q, ok := a.cfg.Quotas[DefaultName]; ok {
		return q, fromDefault
	}
	return q, fromNowhere
}
