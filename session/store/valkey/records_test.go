package valkey

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/valkey-io/valkey-go"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/blob"
	"steno/session/store/blob/blobtest"
	"steno/session/store/metadata"
	"steno/session/store/valkey/records"
	"steno/session/store/valkey/tier"
	"steno/session/store/valkeytest"
)

// keysOf lists the keys of a store and the bytes of memory that they take.
func keysOf(t *testing.T, s *Store) map[string]int64 {
	t.Helper()
	all := map[string]int64{}
	for cursor, more := uint64(0), true; more; more = cursor != 0 {
		e, err := s.Client.Do(t.Context(), s.Client.B().Scan().Cursor(cursor).Match(s.Prefix+
			"*").Count(1000).Build()).AsScanEntry()
		must(t, err)
		cursor = e.Cursor
		for _, key := range e.Elements {
			size, err := s.Client.Do(t.Context(), s.Client.B().MemoryUsage().Key(key).Samples(0).Build()).AsInt64()
			if valkey.IsValkeyNil(err) {
				continue // gone meanwhile
			}
			must(t, err)
			all[strings.TrimPrefix(key, s.Prefix)] = size
		}
	}
	return all
}

// blobsOf lists the names of all blobs.
func blobsOf(t *testing.T, s *Store) (names []string) {
	t.Helper()
	page, err := s.blobs.List(t.Context(), "", "", 1000)
	must(t, err)
	for _, o := range page {
		names = append(names, o.Name)
	}
	return names
}

// openTimed returns a store that goes by a clock of its own, and what advances that.
func openTimed(t *testing.T, addr, blobs string) (s *Store, advance func(time.Duration)) {
	t.Helper()
	var ahead atomic.Int64
	began := time.Now()
	s, err := Open(t.Context(), Options{
		Addr: addr, Node: "node", Blobs: blobs, Spool: t.TempDir(),
		Now: func() time.Time { return began.Add(time.Duration(ahead.Load())) },
	})
	must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s, func(d time.Duration) { ahead.Add(int64(d)) }
}

// settle does all upkeep, also what is not due yet.
func settle(t *testing.T, s *Store) {
	t.Helper()
	archive := s.Prefix + "archive" // what a handle still held when the store's own round came is due much later
	must(t, s.Client.Do(t.Context(),
		s.Client.B().Zunionstore().Destination(archive).Numkeys(1).Key(archive).Weights(0).Build()).Error())
	must(t, s.upkeep.round(t.Context()))
}

// deleteOnServer deletes a record of account "acme" as Delete does, but for its blobs.
func deleteOnServer(ctx context.Context, s *Store, id string) (valkey.ValkeyMessage, error) {
	return s.Conn.Run(ctx, records.Scripts.Script("record_delete", "record", "queue", "outbox", "session", "token",
		"forget", "erasure"), "acme", id, "", "")
}

// fullRecord is a live record with a value in every field that one has before its end.
func fullRecord(id string) store.Record {
	r := liveRecord(id)
	r.CreatedAt = time.UnixMilli(r.CreatedAt.UnixMilli()).UTC()
	r.Version = 2
	r.CustomMetadata = json.RawMessage(`{"customer":"c-17","call":{"number":"+4930123","agent":7}}`)
	r.Params = json.RawMessage(`{"words":"` + strings.Repeat("vocabulary ", 100) + `"}`)
	r.Warnings = json.RawMessage(`[{"field":"a"}]`)
	r.TokenHash, r.Key = []byte(strings.Repeat("t", 16)+fmt.Sprintf("%16s", id)), []byte(strings.Repeat("k", 32))
	return r
}

// speak appends events and a recording to a session, and finishes it.
func speak(t *testing.T, s *Store, id string, events int) {
	t.Helper()
	l, err := s.Claim(t.Context(), id, store.TakeOver)
	must(t, err)
	for i := range events {
		e := event(fmt.Sprintf("%d", i))
		e.Body = []byte(`{"text":"` + strings.Repeat("some words ", 40) + `"}`)
		_, _, err := l.AppendEvent(t.Context(), e, i%2, make([]byte, 22<<10))
		must(t, err)
		if i%100 == 0 {
			appendAudio(t, l, 32_000)
		}
	}
	must(t, l.Finish(t.Context(), store.Outcome{
		Result: json.RawMessage(`{"text":"` + strings.Repeat("many words ", 10_000) + `"}`), Seconds: 3600, Channels: 1,
	}))
	must(t, l.Close())
}

