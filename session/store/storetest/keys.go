package storetest

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"steno/messages"
	"steno/session/store"
)

// hash is 32 bytes, as a SHA-256 has.
func hash(c string) []byte { return []byte(strings.Repeat(c, 32)) }

func keys(t *testing.T, s store.Store) {
	ctx := t.Context()
	has, err := s.HasKeys(ctx)
	must(t, err)
	same(t, "has keys", has, false)
	first := store.Key{Hash: hash("1"), Account: "acme", Name: "office", CreatedAt: epoch}
	must(t, s.AddKey(ctx, store.Key{Hash: hash("2"), Account: "zeta", Name: "lab", CreatedAt: epoch.Add(time.Hour)}))
	must(t, s.AddKey(ctx, first))
	wants(t, s.AddKey(ctx, store.Key{Hash: hash("1"), Account: "thief", CreatedAt: epoch}), store.ErrExists)
	wants(t, s.AddKey(ctx, store.Key{Hash: []byte("short"), Account: "acme"}), store.ErrInvalid)
	wants(t, s.AddKey(ctx, store.Key{Hash: hash("3")}), store.ErrInvalid)
	wants(t, s.AddKey(ctx, store.Key{Hash: hash("3"), Account: "acme", Scopes: store.AllScopes + 1}), store.ErrInvalid)
	one, err := s.Key(ctx, hash("1"))
	must(t, err)
	same(t, "account", one.Account, "acme")
	all, err := s.ListKeys(ctx)
	must(t, err)
	same(t, "number of keys", len(all), 2)
	same(t, "name of the first", all[0].Name, first.Name)
	same(t, "hash of the first", string(all[0].Hash), string(first.Hash))
	same(t, "time of the first", all[0].CreatedAt, first.CreatedAt)
	must(t, s.RemoveKey(ctx, hash("1")))
	wants(t, s.RemoveKey(ctx, hash("1")), store.ErrNotFound)
	_, err = s.Key(ctx, hash("1"))
	wants(t, err, store.ErrNotFound)
	has, err = s.HasKeys(ctx)
	must(t, err)
	same(t, "has keys", has, true)
}

func keyScopes(t *testing.T, s store.Store) {
	ctx := t.Context()
	must(t, s.AddKey(ctx, store.Key{Hash: hash("1"), Account: "acme", CreatedAt: epoch}))
	limited := store.Key{
		Hash: hash("2"), Account: "acme", Name: "page", CreatedAt: epoch,
		Scopes: store.ScopeLive | store.ScopeRead, ExpiresAt: epoch.Add(time.Hour),
	}
	must(t, s.AddKey(ctx, limited))
	plain, err := s.Key(ctx, hash("1"))
	must(t, err)
	same(t, "scopes of a key without", plain.Scopes, store.AllScopes)
	same(t, "whether it ends", plain.ExpiresAt.IsZero() && !plain.Expired(epoch.AddDate(100, 0, 0)), true)
	got, err := s.Key(ctx, hash("2"))
	must(t, err) // though it has expired long ago
	if !reflect.DeepEqual(got, limited) {
		t.Fatalf("key is %+v, want %+v", got, limited)
	}
	same(t, "whether it has ended before", got.Expired(got.ExpiresAt.Add(-time.Millisecond)), false)
	same(t, "whether it has ended then", got.Expired(got.ExpiresAt), true)
	all, err := s.ListKeys(ctx)
	must(t, err)
	same(t, "number of keys", len(all), 2)
	end := epoch.Add(48 * time.Hour)
	must(t, s.EndKey(ctx, hash("1"), end))
	must(t, s.EndKey(ctx, hash("2"), time.Time{}))
	wants(t, s.EndKey(ctx, hash("3"), end), store.ErrNotFound)
	one, err := s.Key(ctx, hash("1"))
	must(t, err)
	two, err := s.Key(ctx, hash("2"))
	must(t, err)
	if !one.ExpiresAt.Equal(end) || !one.Outlived || !two.ExpiresAt.IsZero() || two.Scopes != limited.Scopes {
		t.Errorf("keys that were ended are %+v and %+v", one, two)
	}
}

