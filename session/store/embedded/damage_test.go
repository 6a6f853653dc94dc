package embedded

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"steno/messages"
	"steno/session"
	"steno/session/store"
	"steno/session/store/embedded/journal"
)

// spoil changes a byte of a file.
func spoil(t *testing.T, path string, at int64) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	content[at] ^= 0x5A
	if err := os.WriteFile(path, content, fileMode); err != nil {
		t.Fatal(err)
	}
}

// hasDamage reports whether the store has found a damage of a session whose text has a word.
func hasDamage(s *Store, session, word string) bool {
	for _, d := range s.Damages() {
		if d.Session == session && strings.Contains(d.What, word) {
			return true
		}
	}
	return false
}

// crashed is a data folder as a killed process leaves it that had a session with audio, acks and
// events. change has the files.
func crashed(t *testing.T, change func(dir, folder string)) (dir string) {
	t.Helper()
	from := t.TempDir()
	s := openIn(t, from)
	l := claimNew(t, s, "job")
	for i := range 21 {
		if err := l.AppendAudio(t.Context(), bytes.Repeat([]byte{byte(i)}, 3000)); err != nil {
			t.Fatal(err)
		}
		if err := l.Sync(l.AudioSize()); err != nil {
			t.Fatal(err)
		}
		e := messages.Event{Key: messages.Key{Kind: messages.KindFinal, Subject: fmt.Sprint("final ", i)},
			Body: []byte(`{"text":"some words"}`)}
		if _, _, err := l.AppendEvent(t.Context(), e, 0, []byte("checkpoint")); err != nil {
			t.Fatal(err)
		}
	}
	dir = filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(dir, filepath.Join(dir, "sessions", "jo", "job"))
	}
	return dir
}

// TestDamageOfSession spoils what a killed process has left of a session: the next one finds it,
// and reports it to the session's holder.
func TestDamageOfSession(t *testing.T) {
	cut := func(name string, to int64) func(dir, folder string) {
		return func(_, folder string) {
			if err := os.Truncate(filepath.Join(folder, name), to); err != nil {
				t.Error(err)
			}
		}
	}
	spoilTails := func(dir, _ string) {
		content, err := os.ReadFile(filepath.Join(dir, journal.TailsFile))
		if err != nil {
			t.Skip("this file system has no file of tails")
		}
		at := bytes.Index(content, bytes.Repeat([]byte{20}, 100))
		if at < 0 {
			t.Error("the last audio is in no tail")
			return
		}
		spoil(t, filepath.Join(dir, journal.TailsFile), int64(at))
	}
	for name, c := range map[string]struct {
		change func(dir, folder string)
		from   int64 // of the loss; below 0: none
	}{
		"nothing":           {nil, -1},
		"journal cut":       {cut(journal.AudioFile, 7000), 7000},
		"journal emptied":   {cut(journal.AudioFile, 0), 0},
		"journal removed":   {func(_, folder string) { _ = os.Remove(filepath.Join(folder, journal.AudioFile)) }, 0},
		"torn end of tails": {spoilTails, 60000},
	} {
		t.Run(name, func(t *testing.T) {
			s := openIn(t, crashed(t, c.change))
			defer s.Close()
			l, err := s.Claim(t.Context(), "job", store.IfFree)
			if err != nil {
				t.Fatal(err)
			}
			record, err := s.Get(t.Context(), "acme", "job")
			if err != nil {
				t.Fatal(err)
			}
			if c.from < 0 {
				if len(l.Losses()) > 0 || len(record.Losses) > 0 || len(s.Damages()) > 0 || l.AudioSize() != 63000 {
					t.Errorf("%v, %v, %v, %d bytes", l.Losses(), record.Losses, s.Damages(), l.AudioSize())
				}
				return
			}
			want := session.Loss{Number: 1, From: c.from}
			for _, got := range [][]session.Loss{l.Losses(), record.Losses} {
				if len(got) != 1 || got[0] != want {
					t.Errorf("losses are %v, want %v", got, want)
				}
			}
			if len(s.Damages()) == 0 || !hasDamage(s, "job", "recording") {
				t.Errorf("damages are %v", s.Damages())
			}
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			if l, err = s.Claim(t.Context(), "job", store.IfFree); err != nil || len(l.Losses()) != 1 {
				t.Errorf("the next holder is told %v, %v", l.Losses(), err)
			}
		})
	}
}