func TestFinishedSessionsAreSmall(t *testing.T) {
	running := valkeytest.Start(t)
	s := openAt(t, running.Addr(), "node")
	const sessions = 5
	for i := range sessions {
		id := fmt.Sprintf("00000000-0000-0000-0000-%012d", i)
		must(t, s.Create(t.Context(), fullRecord(id)))
		speak(t, s, id, 600)
	}
	settle(t, s)
	var all int64
	left := keysOf(t, s)
	delete(left, "account:acme") // the account's log has a bound of its own
	for _, size := range left {
		all += size
	}
	if each := all / sessions; each > 4<<10 {
		t.Errorf("a finished session takes %d bytes: %v", each, left)
	} else {
		t.Logf("a finished session takes %d bytes", each)
	}
}

// TestArchivedRecords wants a record that was archived to be what it was.
func TestArchivedRecords(t *testing.T) {
	running := valkeytest.Start(t)
	s := openAt(t, running.Addr(), "node")
	ctx := t.Context()
	r := fullRecord("one")
	must(t, s.Create(ctx, r))
	speak(t, s, "one", 3)
	before, err := s.Get(ctx, "acme", "one")
	must(t, err)
	sized := func() int64 {
		t.Helper()
		page, _, err := s.List(ctx, "acme", messages.ListQuery{CustomMetadata: messages.Object{"customer": "c-17"}})
		must(t, err)
		if len(page) != 1 {
			t.Fatalf("the list has %d records", len(page))
		}
		return page[0].Bytes
	}
	size := sized()
	for range 2 { // the second time there is nothing to do
		settle(t, s)
		after, err := s.Get(ctx, "acme", "one")
		must(t, err)
		if !reflect.DeepEqual(after, before) {
			t.Fatalf("the record is\n%.500v, was\n%.500v", after, before)
		}
		if got := sized(); got != size {
			t.Errorf("the size in lists is %d, was %d", got, size)
		}
	}
	byToken, err := s.ByToken(ctx, r.TokenHash)
	must(t, err)
	if !reflect.DeepEqual(byToken, before) {
		t.Error("by its token another record is found")
	}
	events, err := s.Events(ctx, "acme", "one", 0, 10)
	if err != nil || len(events) != 3 {
		t.Errorf("there are %d events, %v", len(events), err)
	}

	must(t, s.ChangeMetadata(ctx, "acme", "one", metadata.Patch(map[string]any{"note": strings.Repeat("n", 5000)})))
	want := `{"note":"` + strings.Repeat("n", 5000) + `"}`
	for _, when := range []string{"at once", "after it was archived again"} {
		after, err := s.Get(ctx, "acme", "one")
		must(t, err)
		if string(after.PostSessionMetadata) != want || string(after.Result) != string(before.Result) {
			t.Errorf("%s the record is %.300v", when, after)
		}
		settle(t, s)
	}
	var archives int
	for _, name := range blobsOf(t, s) {
		if strings.HasSuffix(name, ".zip") {
			archives++
		}
	}
	if archives != 1 {
		t.Errorf("%d archives of the record are left", archives)
	}
	must(t, s.ChangeMetadata(ctx, "acme", "one", metadata.Patch(map[string]any{"b": 1})))
	after, err := s.Get(ctx, "acme", "one")
	must(t, err)
	if !strings.HasPrefix(string(after.PostSessionMetadata), `{"b":1,"note":"nnn`) {
		t.Errorf("metadata is %.100s", after.PostSessionMetadata)
	}
}