// newToken is a token of account "acme" and the key hash("k") that ends in an hour.
func newToken(c string) store.Token {
	return store.Token{
		ID: "token-" + c, Hash: hash(c), Account: "acme", Key: hash("k"), Scopes: store.ScopeRead,
		CreatedAt: epoch, ExpiresAt: epoch.Add(time.Hour),
	}
}

func tokens(t *testing.T, s timed) {
	ctx := t.Context()
	full := newToken("1")
	full.Name, full.Scopes = "screen", store.ScopeRead|store.ScopeLive|store.ScopeSignIn
	full.Kinds, full.Sessions = messages.FilterOf(messages.KindFinal, messages.KindError), []string{"a1", "b2"}
	must(t, s.AddToken(ctx, full))
	s.advance(time.Millisecond)
	short, foreign := newToken("2"), newToken("3")
	short.ExpiresAt, foreign.Account = epoch.Add(time.Minute), "zeta"
	must(t, s.AddToken(ctx, short))
	must(t, s.AddToken(ctx, foreign))
	got, err := s.Token(ctx, full.Hash)
	must(t, err)
	if !reflect.DeepEqual(got, full) {
		t.Fatalf("token is %+v, want %+v", got, full)
	}
	list, err := s.ListTokens(ctx, "acme")
	must(t, err)
	same(t, "number of tokens", len(list), 2)
	same(t, "the first", list[0].ID, full.ID)
	missing, err := s.MissingTokens(ctx, [][]byte{hash("0"), full.Hash, short.Hash, hash("9")})
	must(t, err)
	slices.SortFunc(missing, bytes.Compare)
	if !reflect.DeepEqual(missing, [][]byte{hash("0"), hash("9")}) {
		t.Fatalf("missing are %q", missing)
	}

	s.advance(time.Minute)
	_, err = s.Token(ctx, short.Hash)
	wants(t, err, store.ErrNotFound)
	wants(t, s.RemoveToken(ctx, "acme", short.ID), store.ErrNotFound)
	missing, err = s.MissingTokens(ctx, [][]byte{short.Hash, full.Hash})
	must(t, err)
	same(t, "number of missing tokens", len(missing), 1)
	wants(t, s.RemoveToken(ctx, "acme", foreign.ID), store.ErrNotFound)
	must(t, s.RemoveToken(ctx, "acme", full.ID))
	wants(t, s.RemoveToken(ctx, "acme", full.ID), store.ErrNotFound)
	_, err = s.Token(ctx, full.Hash)
	wants(t, err, store.ErrNotFound)
	list, err = s.ListTokens(ctx, "acme")
	must(t, err)
	same(t, "number of tokens", len(list), 0)
	none, err := s.MissingTokens(ctx, nil)
	must(t, err)
	same(t, "number of missing tokens", len(none), 0)
}

func badTokens(t *testing.T, s timed) {
	must(t, s.AddToken(t.Context(), newToken("1")))
	for what, change := range map[string]func(*store.Token){
		"no hash":        func(o *store.Token) { o.Hash = nil },
		"no key":         func(o *store.Token) { o.Key = []byte("k") },
		"no account":     func(o *store.Token) { o.Account = "" },
		"no scope":       func(o *store.Token) { o.Scopes = 0 },
		"a bad scope":    func(o *store.Token) { o.Scopes = store.AllScopes + 1 },
		"no end":         func(o *store.Token) { o.ExpiresAt = time.Time{} },
		"no id":          func(o *store.Token) { o.ID = "" },
		"empty sessions": func(o *store.Token) { o.Sessions = []string{} },
	} {
		o := newToken("2")
		change(&o)
		t.Log(what)
		wants(t, s.AddToken(t.Context(), o), store.ErrInvalid)
	}
	sameID, sameHash := newToken("1"), newToken("1")
	sameID.Hash, sameHash.ID = hash("2"), "other"
	wants(t, s.AddToken(t.Context(), sameID), store.ErrExists)
	wants(t, s.AddToken(t.Context(), sameHash), store.ErrExists)
}

