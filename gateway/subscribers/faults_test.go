package subscribers

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"steno/messages"
	"steno/session/store"
)

// faultyStore is a store that may be away, that may have lost what was durable, and that may have
// trimmed the logs of accounts.
type faultyStore struct {
	Store
	away    *atomic.Bool
	epoch   *atomic.Int64 // history besides the store's own
	trimmed *atomic.Int64 // number up to which logs of accounts are not kept
	forgets *atomic.Bool  // it has forgotten the sessions that run
	missed  *atomic.Int64 // how often one of these was asked for
}

func newFaultyStore(s Store) faultyStore {
	return faultyStore{s, new(atomic.Bool), new(atomic.Int64), new(atomic.Int64), new(atomic.Bool), new(atomic.Int64)}
}

// errAway is an error of a store that is away.
var errAway = errors.New("the test's store is away")

func (s faultyStore) Events(ctx context.Context, account, id string, after int64, limit int) ([]messages.Event, error) {
	if s.away.Load() {
		return nil, errAway
	}
	if s.forgets.Load() {
		s.missed.Add(1)
		return nil, store.ErrNotFound
	}
	return s.Store.Events(ctx, account, id, after, limit)
}

func (s faultyStore) Follow(ctx context.Context, t store.Topic, f func(store.Signal)) (func(), error) {
	if s.away.Load() {
		return nil, errAway
	}
	return s.Store.Follow(ctx, t, f)
}

func (s faultyStore) MissingTokens(ctx context.Context, hashes [][]byte) ([][]byte, error) {
	if s.away.Load() {
		return nil, errAway
	}
	return s.Store.MissingTokens(ctx, hashes)
}

func (s faultyStore) Epoch(ctx context.Context) (int64, error) {
	n, err := s.Store.Epoch(ctx)
	return n + s.epoch.Load(), err
}

func (s faultyStore) AccountEvents(ctx context.Context, account string, after int64, limit int) ([]store.AccountEvent,
	bool, error) {
	trimmed := s.trimmed.Load()
	list, whole, err := s.Store.AccountEvents(ctx, account, max(after, trimmed), limit)
	return list, whole && after >= trimmed, err
}

// While the store is away nothing comes, and nothing is lost: neither for those who were there nor
// for those who came meanwhile.
func TestStoreAway(t *testing.T) {
	var faults faultyStore
	s := newTestServer(t, func(c *Config) { faults = newFaultyStore(c.Store); c.Store = faults })
	k := s.testSession("a1")
	script(k)
	before := s.dial("/v2/live/a1/events?" + everyFlag)
	waitUntil(t, "it has joined", func() bool { return s.clients() == 1 })
	faults.away.Store(true)
	meanwhile := s.dial("/v2/live/a1/events?" + everyFlag)
	for i := range 20 {
		k.logs(messages.KindFinal, "away"+strconv.Itoa(i), 0)
	}
	waitUntil(t, "the store was asked in vain", s.service.away.Load)
	faults.away.Store(false)
	k.ends()
	want := k.bodies(^messages.Filter(0))
	for name, w := range map[string]*webSocket{"before": before, "meanwhile": meanwhile} {
		if got := all(t, w); !slices.Equal(got, want) {
			t.Errorf("who came %s has %d events, want %d", name, len(got), len(want))
		}
	}
}

// That the store is away is logged once, not whenever the watch has looked at its subscriptions
// without a need of the store.
func TestStoreAwayIsLoggedOnce(t *testing.T) {
	var faults faultyStore
	s := newTestServer(t, func(c *Config) { faults = newFaultyStore(c.Store); c.Store = faults })
	k := s.testSession("a1")
	script(k)
	w := s.dial("/v2/live/a1/events?" + everyFlag)
	waitUntil(t, "it has joined", func() bool { return s.clients() == 1 })
	faults.away.Store(true)
	k.logs(messages.KindFinal, "away", 0)
	waitUntil(t, "the store was asked in vain", s.service.away.Load)
	s.service.round()
	if !s.service.away.Load() {
		t.Error("the store counts as read")
	}
	faults.away.Store(false)
	waitUntil(t, "the store was read", func() bool { return !s.service.away.Load() })
	k.ends()
	if got, want := all(t, w), k.bodies(^messages.Filter(0)); !slices.Equal(got, want) {
		t.Errorf("%d events, want %d", len(got), len(want))
	}
}

