package audit

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"steno/session/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// linesOf returns the actions of the lines of a file.
func linesOf(t *testing.T, path string) (actions []string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var l Line
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		actions = append(actions, l.Action)
	}
	return actions
}

// Lines of many goroutines are whole, follow what is there, and are for the owner alone.
func TestLinesAreAppended(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.log")
	for range 2 {
		l, err := Open(path, func(err error) { t.Error(err) })
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for range 50 {
					l.Write(&Line{Action: "record.read"})
				}
			})
		}
		all.Wait()
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		l.Write(&Line{})
		if full, unwritten := l.Lost(); full != 1 || unwritten != 0 {
			t.Errorf("lost %d and %d, want only the line that came after the end", full, unwritten)
		}
	}
	if n := len(linesOf(t, path)); n != 800 {
		t.Errorf("%d lines, want 800", n)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
}

// A file that was moved away is left alone, and made again.
func TestRotation(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.log")
	l := &Log{path: path, failed: func(err error) { t.Error(err) }}
	for range 2 {
		if !l.put([]byte(`{"action":"a"}` + "\n")) {
			t.Fatal("not written")
		}
	}
	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
	if !l.put([]byte(`{"action":"b"}` + "\n")) {
		t.Fatal("not written")
	}
	if err := l.close(); err != nil {
		t.Fatal(err)
	}
	if old, now := linesOf(t, path+".1"), linesOf(t, path); len(old) != 2 || len(now) != 1 || now[0] != "b" {
		t.Errorf("%v, then %v", old, now)
	}
}

// What cannot be written is reported once, and counted; a folder that is there again is written to.
func TestErrorsOfWriting(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "logs")
	path, told := filepath.Join(folder, "audit.log"), 0
	l := &Log{path: path, failed: func(error) { told++ }}
	put := func() bool { return l.put([]byte("{}\n")) }
	for range 2 {
		if put() || told != 1 {
			t.Errorf("without its folder: told %d times", told)
		}
	}
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if !put() || told != 1 || len(linesOf(t, path)) != 1 {
		t.Errorf("with its folder: told %d times", told)
	}
	if err := l.close(); err != nil {
		t.Fatal(err)
	}
}

// A full disk costs lines and nothing else.
func TestFullDisk(t *testing.T) {
	told := 0
	l, err := Open("/dev/full", func(error) { told++ })
	if err != nil {
		t.Skip(err)
	}
	for range 3 {
		l.Write(&Line{})
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if full, unwritten := l.Lost(); full != 0 || unwritten != 3 || told != 1 {
		t.Errorf("lost %d and %d, told %d times", full, unwritten, told)
	}
}

// awayStore is a store that is out of reach for a while, and then not.
type awayStore struct {
	store.Audit
	away int
	kept []store.AuditEntry
}

func (s *awayStore) AddAudit(_ context.Context, list []store.AuditEntry, _ store.AuditBounds) error {
	if s.away--; s.away >= 0 {
		return store.ErrAway
	}
	s.kept = append(s.kept, list...)
	return nil
}

// A store that is out of reach costs no lines as long as they have room; one that does not come
// back costs those that wait, which are counted.
func TestStoreAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for away, lost := range map[int]int64{0: 0, 3: 0, 1 << 30: 2000} {
			s, reported := &awayStore{away: away}, 0
			k := Keep(s, store.AuditBounds{Keep: time.Hour, Most: 10}, func(error) { reported++ })
			for range 2000 {
				k.Write(&Line{Action: "record.read"})
			}
			k.Close()
			if full, unwritten := k.Lost(); full != 0 || unwritten != lost || len(s.kept) != 2000-int(lost) {
				t.Errorf("away %d: lost %d and %d, kept %d", away, full, unwritten, len(s.kept))
			}
			if (away > 0) != (reported > 0) || reported > 3 {
				t.Errorf("away %d: reported %d times", away, reported)
			}
		}
	})
}

// Lines that wait for the disk are bounded, and the rest counted.
func TestNoRoom(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.log")
	l := &Log{path: path, failed: func(err error) { t.Error(err) }}
	l.lines.init()
	for range maxWaiting + 3 {
		l.Write(&Line{})
	}
	go l.run()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if full, unwritten := l.Lost(); full != 3 || unwritten != 0 || len(linesOf(t, path)) != maxWaiting {
		t.Errorf("lost %d and %d", full, unwritten)
	}
}
