package embedded

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"steno/session/store"
)

// TestDeletedIsGone leaves words of many jobs in every place that has any, deletes each other job,
// and looks through all bytes of the folder: while the store is open, and after it was closed. What
// was kept is as it was.
func TestDeletedIsGone(t *testing.T) {
	dir := t.TempDir()
	s := openIn(t, dir)
	all := leaveTraces(t, s, 60)
	before := keptRecords(t, s, all)
	deleteEven(t, s, all)
	fatal(t, s.awaitErased(t.Context()))
	findTraces(t, dir, all, "open")
	if after := keptRecords(t, s, all); !reflect.DeepEqual(after, before) {
		t.Error("records that were kept have changed")
	}
	var verdict string
	if err := s.read.QueryRow(`PRAGMA integrity_check`).Scan(&verdict); err != nil || verdict != "ok" {
		t.Errorf("database is %s, %v", verdict, err)
	}
	fatal(t, s.Close())
	findTraces(t, dir, all, "closed")
}

// TestClosedErased deletes and closes immediately after.
func TestClosedErased(t *testing.T) {
	dir := t.TempDir()
	s := openIn(t, dir)
	all := leaveTraces(t, s, 20)
	deleteEven(t, s, all)
	fatal(t, s.Close())
	findTraces(t, dir, all, "closed")
}

// TestErasedAfterDeath opens the files of a process that died between a deletion and its erasure.
func TestErasedAfterDeath(t *testing.T) {
	dir, dead := t.TempDir(), t.TempDir()
	s := openIn(t, dir)
	all := leaveTraces(t, s, 20)
	for i := 0; i < len(all); i += 2 {
		fatal(t, s.inTx(t.Context(), func(tx *sql.Tx) error {
			_, err := deleteIn(t.Context(), tx, "acme", all[i].id, true)
			return err
		}))
	}
	fatal(t, os.CopyFS(dead, os.DirFS(dir)), s.Close())
	s = openIn(t, dead)
	fatal(t, s.awaitErased(t.Context()))
	findTraces(t, dead, all, "opened again")
	fatal(t, s.Close())
}

// TestPrunedIsGone prunes deliveries that were sent.
func TestPrunedIsGone(t *testing.T) {
	dir := t.TempDir()
	s := openIn(t, dir)
	w := &traces{id: "pruned", next: rand.New(rand.NewPCG(3, 4))}
	fatal(t, s.Create(t.Context(), newRecord("job")))
	for seq := range int64(20) { // 0 stands for no event, its row stays
		d := newDelivery(seq, "e")
		d.URL, d.Body = "https://host/"+w.text(10), []byte(w.some())
		fatal(t, s.Enqueue(t.Context(), d))
		due, err := s.ClaimDeliveries(t.Context(), time.Minute, 1)
		fatal(t, err, s.Sent(t.Context(), due[0]))
	}
	if n, err := s.PruneDeliveries(t.Context(), time.Now().Add(time.Hour)); n != 20 || err != nil {
		t.Fatalf("pruned %d, %v", n, err)
	}
	fatal(t, s.awaitErased(t.Context()))
	findTraces(t, dir, []*traces{w}, "pruned")
	fatal(t, s.Close())
}

// TestRemovedTokensAreGone removes tokens in every way: by their names, one of them after its end,
// with their key, and when another is added after their end.
func TestRemovedTokensAreGone(t *testing.T) {
	dir := t.TempDir()
	s := openIn(t, dir)
	w := &traces{id: "token", next: rand.New(rand.NewPCG(7, 8))}
	add := func(key byte, life time.Duration) store.Token {
		token := traceToken(w)
		token.Key, token.ExpiresAt = bytes.Repeat([]byte{key}, 32), token.CreatedAt.Add(life)
		fatal(t, s.AddToken(t.Context(), token))
		return token
	}
	fatal(t, s.RemoveToken(t.Context(), "acme", add(1, time.Hour).ID))
	if err := s.RemoveToken(t.Context(), "acme", add(1, 0).ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("removed after its end: %v", err)
	}
	fatal(t, s.AddKey(t.Context(), store.Key{Hash: bytes.Repeat([]byte{2}, 32), Account: "acme",
		CreatedAt: time.Now()}))
	add(2, time.Hour)
	fatal(t, s.RemoveKey(t.Context(), bytes.Repeat([]byte{2}, 32)))
	add(3, 0)
	last := traceToken(&traces{id: "last", next: w.next})
	fatal(t, s.AddToken(t.Context(), last), s.awaitErased(t.Context()))
	findTraces(t, dir, []*traces{w}, "removed")
	fatal(t, s.Close())
}

