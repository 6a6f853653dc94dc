package uploads

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"steno/session/store/blob"
	"steno/session/store/valkey/tier"
)

func TestSpoolOfDeadProcess(t *testing.T) {
	parent := t.TempDir()
	dead, err := OpenSpool(parent)
	if err != nil {
		t.Fatal(err)
	}
	f, err := dead.create()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	alive, err := OpenSpool(parent)
	if err != nil {
		t.Fatal(err)
	}
	if err := dead.lock.Close(); err != nil { // as the end of a process does
		t.Fatal(err)
	}
	third, err := OpenSpool(parent)
	if err != nil {
		t.Fatal(err)
	}
	if left, err := filepath.Glob(filepath.Join(parent, "process-*")); err != nil || len(left) != 2 {
		t.Errorf("there are %v, %v", left, err)
	}
	if free, err := third.Free(); free <= 0 || err != nil {
		t.Errorf("room is %d, %v", free, err)
	}
	if err := alive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := third.Close(); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(parent); len(left) > 0 {
		t.Errorf("left are %v", left)
	}
}

// TestCopiesAreForgotten wants nothing of a copy to stay when its last user has given it back.
func TestCopiesAreForgotten(t *testing.T) {
	bucket, err := blob.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer bucket.Close()
	spool, err := OpenSpool(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer spool.Close()
	if err := bucket.Put(t.Context(), "u/a/b/"+tier.UploadBlob, blob.Bytes([]byte("audio"))); err != nil {
		t.Fatal(err)
	}
	c := &copies{blobs: bucket, spool: spool, open: map[string]*localCopy{}}
	for range 2 {
		first, f, err := c.get(t.Context(), "u/a/b/")
		if err != nil {
			t.Fatal(err)
		}
		second, g, err := c.get(t.Context(), "u/a/b/")
		if err != nil || first != second {
			t.Fatalf("two copies of one upload, %v", err)
		}
		if err := errors.Join(f.Close(), g.Close(), c.put("u/a/b/", first), c.put("u/a/b/", second)); err != nil {
			t.Fatal(err)
		}
		if len(c.open) != 0 {
			t.Errorf("%d copies are left", len(c.open))
		}
	}
}
