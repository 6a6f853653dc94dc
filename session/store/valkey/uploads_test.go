package valkey

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"steno/session/store"
	"steno/session/store/valkey/tier"
	"steno/session/store/valkey/uploads"
	"steno/session/store/valkeytest"
)

// spoolsIn lists the folders of processes.
func spoolsIn(parent string) ([]string, error) {
	return filepath.Glob(filepath.Join(parent, "*process-*"))
}

// uploadOf makes an upload of account "acme".
func uploadOf(t *testing.T, s *Store, id, content string) {
	t.Helper()
	w, err := s.NewUpload(t.Context(), id)
	must(t, err)
	_, err = io.WriteString(w, content)
	must(t, err)
	_, err = w.Commit(t.Context(), store.Upload{Account: "acme", CreatedAt: time.Now()})
	must(t, err)
}

func TestCopies(t *testing.T) {
	running := valkeytest.Start(t)
	s := openAt(t, running.Addr(), "node")
	content := strings.Repeat("audio ", 100_000)
	uploadOf(t, s, "file", content)
	local := func() int {
		t.Helper()
		files, err := os.ReadDir(s.spool.Dir)
		must(t, err)
		return len(files) - 1 // the lock
	}
	if local() != 0 {
		t.Error("the upload's local file is left")
	}
	var readers sync.WaitGroup
	for i := range 16 {
		readers.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if i%4 == 0 {
				cancel()
			}
			f, err := s.OpenUpload(ctx, "acme", "file")
			if err != nil {
				if i%4 != 0 {
					t.Error(err)
				}
				return
			}
			got, err := io.ReadAll(f)
			copied, pathErr := os.ReadFile(f.Path())
			if string(got) != content || string(copied) != content || errors.Join(err, pathErr) != nil {
				t.Errorf("read %d and %d bytes, %v, %v", len(got), len(copied), err, pathErr)
			}
			if local() != 1 {
				t.Errorf("%d local files", local())
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			if f.Close() == nil {
				t.Error("closed twice without an error")
			}
		})
	}
	readers.Wait()
	if local() != 0 {
		t.Errorf("%d local files are left", local())
	}
	f, err := s.OpenUpload(t.Context(), "acme", "file")
	must(t, err)
	must(t, s.DeleteUpload(t.Context(), "acme", "file"))
	if local() != 0 {
		t.Error("the copy of what was deleted is left")
	}
	must(t, f.Close())
}

// TestUploadOfDeadProcess wants bytes that were sent to blob storage and never committed to be
// removed after a while.
func TestUploadOfDeadProcess(t *testing.T) {
	running := valkeytest.Start(t)
	s, advance := openTimed(t, running.Addr(), t.TempDir())
	ctx := t.Context()
	folder := tier.NewFolder("u", "file")
	_, err := s.Conn.Run(ctx, uploads.Scripts.Script("upload_begin"), folder)
	must(t, err)
	must(t, s.blobs.Put(ctx, folder+tier.UploadBlob, tier.Section([]byte("audio"))))
	settle(t, s)
	if len(blobsOf(t, s)) != 1 {
		t.Error("an upload that is arriving was removed")
	}
	advance(arrivalTime + time.Minute)
	settle(t, s)
	if names := blobsOf(t, s); len(names) > 0 {
		t.Errorf("left are %v", names)
	}
	_, err = s.Conn.Run(ctx, uploads.Scripts.Script("upload_commit", "record"), "file", folder, "0", "account", "acme",
		"size", "5")
	wants(t, err, store.ErrLost) // the process was not dead but slow
}

// TestCommitWithoutAnswer wants the commit of an upload to be made once, or not at all, while the
// server answers nothing.
func TestCommitWithoutAnswer(t *testing.T) {
	t.Parallel()
	_, proxy, s := behindProxy(t)
	w, err := s.NewUpload(t.Context(), "file")
	must(t, err)
	_, err = io.WriteString(w, "audio")
	must(t, err)
	proxy.Deafen()
	later(t, time.Second, proxy.Restore)
	_, err = w.Commit(t.Context(), store.Upload{Account: "acme", CreatedAt: time.Now()})
	must(t, err)
	must(t, w.Discard())
	again, err := s.NewUpload(t.Context(), "other")
	must(t, err)
	proxy.Cut()
	if _, err := again.Commit(t.Context(), store.Upload{Account: "acme"}); !errors.Is(err, store.ErrAway) {
		t.Errorf("commit without a server: %v", err)
	}
	must(t, again.Discard())
	proxy.Restore()
	eventually(t, "connected again", func() bool { return s.Ping(t.Context()) == nil })
	if names := blobsOf(t, s); len(names) != 2 {
		t.Errorf("there are %v", names)
	}
	_, err = s.Upload(t.Context(), "acme", "other")
	wants(t, err, store.ErrNotFound)
}

func TestTwoNodesUpload(t *testing.T) {
	running := valkeytest.Start(t)
	dir := t.TempDir()
	must(t, os.Mkdir(dir+"/blobs", 0o700))
	var nodes []*Store
	for _, name := range []string{"a", "b"} {
		s, err := Open(t.Context(), Options{Addr: running.Addr(), Node: name, Blobs: dir + "/blobs", Spool: dir +
			"/spool"})
		must(t, err)
		defer s.Close()
		nodes = append(nodes, s)
	}
	first, err := nodes[0].NewUpload(t.Context(), "file")
	must(t, err)
	second, err := nodes[1].NewUpload(t.Context(), "file")
	must(t, err)
	_, err = io.WriteString(first, "first")
	must(t, err)
	_, err = first.Commit(t.Context(), store.Upload{Account: "acme"})
	must(t, err)
	_, err = second.Commit(t.Context(), store.Upload{Account: "acme"})
	wants(t, err, store.ErrExists)
	must(t, second.Discard())
	f, err := nodes[1].OpenUpload(t.Context(), "acme", "file")
	must(t, err)
	got, err := io.ReadAll(f)
	if string(got) != "first" || err != nil {
		t.Errorf("the upload is %q, %v", got, err)
	}
	must(t, f.Close())
	if names := blobsOf(t, nodes[0]); len(names) != 2 {
		t.Errorf("there are %v", names)
	}
}
