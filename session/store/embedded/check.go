package embedded

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"steno/messages"
	"steno/session/store"
)

// Report is what Check has found and done.
type Report struct {
	Damages  []store.Damage
	Repaired []string // what was done
	Records  int      // that there are
}

// Check opens a data folder as a gateway does, looks through all of it, and reports what is not as
// it was written. With repair it keeps what is whole: of a database with damaged pages the rows
// that can be read, in a new file, beside which the old one stays; damaged events and results are
// removed, and their records state so. What is lost with files stays lost: the records state that,
// too. Errors: ErrInUse, ErrNewer, os.ErrNotExist where the folder has no database.
func Check(ctx context.Context, dir string, repair bool) (r Report, err error) {
	if _, err := os.Stat(filepath.Join(dir, "steno.db")); err != nil {
		return r, fmt.Errorf("find database: %w", err)
	}
	whole, err := r.check(ctx, dir, repair)
	if err != nil || whole || !repair {
		return r, err
	}
	left, err := salvage(ctx, dir)
	if err != nil {
		return r, fmt.Errorf("make a new database of what is whole: %w", err)
	}
	r.Repaired = append(r.Repaired, "the rows that can be read are in a new database; the damaged one is "+left)
	if whole, err = r.check(ctx, dir, true); err == nil && !whole {
		err = fmt.Errorf("the new database is damaged: %w", store.ErrDamaged)
	}
	return r, err
}

// check is Check as far as the database can be read. It reports whether its pages are whole.
func (r *Report) check(ctx context.Context, dir string, repair bool) (whole bool, err error) {
	s, err := Open(ctx, dir)
	if errors.Is(err, store.ErrDamaged) {
		r.Damages = append(r.Damages, store.Damage{What: err.Error(), Fatal: true})
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.checkPages(ctx, `PRAGMA integrity_check(100)`); err != nil {
		s.damage.note("", err.Error(), true)
	}
	if whole = !s.damage.fatal(); whole {
		if err := s.inspect(ctx, 0); err != nil {
			s.damage.note("", err.Error(), true)
			whole = false
		}
	}
	r.Damages = append(r.Damages, s.Damages()...)
	if !whole {
		return false, nil
	}
	if r.Records, err = s.count(ctx); err == nil && repair {
		var done []string
		done, err = s.repairRows(ctx)
		r.Repaired = append(r.Repaired, done...)
	}
	return true, err
}

// fatal reports whether there is damage by which the database cannot be relied on.
func (d *damages) fatal() bool {
	for _, one := range d.all() {
		if one.Fatal {
			return true
		}
	}
	return false
}

func (s *Store) count(ctx context.Context) (n int, err error) {
	err = s.read.QueryRowContext(ctx, `SELECT count(*) FROM records`).Scan(&n)
	return n, err
}

// repairRows removes damaged events and results. It returns what it has done.
func (s *Store) repairRows(ctx context.Context) (done []string, err error) {
	sessions := map[string]bool{}
	for _, d := range s.Damages() {
		if sessions[d.Session] || d.Session == "" {
			continue
		}
		sessions[d.Session] = true
		changed, err := s.repairRecord(ctx, d.Session)
		if err != nil {
			return done, fmt.Errorf("repair %s: %w", d.Session, err)
		}
		if changed {
			done = append(done, d.Session+": what is damaged was removed")
		}
	}
	return done, nil
}

// repairRecord repairs the rows of a record, and reports whether there was something to be
// repaired.
func (s *Store) repairRecord(ctx context.Context, id string) (changed bool, err error) {
	var n int64
	var account string
	err = s.read.QueryRowContext(ctx, `SELECT n, account FROM records WHERE id = ?`, id).Scan(&n, &account)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil // an upload's
	}
	if err != nil {
		return false, err
	}
	_, damaged, err := s.sessions.events(ctx, id, n, 0, maxEvents)
	if err == nil && damaged {
		changed, err = true, s.heal(ctx, n)
	}
	if err != nil {
		return changed, err
	}
	record, err := s.Get(ctx, account, id)
	if err != nil || !record.Damaged {
		return changed, err
	}
	return true, s.dropResult(ctx, n, record)
}

// dropResult removes a damaged result and adds a warning of that to the record.
func (s *Store) dropResult(ctx context.Context, n int64, r store.Record) error {
	var list messages.Warnings
	if len(r.Warnings) > 0 {
		if err := json.Unmarshal(r.Warnings, &list); err != nil {
			return err
		}
	}
	list.Warn("result", "the stored result was damaged and has been removed")
	warnings, err := json.Marshal(list)
	if err != nil {
		return err
	}
	_, err = s.write.ExecContext(ctx, `UPDATE records SET result = NULL, result_sum = NULL, warnings = ? WHERE n = ?`,
		string(warnings), n)
	return err
}
