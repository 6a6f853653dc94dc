// Package embedded keeps everything in one folder of the local disk: rows in SQLite, audio and acks
// in files, one folder per session. One process at a time has the folder.
//
//	lock                     held by the process that has the folder
//	tails                    the last bytes of each open journal and file of acks, while a process
//	                         has the folder
//	steno.db                 records, events, checkpoints, queue, outbox, keys, tokens, secrets,
//	                         accounts
//	sessions/ab/ab…/audio    a session's journal: the bytes as they came
//	sessions/ab/ab…/acks     what its client was sent and has confirmed
//	uploads/ab/ab…           an upload's bytes
//	uploads/new/ab…          those of one that is not committed yet
package embedded

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"steno/session/filelock"
	"steno/session/store"
	"steno/session/store/embedded/journal"
)

// ErrInUse means that another process has the data folder.
var ErrInUse = errors.New("data folder is in use by another process")

const (
	folderMode = 0o700
	fileMode   = 0o600
)

// Store is the embedded store. Each part implements one of the contract's interfaces; the Store
// itself opens and closes them, and deletes what belongs to several.
type Store struct {
	*database
	*files
	keyring
	tokens
	secrets
	dataKeys
	accountLog
	*feed
	outbox
	records
	sessions
	uploads
	jobQueue
	nodes
	accounts
	auditLog
	inspection inspection
	lock       *os.File
}

var _ store.Store = (*Store)(nil)

// Options change what is usual. The zero value is the usual.
type Options struct {
	// Now is the clock of leases, of the outbox and of completion times; nil for time.Now. Any
	// goroutine calls it.
	Now func() time.Time
	// ResumeWindow is how long sessions wait for their clients after Open and after Live.Close; 0:
	// store.ResumeWindow.
	ResumeWindow time.Duration
}

// Open opens the store in a folder, which is made if it is not there, and brings its database up to
// date. Deletions that were interrupted are ended, uploads that were not committed are removed, and
// what an earlier process held of queue and outbox is free again. Errors: ErrInUse, ErrNewer.
func Open(ctx context.Context, dir string) (*Store, error) { return OpenWith(ctx, dir, Options{}) }

// OpenWith is Open with options.
func OpenWith(ctx context.Context, dir string, o Options) (*Store, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("find data folder: %w", err)
	}
	for _, part := range []string{"sessions", newUploads} {
		if err := os.MkdirAll(filepath.Join(dir, part), folderMode); err != nil {
			return nil, fmt.Errorf("make data folder: %w", err)
		}
	}
	lock, err := lockFolder(dir)
	if err != nil {
		return nil, err
	}
	db := &database{now: o.Now, damage: new(damages)}
	if db.now == nil {
		db.now = time.Now
	}
	window := cmp.Or(o.ResumeWindow, store.ResumeWindow)
	files := &files{dir: dir, tails: journal.NewTails(dir), claims: map[string]*live{},
		writers: map[string]*uploadWriter{}}
	out, changed, feed := outbox{db, newWake(recheck)}, newWake(rareRecheck), newFeed()
	s := &Store{
		database: db, files: files, keyring: keyring{db}, tokens: tokens{db}, secrets: secrets{db},
		dataKeys: dataKeys{db}, outbox: out,
		lock:       lock,
		accountLog: accountLog{db}, feed: feed, records: records{db, changed, window},
		sessions: sessions{database: db, files: files, log: new(eventLog), feed: feed, resumeWindow: window},
		uploads:  uploads{db, files}, jobQueue: jobQueue{db, out, changed, newRotation()}, nodes: newNodes(db.now),
		accounts: newAccounts(db), auditLog: auditLog{db},
	}
	for _, step := range []func(context.Context) error{s.openDatabase, s.removePending, s.recoverTails, s.sweepUploads,
		s.freeLeases, s.freeClaims, s.freeSessions} {
		if err := step(ctx); err != nil {
			return nil, errors.Join(asDamage(err), s.Close())
		}
	}
	return s, nil
}

func (s *Store) openDatabase(ctx context.Context) error {
	path := filepath.Join(s.dir, "steno.db")
	if lost, err := lostTransactions(path + "-wal"); err != nil {
		return err
	} else if lost > 0 {
		s.damage.note("", lostLog(lost).What, false)
	}
	if err := s.database.open(ctx, path); err != nil {
		return err
	}
	return s.sessions.log.begin(ctx, s.database)
}

// recoverTails writes what an earlier process had accepted and not written.
func (s *Store) recoverTails(ctx context.Context) error {
	var errs []error
	err := s.files.tails.Recover(s.folder, func(id string, from int64) {
		s.damage.note(id, fmt.Sprintf("the end of the recording is lost, after %d bytes", from), false)
		if _, err := s.addLoss(ctx, id, from); err != nil && !errors.Is(err, sql.ErrNoRows) {
			errs = append(errs, err)
		}
	})
	return errors.Join(append(errs, err)...)
}

// lockFolder takes the folder for this process. The lock ends with the process, however that dies.
func lockFolder(dir string) (*os.File, error) {
	f, err := filelock.Open(filepath.Join(dir, "lock"), fileMode)
	if errors.Is(err, filelock.ErrHeld) {
		return nil, fmt.Errorf("%w: %s", ErrInUse, dir)
	}
	if err != nil {
		return nil, fmt.Errorf("lock data folder: %w", err)
	}
	return f, nil
}

// Ping acquires and releases the writer's lock, and reads.
func (s *Store) Ping(ctx context.Context) error {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("write to database: %w", err)
	}
	if err := tx.Rollback(); err != nil {
		return fmt.Errorf("end transaction: %w", err)
	}
	var one int
	if err := s.read.QueryRowContext(ctx, `SELECT 1 FROM records LIMIT 1`).Scan(&one); err != nil &&
		!errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("read from database: %w", err)
	}
	return nil
}

// Close implements store.Store.
func (s *Store) Close() error {
	var errs []error
	s.inspection.stop()
	for _, end := range s.openHandles() {
		errs = append(errs, end())
	}
	errs = append(errs, s.tails.Close(), s.sessions.log.end(), s.database.close(), filelock.Close(s.lock))
	return errors.Join(errs...)
}