// TestOldFreePages opens a database of which an earlier program deleted.
func TestOldFreePages(t *testing.T) {
	dir := t.TempDir()
	makeOld(t, dir, 3)
	db, err := connect(filepath.Join(dir, "steno.db"), false)
	fatal(t, err)
	w := &traces{id: "earlier", next: rand.New(rand.NewPCG(5, 6))}
	for range 50 {
		_, err := db.Exec(`INSERT INTO events (account, record, seq, kind, key, body) VALUES ('acme', 1, ?, 1, ?, ?)`,
			10+len(w.words), w.text(1), []byte(w.some()))
		fatal(t, err)
	}
	for _, statement := range []string{`PRAGMA secure_delete = 0`, `DELETE FROM events`} {
		_, err := db.Exec(statement)
		fatal(t, err)
	}
	fatal(t, db.Close())
	if left := wordsIn(t, dir); len(left) < 50 {
		t.Fatalf("%d words are left to be erased", len(left))
	}
	fatal(t, openIn(t, dir).Close())
	findTraces(t, dir, []*traces{w}, "brought up to date")
}

// TestReadersAreWaitedFor has a reader that needs the log: nothing is erased, nobody waits long,
// and when it ends all is.
func TestReadersAreWaitedFor(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := openIn(t, dir)
		all := leaveTraces(t, s, 4)
		reader, err := s.read.BeginTx(t.Context(), nil)
		fatal(t, err, reader.QueryRow(`SELECT n FROM records`).Scan(new(int)))
		deleteEven(t, s, all)
		if err := s.erase(t.Context()); !errors.Is(err, errReaders) {
			t.Errorf("error is %v, want %v", err, errReaders)
		}
		fatal(t, reader.Rollback(), s.awaitErased(t.Context()))
		findTraces(t, dir, all, "open")
		fatal(t, s.Close())
	})
}

func FuzzClean(f *testing.F) {
	page := make([]byte, 512)
	page[0], page[4], page[6], page[100], page[106] = 0x0d, 2, 0xff, 0x05, 0x90
	f.Add(page, int64(1))
	f.Add(page, int64(2))
	f.Fuzz(func(t *testing.T, page []byte, n int64) {
		if len(page) < 512 { // SQLite's smallest
			return
		}
		clean(page, n)
		if clean(page, n) {
			t.Error("a clean page is cleaned")
		}
	})
}

// Databases with automatic vacuum have pages that look like those of trees: they are left as they
// are.
func TestOnlyPagesOfTreesAreCleaned(t *testing.T) {
	file := make([]byte, 2*512)
	binary.BigEndian.PutUint16(file[pageSizeField:], 512)
	second := file[512:]
	second[0], second[5], second[6], second[100] = 0x05, 1, 0, 'x' // full from 256 on, and something before
	for vacuum, want := range map[byte]int{0: 1, 1: 0} {
		file[vacuumField+3] = vacuum
		path := filepath.Join(t.TempDir(), "steno.db")
		fatal(t, os.WriteFile(path, file, 0o600))
		f, err := touch(path)
		fatal(t, err)
		d := &database{file: f}
		dirty, err := d.dirtyPages(t.Context())
		fatal(t, err, f.Close())
		if len(dirty) != want {
			t.Errorf("pages %v of a database with %d in its field of vacuuming", dirty, vacuum)
		}
	}
}

func deleteEven(t *testing.T, s *Store, all []*traces) {
	t.Helper()
	for i := 0; i < len(all); i += 2 {
		fatal(t, s.Delete(t.Context(), "acme", all[i].id))
	}
}

func keptRecords(t *testing.T, s *Store, all []*traces) (kept []store.Record) {
	t.Helper()
	for i := 1; i < len(all); i += 2 {
		r, err := s.Get(t.Context(), "acme", all[i].id)
		fatal(t, err)
		kept = append(kept, r)
	}
	return kept
}

// awaitErased returns when no file has traces of what was deleted so far.
func (s *Store) awaitErased(ctx context.Context) error {
	for asked := s.eraser.asked.Load(); ; {
		rung := s.eraser.wake.watch()
		if s.eraser.done.Load() >= asked {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-rung:
		}
	}
}

func fatal(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}