// TestBlobStorageAway wants records to be whole, and deletions to work, while blob storage is away;
// archives and removals follow.
func TestBlobStorageAway(t *testing.T) {
	running := valkeytest.Start(t)
	var away atomic.Bool
	bucket := blobtest.S3(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if away.Load() {
				http.Error(w, "slow down", http.StatusServiceUnavailable)
				return
			}
			next.ServeHTTP(w, r)
		})
	})
	s, advance := openTimed(t, running.Addr(), bucket)
	ctx := t.Context()
	for _, id := range []string{"one", "two"} {
		must(t, s.Create(ctx, fullRecord(id)))
		speak(t, s, id, 3)
	}
	before, err := s.Get(ctx, "acme", "one")
	must(t, err)
	away.Store(true)
	wants(t, s.upkeep.archiveFinished(ctx), store.ErrAway)
	after, err := s.Get(ctx, "acme", "one")
	must(t, err)
	if !reflect.DeepEqual(after, before) {
		t.Error("the record is another one")
	}
	away.Store(false)
	advance(2 * archiveTime)
	settle(t, s)
	if len(blobsOf(t, s)) == 0 {
		t.Error("the records were not archived later")
	}
	away.Store(true)
	_, err = s.Get(ctx, "acme", "one")
	wants(t, err, store.ErrAway)
	if page, _, err := s.List(ctx, "acme", messages.ListQuery{}); len(page) != 2 || err != nil {
		t.Errorf("the list has %d, %v", len(page), err)
	}
	must(t, s.Delete(ctx, "acme", "one"))
	away.Store(false)
	advance(time.Minute)
	settle(t, s)
	for _, name := range blobsOf(t, s) {
		if !strings.HasPrefix(name, "r/two/") {
			t.Errorf("left is %s", name)
		}
	}
}

// TestManyValues wants metadata of thousands of values to be kept, found and deleted.
func TestManyValues(t *testing.T) {
	running := valkeytest.Start(t)
	s := openAt(t, running.Addr(), "node")
	object := map[string]int{}
	for i := range 5000 {
		object[fmt.Sprint(i)] = i
	}
	r := fullRecord("one")
	var err error
	r.CustomMetadata, err = json.Marshal(object)
	must(t, err)
	must(t, s.Create(t.Context(), r))
	page, _, err := s.List(t.Context(), "acme", messages.ListQuery{CustomMetadata: messages.Object{"17": 17,
		"4711": "4711"}})
	if len(page) != 1 || err != nil {
		t.Errorf("the list has %d, %v", len(page), err)
	}
	must(t, s.Cancel(t.Context(), "acme", "one"))
	for key := range keysOf(t, s) {
		if strings.HasPrefix(key, "metadata:") {
			t.Fatalf("left is %s", key)
		}
	}
}

// TestNothingIsLeft wants a deletion to take away all that there was.
func TestNothingIsLeft(t *testing.T) {
	running := valkeytest.Start(t)
	s := openAt(t, running.Addr(), "node")
	ctx := t.Context()
	must(t, s.Create(ctx, fullRecord("live")))
	speak(t, s, "live", 3)
	must(t, s.Create(ctx, fullRecord("open")))
	h, err := s.Claim(ctx, "open", store.IfFree)
	must(t, err)
	appendAudio(t, h, 32_000)
	settled(t, h)
	w, err := s.NewUpload(ctx, "file")
	must(t, err)
	_, err = io.WriteString(w, "audio")
	must(t, err)
	_, err = w.Commit(ctx, store.Upload{Account: "acme", CreatedAt: time.Now()})
	must(t, err)
	job := fullRecord("job")
	job.Kind, job.Status, job.Upload = messages.JobPreRecorded, messages.StatusQueued, "file"
	must(t, s.Create(ctx, job))
	const deliveries = 1200 // more than one script removes
	for i := range deliveries {
		must(t, s.Enqueue(ctx, callback("job", fmt.Sprint("event", i))))
	}
	settle(t, s)
	for _, id := range []string{"live", "open", "job"} {
		must(t, s.Cancel(ctx, "acme", id))
		wants(t, s.Cancel(ctx, "acme", id), store.ErrNotFound)
	}
	must(t, h.Close())
	kept := []string{"erase", "erased", "removals", "removals:late", "deliveries", "queue:fetch:places",
		"queue:work:places", "server", "accounts", "account:acme", "accounts:trimmed", "clock", "written",
		"erasures", "erasures:key"}
	for key := range keysOf(t, s) {
		if !slices.Contains(kept, key) {
			t.Errorf("left is %s", key)
		}
	}
	if names := blobsOf(t, s); len(names) > 0 {
		t.Errorf("left are %v", names)
	}
}

