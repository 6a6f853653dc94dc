// Package storetest is the suite that every implementation of store.Store passes.
package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/metadata"
)

// Run runs the suite but for the tests of those names. Open returns a new, empty store that goes by
// the clock given, each time it is called; the suite closes it.
func Run(t *testing.T, open func(t *testing.T, now func() time.Time) store.Store, but ...string) {
	run(t, open, func(name string) bool { return !slices.Contains(but, name) })
}

// RunFiles runs the tests of what stores keep beside their rows: audio, uploads, and what is left
// of finished sessions. They show that a store which passes the suite with one place for these
// works with another.
func RunFiles(t *testing.T, open func(t *testing.T, now func() time.Time) store.Store) {
	run(t, open, func(name string) bool { return slices.Contains(ofFiles, name) })
}

var ofFiles = []string{
	"deletion", "deletion under a handle", "sizes in lists", "log of an account", "feed", "what is durable", "audio",
	"audio under many hands", "recording", "events are numbered without gaps", "a known event changes nothing",
	"checkpoints go with their events", "silences", "notes", "stop and outcome", "an ended context changes nothing",
	"uploads come back as they were", "bad uploads are refused", "uploads that are not committed",
	"an upload goes with its last record", "what keys hold", "parts of a session are erased",
	"a job lets go of its recording", "jobs with another upload", "jobs that let go of their upload", "unused uploads",
	"records by their end",
}

func run(t *testing.T, open func(t *testing.T, now func() time.Time) store.Store, runs func(name string) bool) {
	runPlain(t, open, runs)
	runTimed(t, open, runs)
}

func runPlain(t *testing.T, open func(t *testing.T, now func() time.Time) store.Store, runs func(name string) bool) {
	for _, c := range []struct {
		name string
		test func(*testing.T, store.Store)
	}{
		{"records come back as they were", recordRoundTrip},
		{"bad records are refused", badRecords},
		{"accounts do not see each other", accountsApart},
		{"status", statusMoves},
		{"metadata is merged and bounded", metadataPatches},
		{"metadata by many hands", metadataByManyHands},
		{"deletion", deletion},
		{"deletion under a handle", deletionUnderHandle},
		{"cancellation of a session", cancelSession},
		{"room", room},
		{"lists are newest first, in pages", listPages},
		{"sizes in lists", listSizes},
		{"list filters", listFilters},
		{"list by metadata", listMetadata},
		{"list filters combined", listCombined},
		{"keys", keys},
		{"scopes and ends of keys", keyScopes},
		{"log of an account", accountLog},
		{"feed", feed},
		{"feed under many hands", feedRace},
		{"secrets", secrets},
		{"one claim at a time", claims},
		{"a claim is taken over", takeOver},
		{"a claim is taken from its holder", takeFrom},
		{"a claim ends with its record", lostByDeletion},
		{"what is durable", durability},
		{"audio", audio},
		{"audio under many hands", audioRace},
		{"recording", recording},
		{"events are numbered without gaps", eventNumbers},
		{"events under many hands", eventRace},
		{"a known event changes nothing", eventKeys},
		{"checkpoints go with their events", checkpoints},
		{"acks", acks},
		{"silences", silences},
		{"notes", notes},
		{"acks are bounded", acksBounded},
		{"stop and outcome", outcome},
		{"an ended context changes nothing", endedContext},
		{"ping", ping},
		{"uploads come back as they were", uploadRoundTrip},
		{"bad uploads are refused", badUploads},
		{"uploads that are not committed", uploadsDiscarded},
		{"an upload goes with its last record", uploadUse},
		{"what keys hold", held},
		{"parts of a session are erased", stripSession},
		{"a job lets go of its recording", stripUpload},
		{"quotas of accounts", quotas},
		{"sessions of an account at a time", sessionQuota},
		{"audit log", auditLog},
		{"many jobs, many workers", queueRace},
		{"many deliveries, many senders", outboxRace},
	} {
		if !runs(c.name) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			s := open(t, time.Now)
			defer func() { must(t, s.Close()) }()
			c.test(t, s)
		})
	}
}

// timed is a store and the clock it goes by.
type timed struct {
	store.Store
	*clock
}

// clock stands still until advance moves it.
type clock struct{ sinceEpoch atomic.Int64 }

func (c *clock) now() time.Time          { return epoch.Add(time.Duration(c.sinceEpoch.Load())) }
func (c *clock) advance(d time.Duration) { c.sinceEpoch.Add(int64(d)) }

