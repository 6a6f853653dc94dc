package embedded

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"steno/session/filelock"
	"steno/session/store/embedded/statements"
)

const (
	readers     = 4    // connections that read
	busyTimeout = 5000 // milliseconds to wait for another process's transaction
	walLimit    = 64 << 20
)

// database is the rows, and the clock they are kept by.
type database struct {
	file   *os.File // nil where another process has the folder
	write  *sql.DB  // one connection: SQLite has one writer at a time
	read   *sql.DB
	now    func() time.Time
	eraser *eraser  // nil where another process has the folder
	damage *damages // that was found

	ballast ballast // zero where another process has the folder
}

// open makes the file if it is not there and brings it up to date. Whatever was opened is closed by
// close.
func (d *database) open(ctx context.Context, path string) (err error) {
	if d.file, err = touch(path); err != nil {
		return err
	}
	killed := wasKilled(path)
	if d.write, err = connect(path, false); err != nil {
		return err
	}
	if err := migrate(ctx, d.write); err != nil {
		return err
	}
	if d.read, err = connect(path, true); err != nil {
		return err
	}
	d.ballast = ballast{filepath.Join(filepath.Dir(path), "ballast")}
	d.ballast.keep()
	d.startErasing(ctx, killed)
	return nil
}

func (d *database) close() error {
	errs := []error{d.stopErasing()}
	if d.read != nil && d.read != d.write {
		errs = append(errs, d.read.Close())
	}
	if d.write != nil {
		errs = append(errs, d.write.Close())
	}
	if d.file != nil {
		errs = append(errs, d.file.Close())
	}
	return errors.Join(errs...)
}

// touch makes the database file before SQLite does, whose own would be readable by others. The
// files SQLite puts beside it take its permissions. The file stays open as long as the database: a
// process that closes any descriptor of a file loses all its locks on it, SQLite's too, and another
// process would take the database for one that nobody uses.
func touch(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, fileMode)
	if err != nil {
		return nil, fmt.Errorf("make database: %w", err)
	}
	return f, nil
}

// openFile opens the database in a file with parameters of SQLite's addresses, which have absolute
// paths alone.
func openFile(path string, q url.Values) (*sql.DB, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	address := url.URL{Scheme: "file", Path: path, RawQuery: q.Encode()}
	return sql.OpenDB(statements.Connector(address.String())), nil
}

func connect(path string, readOnly bool) (*sql.DB, error) {
	keepMemory()
	q := url.Values{}
	q.Add("_pragma", fmt.Sprintf("busy_timeout(%d)", busyTimeout))
	q.Add("_pragma", "foreign_keys(1)")
	q.Add("_pragma", "synchronous(NORMAL)")
	if readOnly {
		q.Add("_pragma", "query_only(1)")
	} else {
		q.Add("_pragma", "journal_mode(WAL)")
		q.Add("_pragma", "secure_delete(1)")
		q.Add("_pragma", fmt.Sprintf("journal_size_limit(%d)", walLimit))
		q.Set("_txlock", "immediate")
	}
	db, err := openFile(path, q)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	n := 1
	if readOnly {
		n = readers
	}
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	return db, nil
}

// inTx runs f in a transaction of the writer, kept if f returns nil.
func (d *database) inTx(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := d.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin transaction: %w", err)
	}
	if err := f(tx); err != nil {
		_ = tx.Rollback() // err is the cause; a rollback fails only where nothing is left to undo
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// sharedDatabase is a database whose folder another process may have.
type sharedDatabase struct {
	*database
	lock *os.File // nil where another process has the folder
}

// openShared opens the database of a data folder whether or not a process has the folder, which is
// made if it is not there. Where no process has it, none may open it until close.
func openShared(ctx context.Context, dir string) (sharedDatabase, error) {
	s, err := Open(ctx, dir)
	if err == nil {
		return sharedDatabase{s.database, s.lock}, s.sessions.log.end()
	}
	if !errors.Is(err, ErrInUse) {
		return sharedDatabase{}, err
	}
	path, err := filepath.Abs(filepath.Join(dir, "steno.db"))
	if err != nil {
		return sharedDatabase{}, fmt.Errorf("find database: %w", err)
	}
	db, err := connect(path, false)
	if err != nil {
		return sharedDatabase{}, err
	}
	if err := checkVersion(ctx, db); err != nil {
		return sharedDatabase{}, errors.Join(err, db.Close())
	}
	return sharedDatabase{database: &database{write: db, read: db, now: time.Now, damage: new(damages)}}, nil
}

func (b sharedDatabase) close() error {
	err := b.database.close()
	if b.lock != nil {
		err = errors.Join(err, filelock.Close(b.lock))
	}
	return err
}
