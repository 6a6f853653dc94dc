package embedded

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"steno/session/filelock"
)

// salvage makes a new database of the rows that can be read in that of a data folder, and puts it
// in its place. It returns the name that the old file has then. Rows that refer to others which are
// lost go. Errors: ErrInUse.
func salvage(ctx context.Context, dir string) (left string, err error) {
	lock, err := lockFolder(dir)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, filelock.Close(lock)) }()
	path := filepath.Join(dir, "steno.db")
	next := path + ".new"
	if err := removeDatabase(next); err != nil {
		return "", err
	}
	if err := copyRows(ctx, path, next); err != nil {
		return "", errors.Join(err, removeDatabase(next))
	}
	left = path + ".damaged-" + time.Now().UTC().Format("20060102-150405")
	if err := os.Rename(path, left); err != nil {
		return "", err
	}
	for _, part := range []string{"-wal", "-shm"} {
		if err := os.Rename(path+part, left+part); err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", err
		}
	}
	return left, os.Rename(next, path)
}

func removeDatabase(path string) error {
	var errs []error
	for _, part := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(path + part); !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// copyRows makes a database and copies to it what can be read of another one, which stays as it is.
func copyRows(ctx context.Context, from, to string) (err error) {
	f, err := touch(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	target, err := connect(to, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	if err := migrate(ctx, target); err != nil {
		return err
	}
	q := url.Values{"mode": {"ro"}, "_pragma": {"query_only(1)"}}
	source, err := openFile(from, q)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	source.SetMaxOpenConns(1)
	if _, err := target.ExecContext(ctx, `PRAGMA foreign_keys = 0`); err != nil {
		return err
	}
	rows, err := target.QueryContext(ctx,
		`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'goose_%'`)
	tables, err := collect(rows, err, "list tables", scanText)
	if err != nil {
		return err
	}
	for _, name := range tables {
		if err := copyTable(ctx, source, target, name); err != nil {
			return fmt.Errorf("copy %s: %w", name, err)
		}
	}
	return dropOrphans(ctx, target)
}

// rowCopy copies the rows of one table.
type rowCopy struct {
	source, target *sql.DB
	list           string // names of the columns
	from           string // "FROM table"
	insert         string
	columns        int
}

// copyTable copies the rows of a table that can be read: all up to the first damaged page from
// either end, and what is found between them.
func copyTable(ctx context.Context, source, target *sql.DB, name string) error {
	rows, err := target.QueryContext(ctx, `SELECT name FROM pragma_table_info(?)`, name)
	columns, err := collect(rows, err, "list columns", scanText)
	if err != nil {
		return err
	}
	c := rowCopy{source: source, target: target, list: strings.Join(columns, ", "), from: " FROM " + name,
		columns: len(columns)}
	c.insert = `INSERT OR IGNORE INTO ` + name + ` (` + c.list + `) VALUES (` + strings.Repeat("?, ",
		len(columns)-1) + `?)`
	if _, err := target.ExecContext(ctx, `SELECT rowid FROM `+name+` LIMIT 0`); err != nil { // a table without
		if _, err := c.run(ctx, `SELECT 0, `+c.list+c.from); err != nil {
			// up to the damage from the other end
			_, _ = c.run(ctx, `SELECT 0, `+c.list+c.from+` ORDER BY `+columns[0]+` DESC`)
		}
		return ctx.Err()
	}
	if name == "events_end" {
		// of the new database; the old one's follows, or that of the events
		_, _ = target.ExecContext(ctx, `DELETE FROM events_end`)
	}
	return c.between(ctx, -1<<62, 1<<62)
}

// between copies the rows whose numbers are between two, as far as they can be read. Errors: ctx's.
func (c *rowCopy) between(ctx context.Context, low, high int64) error {
	where := ` WHERE rowid > ? AND rowid < ? ORDER BY rowid`
	first, err := c.run(ctx, `SELECT rowid, `+c.list+c.from+where, low, high)
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	last, err := c.run(ctx, `SELECT rowid, `+c.list+c.from+where+` DESC`, max(low, first), high)
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	if last == 0 {
		last = high
	}
	return c.within(ctx, first, last)
}

// mostWithin bounds the rows between two damaged places that are asked for one by one.
const mostWithin = 100_000

// within copies the rows between two damaged places one by one.
func (c *rowCopy) within(ctx context.Context, low, high int64) error {
	for n := low + 1; n < min(high, low+mostWithin); n++ {
		_, _ = c.run(ctx, `SELECT rowid, `+c.list+c.from+` WHERE rowid = ?`, n)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// run copies what a query returns, and returns the number of the last row that could be read; 0 for
// none.
func (c *rowCopy) run(ctx context.Context, query string, args ...any) (last int64, err error) {
	rows, err := c.source.QueryContext(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	tx, err := c.target.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	values := make([]any, c.columns+1)
	into := make([]any, len(values))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err = rows.Scan(into...); err != nil {
			break
		}
		last, _ = values[0].(int64)
		if _, err := tx.ExecContext(ctx, c.insert, values[1:]...); err != nil {
			continue // of a row that is not what it was: a column has another type
		}
	}
	return last, errors.Join(err, rows.Err(), tx.Commit())
}

// dropOrphans removes rows that refer to others that are lost, and adds what the rest lacks.
func dropOrphans(ctx context.Context, db *sql.DB) error {
	for _, statement := range []string{
		`UPDATE records SET upload = NULL WHERE upload NOT IN (SELECT id FROM uploads)`,
		`DELETE FROM events WHERE record NOT IN (SELECT n FROM records)`,
		`DELETE FROM checkpoints WHERE record NOT IN (SELECT n FROM records)`,
		`DELETE FROM silences WHERE record NOT IN (SELECT n FROM records)`,
		`DELETE FROM notes WHERE record NOT IN (SELECT n FROM records)`,
		`DELETE FROM metadata WHERE record NOT IN (SELECT n FROM records)`,
		`DELETE FROM jobs WHERE record NOT IN (SELECT n FROM records)`,
		`DELETE FROM outboxes WHERE record NOT IN (SELECT n FROM records)`,
		`DELETE FROM deliveries WHERE record NOT IN (SELECT n FROM records)`,
		`DELETE FROM token_sessions WHERE token NOT IN (SELECT n FROM tokens)`,
		`INSERT INTO events_end SELECT coalesce(max(number), 0) FROM events WHERE NOT EXISTS (SELECT 1 FROM ` +
			`events_end)`,
		`INSERT INTO outboxes (account, record, due_at) SELECT account, record, min(created_at) FROM deliveries
			WHERE state = 'pending' AND record NOT IN (SELECT record FROM outboxes) GROUP BY record`,
		`INSERT INTO jobs (account, record, created_at, fetch) SELECT account, n, created_at, upload IS NULL FROM records
			WHERE kind = 'pre-recorded' AND status NOT IN ('done', 'error') AND n NOT IN (SELECT record FROM jobs)`,
		// An unfinished session may have lost some events: they are made again from its audio.
		`DELETE FROM checkpoints WHERE record IN (SELECT n FROM records WHERE status NOT IN ('done', 'error'))`,
	} {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("remove what refers to lost rows: %w", err)
		}
	}
	return nil
}