// TestDeletionInterrupted wants what a dead process has deleted by half to be removed by another.
func TestDeletionInterrupted(t *testing.T) {
	running := valkeytest.Start(t)
	s, advance := openTimed(t, running.Addr(), t.TempDir())
	ctx := t.Context()
	must(t, s.Create(ctx, fullRecord("one")))
	speak(t, s, "one", 3)
	settle(t, s)
	for i := range 600 {
		must(t, s.Enqueue(ctx, callback("one", fmt.Sprint("event", i))))
	}
	_, err := deleteOnServer(ctx, s, "one")
	must(t, err) // and no more
	_, err = s.Get(ctx, "acme", "one")
	wants(t, err, store.ErrNotFound)
	wants(t, s.Create(ctx, fullRecord("one")), store.ErrExists)
	settle(t, s)
	if len(blobsOf(t, s)) == 0 {
		t.Error("blobs were removed while their deletion may be under way")
	}
	advance(time.Minute)
	settle(t, s)
	if names := blobsOf(t, s); len(names) > 0 {
		t.Errorf("left are %v", names)
	}
	must(t, s.Create(ctx, fullRecord("one")))
}

// TestDeliveriesOfDeletion wants none of a job's deliveries to be settled, put back or sent while
// its deletion is under way.
func TestDeliveriesOfDeletion(t *testing.T) {
	s := openAt(t, valkeytest.Start(t).Addr(), "node")
	ctx := t.Context()
	must(t, s.Create(ctx, fullRecord("one")))
	for i := range 600 { // more than one script removes
		must(t, s.Enqueue(ctx, callback("one", fmt.Sprint("event", i))))
	}
	for range 550 {
		list, err := s.ClaimDeliveries(ctx, time.Minute, 1)
		must(t, err)
		must(t, s.Sent(ctx, list[0]))
	}
	left := claimOne(t, s, time.Minute, "event550")
	pending, err := s.Deliveries(ctx, "acme", store.DeliveryPending, 2)
	must(t, err)
	_, err = deleteOnServer(ctx, s, "one")
	must(t, err) // and no more
	wants(t, s.Redeliver(ctx, pending[1].ID), store.ErrNotFound)
	wants(t, s.Failed(ctx, left, time.Now(), 500, "failed"), store.ErrLost)
	if list, err := s.ClaimDeliveries(ctx, time.Minute, 10); err != nil || len(list) > 0 {
		t.Errorf("claimed %d deliveries of a job that is deleted, %v", len(list), err)
	}
}

// TestClaimedDeliveryOfDeletion is about a claim whose delivery is gone already.
func TestClaimedDeliveryOfDeletion(t *testing.T) {
	s := openAt(t, valkeytest.Start(t).Addr(), "node")
	ctx := t.Context()
	must(t, s.Create(ctx, fullRecord("one")))
	for i := range 600 { // more than one script removes
		must(t, s.Enqueue(ctx, callback("one", fmt.Sprint("event", i))))
	}
	first := claimOne(t, s, time.Minute, "event0")
	_, err := deleteOnServer(ctx, s, "one")
	must(t, err) // and no more
	wants(t, s.Failed(ctx, first, time.Now(), 500, "failed"), store.ErrLost)
}

// TestFolderEmptiedByTwo wants a folder that two nodes empty at the same time to be emptied once
// more later.
func TestFolderEmptiedByTwo(t *testing.T) {
	running, blobs := valkeytest.Start(t), t.TempDir()
	a, advance := openTimed(t, running.Addr(), blobs)
	b := openNode(t, running.Addr(), "b", blobs)
	ctx := t.Context()
	must(t, a.Create(ctx, fullRecord("one")))
	fields, err := a.Conn.Hash(ctx, "record:one")
	must(t, err)
	folder := fields["folder"]
	_, err = deleteOnServer(ctx, a, "one")
	must(t, err) // and the node dies
	must(t, a.RemoveFolder(ctx, folder))
	must(t, b.RemoveFolder(ctx, folder))
	must(t, a.blobs.Put(ctx, folder+"late", blob.Bytes([]byte("of a node that was writing"))))
	advance(tier.Latecomers + time.Second)
	settle(t, a)
	if names := blobsOf(t, a); len(names) > 0 {
		t.Errorf("left are %v", names)
	}
	if keys := keysOf(t, a); keys["removals"]+keys["removals:late"] > 0 {
		t.Error("the folder is to be emptied for ever")
	}
}