// After a loss of what had been durable the numbers mean other events: streams end, and receive a
// notice when they come back.
func TestEpochChanges(t *testing.T) {
	var faults faultyStore
	s := newTestServer(t, func(c *Config) { faults = newFaultyStore(c.Store); c.Store = faults })
	k := s.testSession("a1")
	script(k)
	w := s.dial("/v2/live/a1/events")
	waitUntil(t, "it has joined", func() bool { return s.clients() == 1 })
	faults.epoch.Store(1)
	if got := all(t, w); len(got) != 4 || w.code != 1012 {
		t.Errorf("%q, closed with %d", got, w.code)
	}
	e, _ := s.open("/v2/live/a1/events", "Last-Event-ID", "1-5")
	if got, err := e.next(); err != nil || got.event != typeResync {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := e.next(); err != nil || got.id != "2-2" {
		t.Errorf("%v, %v", got, err)
	}
	must(t, k.live.Close())
}

// A session that a server has lost is restored by its holder: followers are not notified that it
// was deleted.
func TestSessionForgottenForAMoment(t *testing.T) {
	var faults faultyStore
	s := newTestServer(t, func(c *Config) { faults = newFaultyStore(c.Store); c.Store = faults })
	k := s.testSession("a1")
	script(k)
	before := s.dial("/v2/live/a1/events?" + everyFlag)
	waitUntil(t, "it has joined", func() bool { return s.clients() == 1 })
	faults.forgets.Store(true)
	meanwhile := s.dial("/v2/live/a1/events?" + everyFlag)
	k.logs(messages.KindFinal, "forgotten", 0)
	waitUntil(t, "both have not found it", func() bool { return faults.missed.Load() >= 2 })
	faults.forgets.Store(false)
	k.ends()
	want := k.bodies(^messages.Filter(0))
	for name, w := range map[string]*webSocket{"before": before, "meanwhile": meanwhile} {
		if got := all(t, w); !slices.Equal(got, want) || w.code != 1000 {
			t.Errorf("who came %s has %d events, want %d, closed with %d", name, len(got), len(want), w.code)
		}
	}
}

// What an account's log has after a position of another epoch is sent: followers of an account come
// back with one after each loss.
func TestAccountGoesOnInAnotherEpoch(t *testing.T) {
	var faults faultyStore
	s := newTestServer(t, func(c *Config) { faults = newFaultyStore(c.Store); c.Store = faults })
	k := s.testSession("a1")
	script(k) // for the account the first, fourth and fifth event
	faults.epoch.Store(1)
	for from, want := range map[string]string{"1-1": "2-4", "1-4": "2-5"} {
		e, _ := s.open("/v2/events", "Last-Event-ID", from)
		if got, err := e.next(); err != nil || got.event != typeResync {
			t.Errorf("behind %s: %v, %v", from, got, err)
		}
		if got, err := e.next(); err != nil || got.id != want {
			t.Errorf("behind %s: %v, %v", from, got, err)
		}
	}
	must(t, k.live.Close())
}

// A bounded log of an account tells those who come too late where it begins.
func TestTrimmedAccountLog(t *testing.T) {
	var faults faultyStore
	s := newTestServer(t, func(c *Config) { faults = newFaultyStore(c.Store); c.Store = faults })
	k := s.testSession("a1")
	script(k) // for the account the first, fourth and fifth event
	faults.trimmed.Store(2)
	e, _ := s.open("/v2/events?from=1")
	if got, err := e.next(); err != nil || got.event != typeResync || !strings.Contains(got.data, `"from":4}`) ||
		!strings.Contains(got.data, `"session_id":null`) {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := e.next(); err != nil || got.id != "1-4" {
		t.Errorf("%v, %v", got, err)
	}
	must(t, k.live.Close())
}