// TestDamagedLog spoils frames of the write-ahead log: what SQLite does not read any more is
// reported.
func TestDamagedLog(t *testing.T) {
	log := func(dir string) string { return filepath.Join(dir, "steno.db-wal") }
	whole := crashed(t, nil)
	info, err := os.Stat(log(whole))
	if err != nil || info.Size() < 100_000 {
		t.Fatalf("no write-ahead log to be spoiled: %v, %v", info, err)
	}
	if lost, err := lostTransactions(log(whole)); err != nil || lost != 0 {
		t.Fatalf("of a whole log %d transactions are lost, %v", lost, err)
	}
	before := 0
	for _, part := range []int64{2, 3, 20} { // later and later
		dir := crashed(t, func(dir, _ string) { spoil(t, log(dir), info.Size()-info.Size()/part) })
		lost, err := lostTransactions(log(dir))
		if err != nil || lost == 0 || before > 0 && lost < before {
			t.Errorf("%d transactions are lost, %d where it was spoiled later, %v", lost, before, err)
		}
		s := openIn(t, dir)
		if !hasDamage(s, "", fmt.Sprint(lost, " transactions")) {
			t.Errorf("damages are %v, %d transactions are lost", s.Damages(), lost)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	content, err := os.ReadFile(log(whole))
	if err != nil {
		t.Fatal(err)
	}
	for at := range walHeader {
		spoiled := bytes.Clone(content)
		spoiled[at] ^= 0x5A
		if lost, err := countLost(bytes.NewReader(spoiled)); err != nil || lost == 0 {
			t.Errorf("header spoiled at %d: %d transactions are lost, %v", at, lost, err)
		}
	}
	if lost, err := countLost(bytes.NewReader(content[:len(content)-1000])); err != nil || lost != 0 {
		t.Errorf("of a log whose last frame was not written as a whole %d transactions are lost, %v", lost, err)
	}
}

// inspectAll looks through a store and returns it.
func inspectAll(t *testing.T, dir string) *Store {
	t.Helper()
	s := openIn(t, dir)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := s.inspect(t.Context(), 0); err != nil {
		s.damage.note("", err.Error(), true)
	}
	return s
}

// replaceIn changes a text in the database file where it stands, which leaves the structure of the
// pages as it was.
func replaceIn(t *testing.T, dir, old, with string) {
	t.Helper()
	path := filepath.Join(dir, "steno.db")
	content, err := os.ReadFile(path)
	if err != nil || !bytes.Contains(content, []byte(old)) {
		t.Fatalf("%q is not in the database, %v", old, err)
	}
	if err := os.WriteFile(path, bytes.ReplaceAll(content, []byte(old), []byte(with)), fileMode); err != nil {
		t.Fatal(err)
	}
}

// TestDamagedRows changes bytes of rows on the disk: they are not given out as what was written.
func TestDamagedRows(t *testing.T) {
	dir := t.TempDir()
	s := openIn(t, dir)
	for _, id := range []string{"open", "done"} {
		l := claimNew(t, s, id)
		for i := range 3 {
			e := messages.Event{Key: messages.Key{Kind: messages.KindFinal, Subject: fmt.Sprint("00_", i)},
				Body: fmt.Appendf(nil, `{"text":"%s words %d"}`, id, i)}
			if _, _, err := l.AppendEvent(t.Context(), e, 0, []byte("checkpoint")); err != nil {
				t.Fatal(err)
			}
		}
		if id == "done" {
			if err := l.Finish(t.Context(), store.Outcome{Result: []byte(`{"result":"good"}`), Seconds: 2}); err !=
				nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	replaceIn(t, dir, "open words 1", "open swords1")
	replaceIn(t, dir, "done words 2", "gone words 2")
	replaceIn(t, dir, `"result":"good"`, `"result":"evil"`)

	s = inspectAll(t, dir)
	for _, want := range [][2]string{{"open", "event 2"}, {"done", "event 3"}, {"done", "result"},
		{"done", "recording is missing"}} {
		if !hasDamage(s, want[0], want[1]) {
			t.Errorf("not told: %v, but %v", want, s.Damages())
		}
	}
	events, err := s.Events(t.Context(), "acme", "done", 0, 100)
	if err != nil || len(events) != 2 {
		t.Errorf("events of the finished session: %v, %v", events, err)
	}
	if r, err := s.Get(t.Context(), "acme", "done"); err != nil || !r.Damaged || r.Result != nil {
		t.Errorf("record %+v, %v", r, err)
	}
	if _, err := s.OpenAudio(t.Context(), "acme", "done"); !errors.Is(err, store.ErrMissing) {
		t.Errorf("opened a recording that is missing: %v", err)
	}
	l, err := s.Claim(t.Context(), "open", store.IfFree)
	if err != nil {
		t.Fatal(err)
	}
	lanes, err := l.Checkpoints(t.Context())
	if err != nil || len(lanes) != 0 {
		t.Errorf("checkpoints of a session that has to be recognized again: %v, %v", lanes, err)
	}
	e := messages.Event{Key: messages.Key{Kind: messages.KindFinal, Subject: "00_1"},
		Body: []byte(`{"text":"open words 1"}`)}
	if _, fresh, err := l.AppendEvent(t.Context(), e, 0, nil); err != nil || !fresh {
		t.Errorf("what was damaged is not logged again: %v", err)
	}
	if events, err := l.Events(t.Context(), 0, 100); err != nil || len(events) != 3 {
		t.Errorf("events of the session that goes on: %v, %v", events, err)
	}
}

// TestDamagedPages overwrites pages of the database.
func TestDamagedPages(t *testing.T) {
	dir := t.TempDir()
	s := openIn(t, dir)
	l := claimNew(t, s, "job")
	for i := range 40 {
		e := messages.Event{Key: messages.Key{Kind: messages.KindFinal, Subject: fmt.Sprint(i)},
			Body: []byte(strings.Repeat("text ", 500))}
		if _, _, err := l.AppendEvent(t.Context(), e, -1, nil); err != nil {
			t.Fatal(err)
		}
	}
	uploaded := beginUpload(t, s, "file", "audio")
	if _, err := uploaded.Commit(t.Context(), store.Upload{Account: "acme"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s := inspectAll(t, crashedCopy(t, dir)); len(s.Damages()) > 0 {
		t.Fatalf("damages of a whole store: %v", s.Damages())
	}
	unreadable := crashedCopy(t, dir)
	if err := os.WriteFile(filepath.Join(unreadable, "steno.db"), bytes.Repeat([]byte{0xEE}, 8192), fileMode); err !=
		nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), unreadable); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("opened a database that is none: %v", err)
	}
	spoiled := crashedCopy(t, dir)
	path := filepath.Join(spoiled, "steno.db")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.LastIndex(content, []byte("text text")) / 4096 * 4096
	copy(content[at:at+4096], bytes.Repeat([]byte{0xEE}, 4096))
	if err := os.WriteFile(path, content, fileMode); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(spoiled, "uploads", "fi", "file")); err != nil {
		t.Fatal(err)
	}
	s = inspectAll(t, spoiled)
	fatal := false
	for _, d := range s.Damages() {
		fatal = fatal || d.Fatal
	}
	if !fatal {
		t.Errorf("damages are %v", s.Damages())
	}
	if _, err := s.OpenUpload(t.Context(), "acme", "file"); !errors.Is(err, store.ErrMissing) ||
		!hasDamage(s, "file", "missing") {
		t.Errorf("opened an upload that is missing: %v, %v", err, s.Damages())
	}
}

// crashedCopy is a copy of a data folder.
func crashedCopy(t *testing.T, from string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestCheck looks through data folders as a tool does, and repairs them.
func TestCheck(t *testing.T) {
	t.Parallel()
	whole := t.TempDir()
	s := openIn(t, whole)
	for i := range 30 {
		l := claimNew(t, s, fmt.Sprint("job-", i))
		for n := range 4 {
			e := messages.Event{Key: messages.Key{Kind: messages.KindFinal, Subject: fmt.Sprint(n)},
				Body: []byte(strings.Repeat(fmt.Sprintf("text %02d ", i), 100))}
			if _, _, err := l.AppendEvent(t.Context(), e, 0, []byte("checkpoint")); err != nil {
				t.Fatal(err)
			}
		}
		if err := l.Finish(t.Context(), store.Outcome{Result: fmt.Appendf(nil, `{"number":%d}`, i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	check := func(dir string, repair bool) Report {
		t.Helper()
		r, err := Check(t.Context(), dir, repair)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := check(crashedCopy(t, whole), false); len(r.Damages) > 0 || r.Records != 30 {
		t.Errorf("of a whole folder: %+v", r)
	}
	if _, err := Check(t.Context(), t.TempDir(), true); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("of an empty folder: %v", err)
	}

	changed := crashedCopy(t, whole)
	replaceIn(t, changed, `{"number":7}`, `{"number":8}`)
	replaceIn(t, changed, "text 09 text 09 ", "text 09 next 09 ")
	if r := check(changed, false); len(r.Damages) == 0 || len(r.Repaired) > 0 {
		t.Errorf("of changed rows: %+v", r)
	}
	if r := check(changed, true); len(r.Repaired) != 2 {
		t.Errorf("of changed rows, repaired: %+v", r)
	}
	if r := check(changed, false); len(r.Damages) > 0 {
		t.Errorf("after the repair: %+v", r)
	}
	s = openIn(t, changed)
	if r, err := s.Get(t.Context(), "acme", "job-7"); err != nil || r.Result != nil ||
		!strings.Contains(string(r.Warnings), "damaged") {
		t.Errorf("record of a damaged result: %s, %s, %v", r.Result, r.Warnings, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	for _, at := range []float64{0.3, 0.6, 0.9} { // pages of several tables and indexes
		dir := crashedCopy(t, whole)
		path := filepath.Join(dir, "steno.db")
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		from := int(at*float64(len(content))) / 4096 * 4096
		copy(content[from:from+4096], bytes.Repeat([]byte{0xEE}, 4096))
		if err := os.WriteFile(path, content, fileMode); err != nil {
			t.Fatal(err)
		}
		if r := check(dir, false); len(r.Damages) == 0 {
			t.Errorf("page at %v: no damage is found", at)
		}
		r := check(dir, true)
		if len(r.Repaired) == 0 || r.Records < 20 {
			t.Errorf("page at %v: %d records are left, %v", at, r.Records, r.Repaired)
		}
		if r := check(dir, false); len(r.Damages) > 0 {
			t.Errorf("page at %v, after the repair: %v", at, r.Damages)
		}
		if left, _ := filepath.Glob(path + ".damaged-*"); len(left) == 0 {
			t.Errorf("page at %v: the damaged database is gone", at)
		}
	}
}
