package valkey

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/blob/blobtest"
	"steno/session/store/valkey/tier"
	"steno/session/store/valkeytest"
)

// whole is what clients can have of a record.
type whole struct {
	record store.Record
	events []messages.Event
	audio  string
	upload store.Upload
	listed int64 // bytes
}

// wholeOf reads all of a record.
func wholeOf(t *testing.T, s *Store, id string) (w whole) {
	t.Helper()
	ctx := t.Context()
	w.record = jobRecord(t, s, id)
	var err error
	w.events, err = s.Events(ctx, "acme", id, 0, 1000)
	must(t, err)
	var file io.ReadCloser
	if w.record.Upload != "" {
		w.upload, err = s.Upload(ctx, "acme", w.record.Upload)
		must(t, err)
		file, err = s.OpenUpload(ctx, "acme", w.record.Upload)
	} else {
		file, err = s.OpenAudio(ctx, "acme", id)
	}
	must(t, err)
	audio, err := io.ReadAll(file)
	must(t, err)
	must(t, file.Close())
	w.audio = string(audio)
	page, _, err := s.List(ctx, "acme", messages.ListQuery{})
	must(t, err)
	for _, l := range page {
		if l.ID == id {
			w.listed = l.Bytes
		}
	}
	return w
}

// openBlobs opens a store whose blobs are at an address.
func openBlobs(t *testing.T, addr, blobs string) *Store {
	t.Helper()
	s, err := Open(t.Context(), Options{
		Addr: addr, Node: "node", Blobs: blobs, Spool: t.TempDir(), Lease: testLease, ResumeWindow: testLease,
		Failed: func(err error) { t.Error(err) },
	})
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}

// fillStore makes a large and a small session, one with an event after its archive, a job with an
// upload, one that is deleted, and a key.
func fillStore(t *testing.T, s *Store) (ids []string) {
	t.Helper()
	ctx := t.Context()
	must(t, s.AddKey(ctx, store.Key{Hash: bytes.Repeat([]byte{7}, 32), Account: "acme", Name: "tests",
		CreatedAt: time.UnixMilli(5).UTC()}))
	must(t, s.AddKey(ctx, store.Key{Hash: bytes.Repeat([]byte{8}, 32), Account: "acme",
		CreatedAt: time.UnixMilli(6).UTC()}))
	must(t, s.RemoveKey(ctx, bytes.Repeat([]byte{8}, 32)))
	must(t, s.AddSecret(ctx, store.Secret{Account: "acme", Text: "whsec_old", CreatedAt: time.UnixMilli(5).UTC()}))
	must(t, s.AddSecret(ctx, store.Secret{Account: "acme", Text: "whsec_new", CreatedAt: time.UnixMilli(6).UTC()}))
	for _, id := range []string{"large", "deleted"} {
		must(t, s.Create(ctx, fullRecord(id)))
		speak(t, s, id, 300)
	}
	n := node{s, t}
	n.create("small")
	l := n.claim("small", store.IfFree)
	appendAudio(t, l, 3200)
	logEvent(t, l, "final")
	settled(t, l)
	must(t, l.Finish(ctx, store.Outcome{Result: json.RawMessage(`{"a":"\u00e4"}`), Seconds: 0.1}))
	must(t, l.Close())
	must(t, s.Enqueue(ctx, store.Delivery{Account: "acme", Job: "small", Seq: 1, Event: "e", URL: "http://x",
		Method: "POST", Body: []byte("{}")}))
	uploadOf(t, s, "file", "some audio")
	job := liveRecord("job")
	job.Kind, job.Upload, job.Status = messages.JobPreRecorded, "file", messages.StatusQueued
	must(t, s.Create(ctx, job))
	leased, _, err := s.LeaseJob(ctx, "node", time.Minute, store.Want{})
	must(t, err)
	must(t, s.FinishJob(ctx, leased, store.Outcome{Result: json.RawMessage(`{"text":"` + strings.Repeat("x", 5000) +
		`"}`)}))
	settle(t, s)
	late := n.claim("small", store.IfFree)
	logEvent(t, late, "late")
	settled(t, late)
	must(t, late.Close())
	must(t, s.Delete(ctx, "acme", "deleted"))
	settle(t, s)
	return []string{"large", "small", "job"}
}

