package seal_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/backup"
	"steno/session/store/embedded"
	"steno/session/store/embedded/embeddedtest"
	"steno/session/store/seal"
	"steno/session/store/valkey"
	"steno/session/store/valkeytest"
)

// place is a store that is backed up and restored.
type place interface {
	back(t *testing.T, w *backup.Writer)
	// restored makes another place of a backup, with what is erased again.
	restored(t *testing.T, from string, m backup.Manifest, lists store.Erasures) place
	prune(t *testing.T, dir string, m backup.Manifest, lists store.Erasures) int
	open(t *testing.T) *seal.Store
	// clear counts where a text is in the clear.
	clear(t *testing.T, text []byte) int
}

// folderPlace is the data folder of an embedded store.
type folderPlace struct{ dir string }

func (p folderPlace) open(t *testing.T) *seal.Store {
	return sealed(t, openEmbedded(t, p.dir), master(t, masterText))
}

func (p folderPlace) back(t *testing.T, w *backup.Writer) {
	_, err := embedded.Backup(t.Context(), p.dir, w)
	must(t, err)
}

func (p folderPlace) restored(t *testing.T, from string, m backup.Manifest, lists store.Erasures) place {
	to := filepath.Join(t.TempDir(), "data")
	must(t, backup.Restore(t.Context(), from, m, to))
	_, err := embedded.EraseAgain(t.Context(), to, lists)
	must(t, err)
	r, err := embedded.Check(t.Context(), to, false)
	must(t, err)
	if len(r.Damages) > 0 {
		t.Errorf("damaged are %v", r.Damages)
	}
	return folderPlace{to}
}

func (p folderPlace) prune(t *testing.T, dir string, m backup.Manifest, lists store.Erasures) int {
	n, err := embedded.Prune(t.Context(), dir, m, lists)
	must(t, err)
	return n
}

func (p folderPlace) clear(t *testing.T, text []byte) int { return traces(t, text, p.dir) }

// sharedPlace is a store on a server.
type sharedPlace struct {
	server  *valkeytest.Server
	options valkey.Options
}

func newSharedPlace(t *testing.T) sharedPlace {
	s := valkeytest.Start(t)
	return sharedPlace{s, valkey.Options{Addr: s.Addr(), Node: "node", Blobs: t.TempDir(), Spool: t.TempDir(),
		Erase: -1}}
}

func (p sharedPlace) open(t *testing.T) *seal.Store {
	inner, err := valkey.Open(t.Context(), p.options)
	must(t, err)
	return sealed(t, inner, master(t, masterText))
}

func (p sharedPlace) back(t *testing.T, w *backup.Writer) {
	_, err := valkey.Backup(t.Context(), p.options, w)
	must(t, err)
}

func (p sharedPlace) restored(t *testing.T, from string, m backup.Manifest, lists store.Erasures) place {
	to := newSharedPlace(t)
	done, err := valkey.Restore(t.Context(), to.options, from, m, lists)
	must(t, err)
	if len(done.Incomplete) > 0 {
		t.Errorf("incomplete are %v", done.Incomplete)
	}
	return to
}

func (p sharedPlace) prune(t *testing.T, dir string, m backup.Manifest, lists store.Erasures) int {
	n, err := valkey.Prune(t.Context(), dir, m, lists)
	must(t, err)
	return n
}

func (p sharedPlace) clear(t *testing.T, text []byte) int {
	n := traces(t, text, p.options.Blobs)
	if p.server.Holds(string(text)) {
		n++
	}
	return n
}

// backUp makes a backup in a folder.
func backUp(t *testing.T, p place, dir string) backup.Manifest {
	t.Helper()
	w, err := backup.Create(dir, backup.DataFolder)
	must(t, err)
	p.back(t, w)
	m, err := w.Close()
	must(t, err)
	return m
}