func runTimed(t *testing.T, open func(t *testing.T, now func() time.Time) store.Store, runs func(name string) bool) {
	for _, c := range []struct {
		name string
		test func(*testing.T, timed)
	}{
		{"jobs are taken oldest first", queueOrder},
		{"jobs of dead workers", queueExpiry},
		{"a lease is its holder's", queueHolder},
		{"jobs with another upload", queueReplaced},
		{"jobs that let go of their upload", queueLetGo},
		{"jobs given back", queueGiveBack},
		{"jobs end with their callbacks", queueFinish},
		{"records by their end", finishedBefore},
		{"unused uploads", unusedUploads},
		{"bodies of callbacks that are not kept", transientBodies},
		{"waiting for jobs", queueWait},
		{"cancellation of jobs", cancelJob},
		{"jobs whose audio is fetched", queueFetched},
		{"accounts take turns", queueTurns},
		{"jobs of an account at a time", queueCap},
		{"deliveries come back as they were", deliveryRoundTrip},
		{"deliveries of a job are listed whatever their state", deliveriesOfJob},
		{"bad deliveries are refused", badDeliveries},
		{"a known delivery changes nothing", deliveriesOnce},
		{"deliveries are in order per job", deliveryOrder},
		{"failed, postponed and lost deliveries", deliveryRetries},
		{"dead deliveries", deadDeliveries},
		{"deliveries that wait", waitingDeliveries},
		{"deliveries die with their job", deliveryDeletion},
		{"pruning", pruning},
		{"waiting for deliveries", outboxWait},
		{"sessions that are due", adoption},
		{"reports of nodes", nodeReports},
		{"what accounts spend", spending},
		{"what accounts have used", usage},
		{"tokens", tokens},
		{"bad tokens are refused", badTokens},
		{"tokens end with their key", tokensOfKey},
		{"tokens end with their sessions", tokensOfSessions},
		{"tickets are for one use", tickets},
	} {
		if !runs(c.name) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			s := timed{clock: new(clock)}
			s.Store = open(t, s.now)
			defer func() { must(t, s.Close()) }()
			c.test(t, s)
		})
	}
}

// epoch is when the suite's first records were made.
var epoch = time.Date(2026, 3, 1, 12, 0, 0, 123e6, time.UTC)

// newRecord is a record of account "acme" that just came in.
func newRecord(id string) store.Record {
	return store.Record{
		ID: id, Account: "acme", Kind: messages.JobLive, Status: messages.StatusQueued, Version: messages.Version,
		CreatedAt: epoch, Channels: 1,
		PostSessionMetadata: json.RawMessage(`{}`), Params: json.RawMessage(`{"encoding":"wav/pcm"}`),
	}
}

// create makes records in the store.
func create(t *testing.T, s store.Store, records ...store.Record) {
	t.Helper()
	for _, r := range records {
		must(t, s.Create(t.Context(), r))
	}
}

// claim makes a record and claims it.
func claim(t *testing.T, s store.Store, id string) store.Live {
	t.Helper()
	create(t, s, newRecord(id))
	l, err := s.Claim(t.Context(), id, store.IfFree)
	must(t, err)
	return l
}

// finish finishes a record with an outcome.
func finish(t *testing.T, s store.Store, id string, code int) {
	t.Helper()
	l, err := s.Claim(t.Context(), id, store.IfFree)
	must(t, err)
	must(t, l.Finish(t.Context(), store.Outcome{ErrorCode: code}))
	must(t, l.Close())
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wants fails unless err is the wanted one.
func wants(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("error is %v, want %v", err, want)
	}
}

func same[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Fatalf("%s is %v, want %v", what, got, want)
	}
}

func room(t *testing.T, s store.Store) {
	free, err := s.Free(t.Context())
	must(t, err)
	same(t, "whether there is room", free > 0, true)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = s.Free(ctx)
	wants(t, err, context.Canceled)
}

func ping(t *testing.T, s store.Store) {
	must(t, s.Ping(t.Context()))
}

func endedContext(t *testing.T, s store.Store) {
	l := claim(t, s, "cancelled")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, appended := l.AppendEvent(ctx, messages.Event{Key: messages.Key{Kind: messages.KindFinal, Subject: "k"},
		Body: []byte("{}")}, 0, []byte("c"))
	for what, err := range map[string]error{
		"create":       s.Create(ctx, newRecord("other")),
		"patch":        s.ChangeMetadata(ctx, "acme", "cancelled", metadata.Patch(map[string]any{"a": 1})),
		"append audio": l.AppendAudio(ctx, []byte("abc")),
		"append event": appended,
		"finish":       l.Finish(ctx, store.Outcome{}),
		"delete":       s.Delete(ctx, "acme", "cancelled"),
		"ping":         s.Ping(ctx),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error is %v, want the context's", what, err)
		}
	}
	same(t, "audio size", l.AudioSize(), 0)
	events, err := l.Events(t.Context(), 0, 10)
	must(t, err)
	same(t, "number of events", len(events), 0)
	marks, err := l.Marks(t.Context())
	must(t, err)
	same(t, "number of acks", len(marks.Sent), 0)
	r, err := s.Get(t.Context(), "acme", "cancelled")
	must(t, err)
	same(t, "status", r.Status, messages.StatusQueued)
	same(t, "metadata", string(r.PostSessionMetadata), "{}")
	_, err = s.Get(t.Context(), "acme", "other")
	wants(t, err, store.ErrNotFound)
	must(t, l.Close())
}