// TestRebuild removes everything from a server and restores it from blob storage.
func TestRebuild(t *testing.T) {
	for name, blobs := range map[string]func() string{
		"folder": func() string { return t.TempDir() }, "bucket": func() string { return blobtest.S3(t, nil) },
	} {
		t.Run(name, func(t *testing.T) {
			server, blobs := valkeytest.Start(t), blobs()
			o := Options{Addr: server.Addr(), Node: "tool", Blobs: blobs}
			s := openBlobs(t, server.Addr(), blobs)
			ids := fillStore(t, s)
			before := map[string]whole{}
			for _, id := range ids {
				before[id] = wholeOf(t, s, id)
			}
			if n := len(before["small"].events); n != 2 {
				t.Fatalf("the small session has %d events", n)
			}
			server.Must("FLUSHALL")
			// A key that is made before the rest is back does not replace it.
			must(t, s.AddKey(t.Context(), store.Key{Hash: bytes.Repeat([]byte{9}, 32), Account: "acme",
				CreatedAt: time.UnixMilli(7).UTC()}))
			must(t, s.upkeep.round(t.Context()))
			done, err := Rebuild(t.Context(), o)
			must(t, err)
			if want := (Rebuilt{Records: 3, Uploads: 1, Keys: 1, Secrets: 2}); !reflect.DeepEqual(done, want) {
				t.Errorf("rebuilt are %+v", done)
			}
			for _, id := range ids {
				if after := wholeOf(t, s, id); !reflect.DeepEqual(after, before[id]) {
					t.Errorf("%s is\n%.700v, was\n%.700v", id, after, before[id])
				}
			}
			stateAfterRebuild(t, s)
			again, err := Rebuild(t.Context(), o)
			must(t, err)
			if again.There != 4 || again.Records+again.Uploads+again.Keys+again.Secrets > 0 {
				t.Errorf("the second time rebuilt are %+v", again)
			}
			for _, id := range ids {
				must(t, s.Delete(t.Context(), "acme", id))
			}
			if done, err := Rebuild(t.Context(), o); err != nil || done.Records+done.Uploads > 0 {
				t.Errorf("after their deletion rebuilt are %+v, %v", done, err)
			}
		})
	}
}

// stateAfterRebuild looks at what is no record.
func stateAfterRebuild(t *testing.T, s *Store) {
	t.Helper()
	ctx := t.Context()
	_, err := s.Get(ctx, "acme", "deleted")
	wants(t, err, store.ErrNotFound)
	byToken, err := s.ByToken(ctx, fullRecord("large").TokenHash)
	if err != nil || byToken.ID != "large" {
		t.Errorf("by its token %q is found, %v", byToken.ID, err)
	}
	page, _, err := s.List(ctx, "acme", messages.ListQuery{CustomMetadata: messages.Object{"customer": "c-17"}})
	if err != nil || len(page) != 1 || page[0].ID != "large" {
		t.Errorf("by its metadata %v is found, %v", page, err)
	}
	later := store.Expired{Before: time.Now().Add(time.Hour)}
	if finished, err := s.Expired(ctx, later, 10); err != nil || len(finished) != 3 {
		t.Errorf("finished are %v, %v", finished, err)
	}
	keys, err := s.ListKeys(ctx)
	if err != nil || len(keys) != 2 || keys[0].Name != "tests" {
		t.Errorf("keys are %v, %v", keys, err)
	}
	secrets, err := s.Secrets(ctx, "acme")
	if err != nil || len(secrets) != 2 || secrets[0].Text != "whsec_new" {
		t.Errorf("secrets are %v, %v", secrets, err)
	}
	if seq, err := s.LastSeq(ctx, "acme", "small"); err != nil || seq != 1 {
		t.Errorf("the last callback is of event %d, %v", seq, err)
	}
	if _, wholeLog, err := s.AccountEvents(ctx, "acme", 1, 10); err != nil || wholeLog {
		t.Errorf("the account's log lacks nothing? %v", err)
	}
	states := slices.DeleteFunc(blobsOf(t, s), func(name string) bool { return !strings.HasPrefix(name, "state/") })
	if len(states) != 1 {
		t.Errorf("keys are in %v", states)
	}
}

// TestRebuildIncomplete rebuilds what blob storage has lost some objects of.
func TestRebuildIncomplete(t *testing.T) {
	server, blobs := valkeytest.Start(t), t.TempDir()
	s := openBlobs(t, server.Addr(), blobs)
	fillStore(t, s)
	for _, name := range blobsOf(t, s) {
		if strings.Contains(name, "/large/") && path.Ext(name) == ".zip" || strings.Contains(name, "/small/") &&
			strings.Contains(name, "journal-") {
			must(t, s.blobs.Delete(t.Context(), name))
		}
	}
	server.Must("FLUSHALL")
	done, err := Rebuild(t.Context(), Options{Addr: server.Addr(), Node: "tool", Blobs: blobs})
	must(t, err)
	if done.Records != 2 || len(done.Incomplete) != 2 || !strings.HasPrefix(done.Incomplete[0],
		"large: missing is r/large/") {
		t.Errorf("rebuilt are %+v", done)
	}
	_, err = s.OpenAudio(t.Context(), "acme", "small")
	wants(t, err, store.ErrMissing)
}

// TestDescribeOld describes what a version has archived that knew no descriptions.
func TestDescribeOld(t *testing.T) {
	server, blobs := valkeytest.Start(t), t.TempDir()
	s := openBlobs(t, server.Addr(), blobs)
	ids := fillStore(t, s)
	for _, id := range ids {
		server.Must("HDEL", "{steno}:record:"+id, "described")
		for _, name := range blobsOf(t, s) {
			if path.Base(name) == tier.RecordDescription {
				must(t, s.blobs.Delete(t.Context(), name))
			}
		}
	}
	other := openBlobs(t, server.Addr(), blobs)
	eventually(t, "all are described", func() bool {
		return strings.Count(fmt.Sprint(blobsOf(t, other)), tier.RecordDescription) == len(ids)
	})
}
