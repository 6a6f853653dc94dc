package embedded

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"steno/messages"
)

// TestOldDatabase opens a database as each earlier version left it.
func TestOldDatabase(t *testing.T) {
	for version := int64(1); version < 12; version++ {
		t.Run(fmt.Sprint("version ", version), func(t *testing.T) { openOld(t, version) })
	}
}

func openOld(t *testing.T, version int64) {
	dir := t.TempDir()
	makeOld(t, dir, version)
	ctx := t.Context()
	s, err := OpenWith(ctx, dir, Options{ResumeWindow: 1}) // so that sessions are due immediately
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []messages.ListQuery{{Kinds: []messages.JobKind{messages.JobLive}},
		{CustomMetadata: messages.Object{"user": "ann"}}} {
		if page, _, err := s.List(ctx, "acme", q); err != nil || len(page) != 1 || page[0].ID != "old" {
			t.Errorf("list gives %+v, %v", page, err)
		}
	}
	if due, err := s.Adopt(ctx, 10); err != nil || len(due) != 1 {
		t.Errorf("due are %+v, %v", due, err)
	}
	if events, err := s.Events(ctx, "acme", "old", 0, 10); err != nil || len(events) != 1 || events[0].Kind == 0 {
		t.Errorf("events are %+v, %v", events, err)
	}
	if events, whole, err := s.AccountEvents(ctx, "acme", 0, 10); err != nil || !whole || len(events) != 1 ||
		events[0].Session != "old" {
		t.Errorf("events of the account are %+v, %v", events, err)
	}
	if l, ok, err := s.LeaseJob(ctx, "node", time.Minute, toFetch); err != nil || !ok || l.Record.ID != "file" ||
		l.Attempt != 1 {
		t.Errorf("job is %+v, %v, %v", l, ok, err)
	}
	if l, ok, err := s.LeaseJob(ctx, "node", time.Minute, toFetch); err != nil || ok {
		t.Errorf("another job is %+v, %v", l, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// makeOld makes a database of a version, with a live record, and two pre-recorded of which one is
// done.
func makeOld(t *testing.T, dir string, version int64) {
	t.Helper()
	ctx := t.Context()
	db, err := connect(filepath.Join(dir, "steno.db"), false)
	if err != nil {
		t.Fatal(err)
	}
	p, err := migrator(db)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.UpTo(ctx, version); err != nil {
		t.Fatal(err)
	}
	queued := ``
	switch {
	case version >= 8:
		queued = `INSERT INTO jobs (account, record, created_at, fetch) VALUES ('acme', 2, 1000, 1)`
	case version >= 3:
		queued = `INSERT INTO jobs (account, record, created_at) VALUES ('acme', 2, 1000)`
	}
	for _, statement := range []string{
		`INSERT INTO records (account, id, kind, status, version, created_at, socket, callback, channels, post_session_metadata, params)
			VALUES ('acme', 'old', 'live', 'processing', 2, 1000, 0, 0, 1, '{}', '{}')`,
		`INSERT INTO records (account, id, kind, status, version, created_at, socket, callback, channels, post_session_metadata, params)
			VALUES ('acme', 'file', 'pre-recorded', 'queued', 2, 1000, 0, 0, 1, '{}', '{}'),
				('acme', 'ended', 'pre-recorded', 'done', 2, 900, 0, 0, 1, '{}', '{}')`,
		`INSERT INTO events (account, record, seq, kind, key, body) VALUES ('acme', 1, 1, 11, 'k', x'7b7d')`,
		`INSERT INTO metadata (account, path, value, created_at, record) VALUES ('acme', '["user"]', 'ann', 1000, 1)`,
		queued,
	} {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestNewerDatabase refuses one that a later program has changed.
func TestNewerDatabase(t *testing.T) {
	dir := t.TempDir()
	s := openIn(t, dir)
	if _, err := s.write.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (1000, 1)`); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenKeys(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "1000") {
		t.Errorf("keys beside it: error is %v, want one that names the version", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), dir); !errors.Is(err, ErrNewer) {
		t.Errorf("error is %v, want ErrNewer", err)
	}
}

// TestHasKeysMigratesNothing looks for keys in databases of earlier versions, which stay what they
// are. The first have no keys.
func TestHasKeysMigratesNothing(t *testing.T) {
	for _, version := range []int64{1, 4, 5, 11} {
		dir := t.TempDir()
		makeOld(t, dir, version)
		if has, err := HasKeys(t.Context(), dir); has || err != nil {
			t.Errorf("version %d: has keys: %v, %v", version, has, err)
		}
		db, err := connect(filepath.Join(dir, "steno.db"), true)
		if err != nil {
			t.Fatal(err)
		}
		p, err := migrator(db)
		if err != nil {
			t.Fatal(err)
		}
		if have, _, err := versions(t.Context(), p); err != nil || have != version {
			t.Errorf("version %d has become %d, %v", version, have, err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}