func tokensOfKey(t *testing.T, s timed) {
	ctx := t.Context()
	must(t, s.AddKey(ctx, store.Key{Hash: hash("k"), Account: "acme", CreatedAt: epoch}))
	other := newToken("2")
	other.Key = hash("o")
	must(t, s.AddToken(ctx, newToken("1")))
	must(t, s.AddToken(ctx, other))
	must(t, s.RemoveKey(ctx, hash("k")))
	_, err := s.Token(ctx, hash("1"))
	wants(t, err, store.ErrNotFound)
	_, err = s.Token(ctx, other.Hash)
	must(t, err)
}

func tokensOfSessions(t *testing.T, s timed) {
	ctx := t.Context()
	finished := func(id string) store.Record {
		r := newRecord(id)
		r.Status = messages.StatusDone
		return r
	}
	must(t, s.Create(ctx, finished("done-1")))
	must(t, s.Create(ctx, newRecord("open-2")))
	add := func(c string, sessions ...string) {
		token := newToken(c)
		token.Sessions = sessions
		must(t, s.AddToken(ctx, token))
	}
	add("1", "done-1")
	add("2", "open-2", "done-1")
	add("3", "open-2")
	add("4")
	sessionsOf := func(c string, want ...string) {
		t.Helper()
		got, err := s.Token(ctx, hash(c))
		must(t, err)
		if !slices.Equal(got.Sessions, want) {
			t.Fatalf("token %s is for %q, want %q", c, got.Sessions, want)
		}
	}
	must(t, s.Delete(ctx, "acme", "done-1"))
	_, err := s.Token(ctx, hash("1"))
	wants(t, err, store.ErrNotFound)
	sessionsOf("2", "open-2")
	sessionsOf("3", "open-2")
	sessionsOf("4")
	must(t, s.Cancel(ctx, "acme", "open-2"))
	for _, c := range []string{"2", "3"} {
		_, err := s.Token(ctx, hash(c))
		wants(t, err, store.ErrNotFound)
	}
	sessionsOf("4")
	list, err := s.ListTokens(ctx, "acme")
	must(t, err)
	same(t, "number of tokens", len(list), 1)
	add("5", "done-1") // an id and a hash of those that went may be used again
	add("1", "done-1")
}

func tickets(t *testing.T, s timed) {
	ctx := t.Context()
	add := func(c string, credential string) error {
		return s.AddTicket(ctx, store.Ticket{Hash: hash(c), Credential: hash(credential),
			ExpiresAt: s.now().Add(time.Minute)})
	}
	wants(t, s.AddTicket(ctx, store.Ticket{Hash: hash("1"), Credential: hash("k")}), store.ErrInvalid)
	wants(t, s.AddTicket(ctx, store.Ticket{Credential: hash("k"), ExpiresAt: epoch}), store.ErrInvalid)
	must(t, add("1", "k"))
	wants(t, add("1", "k"), store.ErrExists)
	must(t, add("2", "k"))
	var used atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if got, err := s.UseTicket(ctx, hash("1")); err == nil && bytes.Equal(got.Credential, hash("k")) {
				used.Add(1)
			}
		})
	}
	all.Wait()
	same(t, "uses", used.Load(), 1)
	s.advance(time.Minute)
	_, err := s.UseTicket(ctx, hash("2"))
	wants(t, err, store.ErrNotFound)
	for i := range store.MaxTickets {
		digest := bytes.Repeat([]byte{byte(i), byte(i >> 8)}, 16)
		must(t, s.AddTicket(ctx, store.Ticket{Hash: digest, Credential: hash("m"),
			ExpiresAt: s.now().Add(time.Minute)}))
	}
	wants(t, add("3", "m"), store.ErrTooLarge)
	must(t, add("3", "n"))
	s.advance(time.Minute)
	must(t, add("4", "m"))
}