// keepJob keeps a finished job with a result.
func keepJob(t *testing.T, s store.Store, account, id string) {
	t.Helper()
	at := time.Now().Add(-time.Second)
	must(t, s.Create(t.Context(), store.Record{ID: id, Account: account, Kind: messages.JobPreRecorded,
		Status: messages.StatusDone, CreatedAt: at, CompletedAt: &at, Result: json.RawMessage(`{"of":"` + id + `"}`)}))
}

// What was encrypted is in a backup as sealed as in the store, and is there again once that is
// restored; but for what was erased since: records, parts of them, and all of an account whose key
// was forgotten.
func TestBackups(t *testing.T) {
	for name, p := range map[string]place{
		"embedded": folderPlace{embeddedtest.Folder(t)}, "valkey": newSharedPlace(t),
	} {
		t.Run(name, func(t *testing.T) { backups(t, p) })
	}
}

func backups(t *testing.T, p place) {
	m, ctx, all := newSample(), t.Context(), t.TempDir()
	s := p.open(t)
	m.keep(t, s)
	for _, id := range []string{"erased", "stripped", "kept"} {
		keepJob(t, s, "acme", id)
	}
	keepJob(t, s, "gone", "of-gone")
	settled(t, s)
	must(t, s.Close())
	old := filepath.Join(all, "old")
	first := backUp(t, p, old)
	for _, text := range [][]byte{[]byte(m.word), m.sound[100_000:100_032]} {
		if n := traces(t, text, old); n != 0 {
			t.Errorf("%d files of the backup are in the clear", n)
		}
	}
	lists, err := backup.ReadErasures(old)
	must(t, err)
	s = p.restored(t, old, first, lists).open(t)
	m.check(t, s)
	wantResult(t, s, "acme", "erased", true)
	wantResult(t, s, "gone", "of-gone", true)
	must(t, s.Close())

	s = p.open(t)
	must(t, s.Delete(ctx, "acme", "erased"), s.Strip(ctx, "acme", "stripped", store.PartTranscripts),
		s.Ring().Forget(ctx, "gone"))
	keepJob(t, s, "gone", "of-gone-later") // under another key
	settled(t, s)
	must(t, s.Close())
	second := backUp(t, p, filepath.Join(all, "new"))
	if text, err := os.ReadFile(filepath.Join(all, "new", "erasures.json")); err != nil ||
		bytes.Contains(text, []byte("erased\"}")) || bytes.Contains(text, []byte("acme")) {
		t.Errorf("the list tells what was erased: %s, %v", text, err)
	}
	lists, err = backup.ReadErasures(old)
	must(t, err)
	again := func(m backup.Manifest, from string) *seal.Store {
		s := p.restored(t, filepath.Join(all, from), m, lists).open(t)
		if _, err := s.Get(ctx, "acme", "erased"); err == nil {
			t.Errorf("what was deleted comes back from the %s backup", from)
		}
		wantResult(t, s, "acme", "stripped", false)
		wantResult(t, s, "gone", "of-gone", false)
		wantResult(t, s, "acme", "kept", true)
		return s
	}
	must(t, again(first, "old").Close())
	s = again(second, "new")
	m.check(t, s)
	wantResult(t, s, "gone", "of-gone-later", true)
	must(t, s.Close())
	pruned(t, p, old, first, lists)
}

// pruned wants nothing of a deleted record in a backup that was pruned, also after a second
// call.
func pruned(t *testing.T, p place, dir string, m backup.Manifest, lists store.Erasures) {
	t.Helper()
	before := size(t, dir)
	if n := p.prune(t, dir, m, lists); n == 0 {
		t.Error("nothing was pruned")
	}
	m, err := backup.Open(dir)
	must(t, err, backup.Verify(t.Context(), dir, m))
	if n := p.prune(t, dir, m, lists); n > 3 || size(t, dir) > before+1<<20 {
		t.Errorf("pruned again are %d; %d bytes, before %d", n, size(t, dir), before)
	}
	m, err = backup.Open(dir)
	must(t, err)
	moved := filepath.Join(t.TempDir(), "moved") // where no other list is beside it
	must(t, os.Rename(dir, moved))
	lists, err = backup.ReadErasures(moved)
	must(t, err)
	s := p.restored(t, moved, m, lists).open(t)
	if _, err := s.Get(t.Context(), "acme", "erased"); err == nil {
		t.Error("what was deleted comes back from a pruned backup")
	}
	wantResult(t, s, "acme", "stripped", false)
	wantResult(t, s, "gone", "of-gone", false)
	wantResult(t, s, "acme", "kept", true)
	must(t, s.Close())
}

