package embedded

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/embedded/journal"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(childVariable); dir != "" {
		os.Exit(runChild(dir))
	}
	if dir := os.Getenv(visitorVariable); dir != "" {
		os.Exit(visit(dir))
	}
	goleak.VerifyTestMain(m)
}

func openIn(t testing.TB, dir string) *Store {
	t.Helper()
	s, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func newRecord(id string) store.Record {
	return store.Record{
		ID: id, Account: "acme", Kind: messages.JobLive, Status: messages.StatusQueued,
		CreatedAt: time.UnixMilli(1e12), Channels: 1,
	}
}

func claimNew(t testing.TB, s *Store, id string) store.Live {
	t.Helper()
	if err := s.Create(t.Context(), newRecord(id)); err != nil {
		t.Fatal(err)
	}
	l, err := s.Claim(t.Context(), id, store.IfFree)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestOneProcess(t *testing.T) {
	dir := t.TempDir()
	s := openIn(t, dir)
	if _, err := Open(t.Context(), dir); !errors.Is(err, ErrInUse) || !strings.Contains(err.Error(), dir) {
		t.Fatalf("error is %v, want ErrInUse with the folder", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := openIn(t, dir).Close(); err != nil {
		t.Fatal(err)
	}
}

// TestCloseTakesHandles finds the claims given back and no file left open.
func TestCloseTakesHandles(t *testing.T) {
	files := openFiles(t)
	dir := t.TempDir()
	s := openIn(t, dir)
	first, second := claimNew(t, s, "first"), claimNew(t, s, "second")
	upload := beginUpload(t, s, "file", "audio")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, l := range []store.Live{first, second} {
		if err := l.AppendAudio(t.Context(), []byte("a")); !errors.Is(err, store.ErrLost) {
			t.Errorf("error is %v, want ErrLost", err)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := upload.Write([]byte("more")); !errors.Is(err, store.ErrLost) {
		t.Errorf("error is %v, want ErrLost", err)
	}
	if err := upload.Discard(); err != nil {
		t.Error(err)
	}
	if now := openFiles(t); now > files {
		t.Errorf("%d files are open, %d were", now, files)
	}
}

func openFiles(t *testing.T) int {
	t.Helper()
	all, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("cannot count open files: ", err)
	}
	return len(all)
}

// TestInterruptedDeletion opens a store whose process died between removing a session's rows and
// its files.
func TestInterruptedDeletion(t *testing.T) {
	dir := t.TempDir()
	s := openIn(t, dir)
	l := claimNew(t, s, "job")
	folder := s.folder("job")
	if err := errors.Join(l.AppendAudio(t.Context(), []byte("secret")), l.Finish(t.Context(), store.Outcome{}),
		l.Close()); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{`INSERT INTO removals (id, account) VALUES ('job', 'acme')`,
		`DELETE FROM records`} {
		if _, err := s.write.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(folder, journal.AudioFile)); err != nil {
		t.Fatal("audio is gone too early: ", err)
	}
	s = openIn(t, dir)
	if _, err := os.Stat(folder); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("folder is there: %v", err)
	}
	var left int
	if err := s.read.QueryRow(`SELECT count(*) FROM removals`).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d removals left, %v", left, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestKeysBesideServer(t *testing.T) {
	ctx, dir := t.Context(), filepath.Join(t.TempDir(), "new")
	hash := func(c string) []byte { return []byte(strings.Repeat(c, 32)) }
	add := func(c string) {
		t.Helper()
		k, err := OpenKeys(ctx, dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(k.AddKey(ctx, store.Key{Hash: hash(c), Account: "acme", CreatedAt: time.Now()}),
			k.Close()); err != nil {
			t.Fatal(err)
		}
	}
	add("1") // no server, no folder
	s := openIn(t, dir)
	add("2") // beside it
	for _, c := range []string{"1", "2"} {
		if k, err := s.Key(ctx, hash(c)); err != nil || k.Account != "acme" {
			t.Errorf("key %s: account is %q, %v", c, k.Account, err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
