package embedded

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"time"

	"steno/messages"
	"steno/session/retry"
	"steno/session/store"
	"steno/session/store/embedded/journal"
)

const (
	inspectPage = 200 // records that are looked at between two pauses
	inspectIdle = 10  // a pause is so many times as long as the look before it took
)

// Damages implements store.Inspected.
func (s *Store) Damages() []store.Damage { return s.damage.all() }

// inspection looks through everything that is kept, in the background.
type inspection struct {
	end   context.CancelFunc // nil: it was not started
	ended chan struct{}
}

// Inspect begins to look through everything that the store keeps, in the background and at a tenth
// of its speed, and notes what is not as it was written. It ends with the store. It may be called
// once.
func (s *Store) Inspect() {
	ctx, end := context.WithCancel(context.Background())
	s.inspection = inspection{end, make(chan struct{})}
	go func() {
		defer close(s.inspection.ended)
		if err := s.inspect(ctx, inspectIdle); err != nil && ctx.Err() == nil {
			s.damage.note("", err.Error(), true)
		}
	}()
}

func (i *inspection) stop() {
	if i.end != nil {
		i.end()
		<-i.ended
	}
}

// inspect looks through everything, with pauses that are so many times as long as what lies between
// them. Errors: those of reading what should be there, and ctx's.
func (s *Store) inspect(ctx context.Context, pauses int) error {
	if err := s.inspectPages(ctx); err != nil {
		return err
	}
	rest := func(began time.Time) error { return retry.Sleep(ctx, time.Duration(pauses)*time.Since(began)) }
	for _, page := range []func(context.Context, int64) (int64, error){s.inspectRecords, s.inspectUploads} {
		for after := int64(0); ; {
			began := time.Now()
			last, err := page(ctx, after)
			if err != nil {
				return err
			}
			if last == after {
				break
			}
			after = last
			if err := rest(began); err != nil {
				return err
			}
		}
	}
	return nil
}

// inspectPages notes damage of the database's pages, as far as their structure shows it.
func (s *Store) inspectPages(ctx context.Context) error {
	return s.checkPages(ctx, `PRAGMA quick_check(20)`)
}

func (s *Store) checkPages(ctx context.Context, statement string) error {
	said, err := pageFaults(ctx, s.read, statement)
	for _, text := range said {
		s.damage.note("", text, true)
	}
	return err
}

// pageFaults returns the faults of pages that a pragma which checks a database reports.
func pageFaults(ctx context.Context, db *sql.DB, pragma string) (faults []string, err error) {
	rows, err := db.QueryContext(ctx, pragma)
	said, err := collect(rows, err, "check the pages of the database", scanText)
	if err != nil {
		return nil, err
	}
	for _, text := range said {
		if text != "ok" {
			faults = append(faults, "the database is damaged: "+text)
		}
	}
	return faults, nil
}

// inspected is what inspectRecords looks at.
type inspected struct {
	n               int64
	account, id     string
	kind            messages.JobKind
	finished, heard bool
}

// inspectRecords looks at the next records after a number, and returns the number of the last one.
func (s *Store) inspectRecords(ctx context.Context, after int64) (last int64, err error) {
	rows, err := s.read.QueryContext(ctx, `SELECT n, account, id, kind, status IN ('done', 'error'),
		coalesce(seconds, 0) > 0 AND stripped & 1 = 0 FROM records WHERE n > ? ORDER BY n LIMIT ?`, after, inspectPage)
	page, err := collect(rows, err, "list records", func(scan scanner) (r inspected, err error) {
		err = scan(&r.n, &r.account, &r.id, &r.kind, &r.finished, &r.heard)
		return r, err
	})
	if err != nil {
		return after, err
	}
	last = after
	for _, r := range page {
		last = r.n
		_, err := s.Get(ctx, r.account, r.id) // which notes a damaged result
		if errors.Is(err, store.ErrNotFound) {
			continue // deleted meanwhile
		}
		if err == nil {
			_, _, err = s.sessions.events(ctx, r.id, r.n, 0, maxEvents)
		}
		if err == nil && r.kind == messages.JobLive {
			err = s.inspectJournal(ctx, r)
		}
		if err != nil {
			return last, fmt.Errorf("record %s: %w", r.id, err)
		}
	}
	return last, nil
}

// inspectJournal compares the journal of a session that nobody has claimed with the
// acknowledgements to its client.
func (s *Store) inspectJournal(ctx context.Context, r inspected) error {
	s.files.mu.Lock()
	defer s.files.mu.Unlock()
	if s.claims[r.id] != nil {
		return nil
	}
	size, acked, err := journal.Measure(s.folder(r.id))
	if err != nil {
		return err
	}
	switch {
	case size == 0 && (acked > 0 || r.heard):
		s.damage.note(r.id, "the recording is missing", false)
	case acked > size:
		s.damage.note(r.id, shortJournal(size, acked), false)
	default:
		return nil
	}
	_, err = s.addLoss(ctx, r.id, size)
	if errors.Is(err, sql.ErrNoRows) {
		return nil // deleted meanwhile
	}
	return err
}

// inspectUploads looks at the next uploads after a row, and returns that of the last one.
func (s *Store) inspectUploads(ctx context.Context, after int64) (last int64, err error) {
	type upload struct {
		row, size int64
		id        string
	}
	rows, err := s.read.QueryContext(ctx, `SELECT rowid, size, id FROM uploads WHERE rowid > ? ORDER BY rowid LIMIT ?`,
		after, inspectPage)
	page, err := collect(rows, err, "list uploads", func(scan scanner) (u upload, err error) {
		err = scan(&u.row, &u.size, &u.id)
		return u, err
	})
	if err != nil {
		return after, err
	}
	last = after
	s.files.mu.Lock()
	defer s.files.mu.Unlock()
	for _, u := range page {
		last = u.row
		info, err := os.Stat(s.uploadPath(u.id))
		switch {
		case err == nil && info.Size() != u.size:
			s.damage.note(u.id, fmt.Sprintf("the file of the upload has %d bytes, it had %d", info.Size(), u.size),
				false)
		case errors.Is(err, os.ErrNotExist) && s.hasUpload(ctx, u.id):
			s.damage.note(u.id, "the file of the upload is missing", false)
		case err != nil && !errors.Is(err, os.ErrNotExist):
			return last, err
		}
	}
	return last, nil
}

// hasUpload reports whether there is an upload, which may have been deleted since it was listed.
func (s *Store) hasUpload(ctx context.Context, id string) bool {
	var one int
	return s.read.QueryRowContext(ctx, `SELECT 1 FROM uploads WHERE id = ?`, id).Scan(&one) == nil
}
