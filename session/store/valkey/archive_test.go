package valkey

import (
	"context"
	"errors"
	"io"
	"path"
	"strings"
	"sync"
	"testing"
	"time"

	"steno/session/store"
	"steno/session/store/valkey/tier"
	"steno/session/store/valkeytest"
)

var errTest = errors.New("blob storage is away")

// refusingBlobs takes no object whose name begins with a word.
type refusingBlobs struct {
	tier.Blobs
	word string
}

func (b *refusingBlobs) Put(ctx context.Context, name string, body *io.SectionReader) error {
	if strings.HasPrefix(path.Base(name), b.word) {
		return errTest
	}
	return b.Blobs.Put(ctx, name, body)
}

// hookedBlobs calls before each object that is written.
type hookedBlobs struct {
	tier.Blobs
	before func()
}

func (b *hookedBlobs) Put(ctx context.Context, name string, body *io.SectionReader) error {
	b.before()
	return b.Blobs.Put(ctx, name, body)
}

// A session that cannot be archived is tried again every minute: what the tries have written does
// not stay in blob storage.
func TestArchivesThatFail(t *testing.T) {
	n := openNode(t, valkeytest.Start(t).Addr(), "node", t.TempDir())
	real := n.Tier.Blobs
	n.Tier.Blobs = &refusingBlobs{Blobs: real, word: "journal-"}
	n.create("job")
	l := n.claim("job", store.IfFree)
	appendAudio(t, l, 3200)
	logEvent(t, l, "final")
	settled(t, l)
	must(t, l.Finish(t.Context(), store.Outcome{}))
	must(t, l.Close())
	for range 3 {
		wants(t, n.Tier.Archive(t.Context(), "job"), errTest)
	}
	if names := blobsOf(t, n.Store); len(names) != 0 {
		t.Errorf("in blob storage are %v", names)
	}
	n.Tier.Blobs = real
	must(t, n.Tier.Archive(t.Context(), "job"))
	if names := blobsOf(t, n.Store); len(names) != 2 {
		t.Errorf("in blob storage are %v", names)
	}
	n.hasAudio("job", 3200)
}

// A session that is deleted while it is archived is no fault of the store: nothing is reported, and
// nothing of it stays.
func TestDeletedWhileArchived(t *testing.T) {
	n := openNode(t, valkeytest.Start(t).Addr(), "node", t.TempDir())
	n.create("job")
	l := n.claim("job", store.IfFree)
	appendAudio(t, l, 3200)
	logEvent(t, l, "final")
	settled(t, l)
	must(t, l.Finish(t.Context(), store.Outcome{}))
	must(t, l.Close())
	real := n.Tier.Blobs
	n.Tier.Blobs = &hookedBlobs{real, sync.OnceFunc(func() { must(t, n.Delete(t.Context(), "acme", "job")) })}
	must(t, n.upkeep.archiveOne(t.Context(), "job"))
	// The store's own goroutine may have been archiving it, too.
	eventually(t, "nothing is left", func() bool { return len(blobsOf(t, n.Store)) == 0 })
}

// What somebody has removed from blob storage is missing: neither empty nor a job that is not
// found.
func TestMissingObjects(t *testing.T) {
	n := openNode(t, valkeytest.Start(t).Addr(), "node", t.TempDir())
	n.create("job")
	l := n.claim("job", store.IfFree)
	appendAudio(t, l, 3200)
	logEvent(t, l, "final")
	settled(t, l)
	must(t, l.Finish(t.Context(), store.Outcome{Seconds: 0.1}))
	must(t, l.Close())
	must(t, n.Tier.Archive(t.Context(), "job"))
	w, err := n.NewUpload(t.Context(), "file")
	must(t, err)
	_, err = w.Write([]byte("audio"))
	must(t, err)
	_, err = w.Commit(t.Context(), store.Upload{Account: "acme"})
	must(t, err)
	for _, name := range blobsOf(t, n.Store) {
		must(t, n.Tier.Blobs.Delete(t.Context(), name))
	}
	_, err = n.OpenAudio(t.Context(), "acme", "job")
	wants(t, err, store.ErrMissing)
	_, err = n.OpenUpload(t.Context(), "acme", "file")
	wants(t, err, store.ErrMissing)
	_, err = n.OpenAudio(t.Context(), "acme", "none")
	wants(t, err, store.ErrNotFound)
}

// TestArchiveOfJob wants a pre-recorded job to leave nothing of a session, which it has not.
func TestArchiveOfJob(t *testing.T) {
	s := openAt(t, valkeytest.Start(t).Addr(), "node")
	addJob(t, s, "job")
	must(t, s.FinishJob(t.Context(), lease(t, s, time.Minute, "job"), store.Outcome{}))
	settle(t, s)
	keys := keysOf(t, s)
	for _, key := range []string{"session:job", "removals:late", "archive"} {
		if keys[key] > 0 {
			t.Errorf("left is %s", key)
		}
	}
}