// TestLongLists wants lists to be exact that take many scripts.
func TestLongLists(t *testing.T) {
	running := valkeytest.Start(t)
	s := openAt(t, running.Addr(), "node")
	ctx := t.Context()
	const records = 1500
	base := time.UnixMilli(1_700_000_000_000).UTC()
	var hands sync.WaitGroup
	for hand := range 4 {
		hands.Go(func() {
			for i := hand; i < records; i += 4 {
				r := liveRecord(fmt.Sprintf("r%04d", i))
				r.CreatedAt = base.Add(time.Duration(i/3) * time.Millisecond) // three at a time
				r.Status = []messages.Status{messages.StatusQueued, messages.StatusProcessing}[i%2]
				r.CustomMetadata = json.RawMessage(fmt.Sprintf(`{"all":"x","seventh":%d}`, i%7))
				if err := s.Create(ctx, r); err != nil {
					t.Error(err)
				}
			}
		})
	}
	hands.Wait()
	for _, c := range []struct {
		name string
		q    messages.ListQuery
		want func(i int) bool
	}{
		{"all", messages.ListQuery{}, func(int) bool { return true }},
		{"one status", messages.ListQuery{Statuses: []messages.Status{"processing"}},
			func(i int) bool { return i%2 == 1 }},
		{"a rare value", messages.ListQuery{CustomMetadata: messages.Object{"seventh": 3, "all": "x"}},
			func(i int) bool { return i%7 == 3 }},
		{"value and status", messages.ListQuery{
			CustomMetadata: messages.Object{"all": "x"}, Statuses: []messages.Status{"queued"},
			Kinds: []messages.JobKind{"live"},
		}, func(i int) bool { return i%2 == 0 }},
		{"none", messages.ListQuery{CustomMetadata: messages.Object{"all": "x"}, Statuses: []messages.Status{"done"}},
			func(int) bool { return false }},
		{"before", messages.ListQuery{Before: base.Add(100 * time.Millisecond)}, func(i int) bool { return i/3 < 100 }},
		{"after", messages.ListQuery{After: base.Add(100 * time.Millisecond)}, func(i int) bool { return i/3 > 100 }},
	} {
		var want, got []string
		for i := records - 1; i >= 0; i-- {
			if c.want(i) {
				want = append(want, fmt.Sprintf("r%04d", i))
			}
		}
		c.q.Limit = 100
		for more := true; more; c.q.Offset += c.q.Limit {
			var page []store.Listed
			var err error
			page, more, err = s.List(ctx, "acme", c.q)
			must(t, err)
			for _, l := range page {
				got = append(got, l.ID)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d records, want %d", c.name, len(got), len(want))
		}
	}
}

// TestDeletingFreesMemory wants deletion and archives to work where the server is out of memory.
func TestDeletingFreesMemory(t *testing.T) {
	running := valkeytest.Start(t)
	s := openAt(t, running.Addr(), "node")
	ctx := t.Context()
	for _, id := range []string{"one", "two", "three"} {
		must(t, s.Create(ctx, fullRecord(id)))
	}
	speak(t, s, "one", 10)
	speak(t, s, "two", 10)
	uploadOf(t, s, "file", "audio")
	running.Must("CONFIG", "SET", "maxmemory-policy", "noeviction")
	running.Must("CONFIG", "SET", "maxmemory", "1")
	wants(t, s.Create(ctx, fullRecord("four")), store.ErrAway)
	must(t, s.DeleteUpload(ctx, "acme", "file"))
	must(t, s.Delete(ctx, "acme", "one"))
	must(t, s.Cancel(ctx, "acme", "three"))
	must(t, s.upkeep.archiveFinished(ctx))
	must(t, s.upkeep.removeFolders(ctx))
	for _, name := range blobsOf(t, s) {
		if !strings.HasPrefix(name, "r/two/") {
			t.Errorf("left is %s", name)
		}
	}
	if _, err := s.Get(ctx, "acme", "two"); err != nil {
		t.Error(err)
	}
	running.Must("CONFIG", "SET", "maxmemory", "0")
	must(t, s.Create(ctx, fullRecord("four")))
}

// TestCreateAnswerLost wants a record to be made once where the answer was lost.
func TestCreateAnswerLost(t *testing.T) {
	t.Parallel()
	_, proxy, s := behindProxy(t)
	must(t, s.Ping(t.Context()))
	proxy.Deafen()
	later(t, time.Second, proxy.Restore)
	must(t, s.Create(t.Context(), fullRecord("one")))
	wants(t, s.Create(t.Context(), fullRecord("one")), store.ErrExists)
	if _, err := s.Get(t.Context(), "acme", "one"); err != nil {
		t.Error(err)
	}
}

// TestErasure checks that the server rewrites its append-only file after a deletion, so that what
// was deleted is in no file.
func TestErasure(t *testing.T) {
	running := valkeytest.Start(t, "--appendonly", "yes")
	s := openAt(t, running.Addr(), "node")
	ctx := t.Context()
	r := fullRecord("one")
	r.Params = json.RawMessage(`"a secret that is to be forgotten"`)
	must(t, s.Create(ctx, r))
	if !running.Holds("a secret that is to be forgotten") {
		t.Error("the record is in no file of the server")
	}
	must(t, s.Cancel(ctx, "acme", "one"))
	eventually(t, "forgotten", func() bool {
		settle(t, s)
		return !running.Holds("a secret that is to be forgotten")
	})
	must(t, s.Create(ctx, r))
	must(t, s.Cancel(ctx, "acme", "one"))
	settle(t, s)
	if erase, err := s.Client.Do(ctx, s.Client.B().Get().Key(s.Prefix+"erase").Build()).ToString(); err != nil ||
		erase == "" {
		t.Errorf("a second rewrite was asked for at once: %q, %v", erase, err)
	}
}

func TestOpenFails(t *testing.T) {
	dir := t.TempDir()
	_, err := Open(t.Context(), Options{Addr: "127.0.0.1:1", Node: "node", Blobs: dir, Spool: dir + "/spool"})
	if !errors.Is(err, store.ErrAway) {
		t.Errorf("without a server: %v", err)
	}
	if left, err := spoolsIn(dir + "/spool"); err != nil || len(left) > 0 {
		t.Errorf("left is %v, %v", left, err)
	}
	for _, o := range []Options{{Blobs: dir, Spool: dir}, {Node: "a", Spool: dir}, {Node: "a", Blobs: dir}} {
		if _, err := Open(t.Context(), o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}

// TestRecordsOfTier checks that a record is reported as stored only where a replica has it.
func TestRecordsOfTier(t *testing.T) {
	t.Parallel()
	running := valkeytest.Start(t)
	s, err := Open(t.Context(), Options{
		Addr: running.Addr(), Node: "node", Blobs: t.TempDir(), Spool: t.TempDir(), Durability: DurableReplica,
	})
	must(t, err)
	defer s.Close()
	wants(t, s.Create(t.Context(), fullRecord("one")), store.ErrAway)
	w, err := s.NewUpload(t.Context(), "file")
	must(t, err)
	_, err = w.Commit(t.Context(), store.Upload{Account: "acme"})
	wants(t, err, store.ErrAway)
	must(t, w.Discard())
	_, err = s.Upload(t.Context(), "acme", "file")
	wants(t, err, store.ErrNotFound)
}

// A token that was removed stands in no key any more, and the append-only file is to be rewritten
// without it: by its name, after its end, and with the only session that it was for.
func TestRemovedTokensAreGone(t *testing.T) {
	s, err := Open(t.Context(), Options{
		Addr: valkeytest.Start(t).Addr(), Node: "node", Blobs: t.TempDir(), Spool: t.TempDir(),
		Durability: DurableProcess, Erase: -1, // the upkeep would ask for it
	})
	must(t, err)
	defer s.Close()
	ctx := t.Context()
	must(t, s.Create(ctx, fullRecord("held")))
	tokens := []store.Token{}
	for i, life := range []time.Duration{time.Hour, time.Millisecond, time.Hour} {
		now := time.Now().UTC().Truncate(time.Millisecond)
		token := store.Token{
			ID: fmt.Sprintf("token-%d", i), Hash: digest(fmt.Sprint(i)), Account: "acme", Key: digest("key"),
			Name: "for Ada", Scopes: store.ScopeRead,
			Sessions: []string{"held"}, CreatedAt: now, ExpiresAt: now.Add(life),
		}
		must(t, s.AddToken(ctx, token))
		tokens = append(tokens, token)
	}
	time.Sleep(2 * time.Millisecond) // the server's own clock
	must(t, s.RemoveToken(ctx, "acme", tokens[0].ID))
	if err := s.RemoveToken(ctx, "acme", tokens[1].ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("after its end: %v", err)
	}
	if _, due := keysOf(t, s)["erase"]; !due {
		t.Error("nothing is to be erased")
	}
	must(t, s.Cancel(ctx, "acme", "held"))
	for key := range keysOf(t, s) {
		for _, token := range tokens {
			if strings.Contains(key, "token") || strings.Contains(key, token.ID) ||
				strings.Contains(key, hex.EncodeToString(token.Hash)) {
				t.Errorf("%s is left", key)
			}
		}
	}
}
