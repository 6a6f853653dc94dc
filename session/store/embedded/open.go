// Package embedded keeps everything in one folder of the local disk: rows in SQLite, audio and acks in files, one
// folder per session. One process at a time has the folder.
//
//	lock                     held by the process that has the folder
//	steno.db                 records, events, checkpoints, keys
//	sessions/ab/ab…/audio    a session's journal: the bytes as they came
//	sessions/ab/ab…/acks     what its client was told and has confirmed
package embedded

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"steno/session/store"
)

// ErrInUse says that another process has the data folder.
var ErrInUse = errors.New("data folder is in use by another process")

const (
	folderMode = 0o700
	fileMode   = 0o600

	readers     = 4    // connections that read
	busyTimeout = 5000 // milliseconds to wait for another process's transaction
	walLimit    = 64 << 20
)

// Store is the embedded store.
type Store struct {
	keyring
	dir  string
	lock *os.File
	hot  statements

	// mu is held over a whole claim and over the part of a deletion that takes the files away, so that no claim makes
	// a folder for a record just deleted. Taken before any lock of a handle; never while a transaction is open.
	mu     sync.Mutex
	claims map[string]*live
}

var _ store.Store = (*Store)(nil)

// Open opens the store in a folder, which is made if it is not there, and brings its database up to date. Audio whose
// deletion was interrupted is removed. Errors: ErrInUse, ErrNewer.
func Open(ctx context.Context, dir string) (*Store, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("find data folder: %w", err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "sessions"), folderMode); err != nil {
		return nil, fmt.Errorf("make data folder: %w", err)
	}
	lock, err := lockFolder(dir)
	if err != nil {
		return nil, err
	}
	s := &Store{dir: dir, lock: lock, claims: map[string]*live{}}
	if err := s.openDatabase(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if err := s.removePending(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Store) openDatabase(ctx context.Context) error {
	path := filepath.Join(s.dir, "steno.db")
	if err := touch(path); err != nil {
		return err
	}
	var err error
	if s.write, err = connect(path, false); err != nil {
		return err
	}
	if err := migrate(ctx, s.write); err != nil {
		return err
	}
	if s.read, err = connect(path, true); err != nil {
		return err
	}
	return s.hot.prepare(ctx, s.write)
}

// lockFolder takes the folder for this process. The lock ends with the process, however that dies.
func lockFolder(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, fileMode)
	if err != nil {
		return nil, fmt.Errorf("open lock of data folder: %w", err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = fmt.Errorf("%w: %s", ErrInUse, dir)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// touch makes the database file before SQLite does, whose own would be readable by others. The files SQLite puts
// beside it take its permissions.
func touch(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, fileMode)
	if err != nil {
		return fmt.Errorf("make database: %w", err)
	}
	return f.Close()
}

func connect(path string, readOnly bool) (*sql.DB, error) {
	q := url.Values{}
	q.Add("_pragma", fmt.Sprintf("busy_timeout(%d)", busyTimeout))
	q.Add("_pragma", "foreign_keys(1)")
	q.Add("_pragma", "synchronous(NORMAL)")
	if readOnly {
		q.Add("_pragma", "query_only(1)")
	} else {
		q.Add("_pragma", "journal_mode(WAL)")
		q.Add("_pragma", fmt.Sprintf("journal_size_limit(%d)", walLimit))
		q.Set("_txlock", "immediate")
	}
	dsn := url.URL{Scheme: "file", Path: path, RawQuery: q.Encode()}
	db, err := sql.Open("sqlite", dsn.String())
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

// Ping takes the writer's lock and gives it back, and reads.
func (s *Store) Ping(ctx context.Context) error {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("write to database: %w", err)
	}
	if err := tx.Rollback(); err != nil {
		return fmt.Errorf("end transaction: %w", err)
	}
	var one int
	if err := s.read.QueryRowContext(ctx, `SELECT 1 FROM records LIMIT 1`).Scan(&one); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("read from database: %w", err)
	}
	return nil
}

// Close implements store.Store.
func (s *Store) Close() error {
	var errs []error
	for _, l := range s.openHandles() {
		errs = append(errs, l.Close())
	}
	errs = append(errs, s.hot.close())
	for _, db := range []*sql.DB{s.read, s.write} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	errs = append(errs, s.lock.Close())
	return errors.Join(errs...)
}

func (s *Store) openHandles() []*live {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []*live
	for _, l := range s.claims {
		all = append(all, l)
	}
	return all
}

// inTx runs f in a transaction of the writer, kept if f returns nil.
func (s *Store) inTx(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin transaction: %w", err)
	}
	if err := f(tx); err != nil {
		_ = tx.Rollback() // the cause is told; a rollback fails only where there is nothing left to undo
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}