// size is how many bytes the files of a folder have.
func size(t *testing.T, dir string) (n int64) {
	must(t, filepath.Walk(dir, func(_ string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			n += info.Size()
		}
		return err
	}))
	return n
}

func wantResult(t *testing.T, s store.Store, account, id string, there bool) {
	t.Helper()
	r, err := s.Get(t.Context(), account, id)
	must(t, err)
	if want := `{"of":"` + id + `"}`; there && string(r.Result) != want || !there && r.Result != nil {
		t.Errorf("the result of %s is %s", id, r.Result)
	}
}

// settled waits until what has ended has left the server for blob storage.
func settled(t *testing.T, s *seal.Store) {
	t.Helper()
	inner, ok := s.Inner.(*valkey.Store)
	if !ok {
		return
	}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		inner.Records.Erase() // begins a round of the upkeep
		n, err := inner.Client.Do(t.Context(), inner.Client.B().Zcard().Key(inner.Prefix+"archive").Build()).AsInt64()
		must(t, err)
		if n == 0 {
			return
		}
	}
	t.Fatal("not archived")
}

// A server that has lost everything is given again what blob storage describes, as sealed as it
// was.
func TestRebuild(t *testing.T) {
	p, m := newSharedPlace(t), newSample()
	s := p.open(t)
	m.keep(t, s)
	settled(t, s)
	must(t, s.Close())
	p.server.Must("FLUSHALL")
	done, err := valkey.Rebuild(t.Context(), p.options)
	must(t, err)
	if done.Records != 1 || done.Uploads != 1 || len(done.Incomplete) > 0 {
		t.Errorf("rebuilt are %+v", done)
	}
	s = p.open(t)
	m.check(t, s)
	must(t, s.Close())
	if n := p.clear(t, []byte(m.word)) + p.clear(t, m.sound[100_000:100_032]); n != 0 {
		t.Error("something is in the clear")
	}
}

// A database with damaged pages is repaired without the keys of accounts: what can be read of it
// stays sealed, and can be opened.
func TestRepair(t *testing.T) {
	dir, m := embeddedtest.Folder(t), newSample()
	s := sealed(t, openEmbedded(t, dir), master(t, masterText))
	m.keep(t, s)
	for i := range 200 { // so that there are pages with nothing else
		keepJob(t, s, "acme", fmt.Sprintf("job-%d", i))
	}
	must(t, s.Close())
	path := filepath.Join(dir, "steno.db")
	content, err := os.ReadFile(path)
	must(t, err)
	text := []byte("job-150")
	at := bytes.Index(content, text)
	if at < 0 {
		t.Fatal("the job is nowhere")
	}
	page := at / 4096 * 4096
	copy(content[page:page+4096], bytes.Repeat([]byte{0x5A}, 4096))
	must(t, os.WriteFile(path, content, 0o600))
	r, err := embedded.Check(t.Context(), dir, true)
	must(t, err)
	if len(r.Damages) == 0 || len(r.Repaired) == 0 {
		t.Fatalf("the check has found %+v", r)
	}
	s = sealed(t, openEmbedded(t, dir), master(t, masterText))
	m.check(t, s)
	wantResult(t, s, "acme", "job-1", true)
	must(t, s.Close())
	if n := traces(t, []byte(m.word), dir) + traces(t, m.sound[100_000:100_032], dir); n != 0 {
		t.Errorf("%d files hold what is sealed", n)
	}
}
