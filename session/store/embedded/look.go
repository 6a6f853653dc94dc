package embedded

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"

	"steno/session/filelock"
	"steno/session/store"
	"steno/session/store/embedded/journal"
)

// Look looks for damage of a data folder that no process has, and changes nothing: at the
// write-ahead log, and where the folder was left in order at the pages of the database and the
// lengths of recordings. It finds less than Check. Errors: ErrInUse, os.ErrNotExist where there is
// no database.
func Look(ctx context.Context, dir string) (found []store.Damage, err error) {
	path := filepath.Join(dir, "steno.db")
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	lock, err := lockFolder(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, filelock.Close(lock)) }()
	lost, err := lostTransactions(path + "-wal")
	if err != nil {
		return nil, err
	}
	if lost > 0 {
		found = append(found, lostLog(lost))
	}
	if wasKilled(path) {
		return found, nil // what follows is only known once the log was read
	}
	for _, text := range lookAtPages(ctx, path) {
		found = append(found, store.Damage{What: text, Fatal: true})
	}
	if _, err := os.Stat(filepath.Join(dir, journal.TailsFile)); err == nil {
		return found, nil // recordings lack what is there
	}
	short, err := lookAtJournals(dir)
	return append(found, short...), err
}

// lookAtPages returns what is the matter with the pages of a database that was closed. It makes no
// file beside it.
func lookAtPages(ctx context.Context, path string) (said []string) {
	q := url.Values{"mode": {"ro"}, "immutable": {"1"}}
	db, err := openFile(path, q)
	if err != nil {
		return []string{unreadable(err)}
	}
	defer db.Close()
	if said, err = pageFaults(ctx, db, `PRAGMA quick_check(5)`); err != nil {
		return []string{unreadable(err)}
	}
	return said
}

func unreadable(err error) string { return "the database is damaged: " + err.Error() }

// lookAtJournals compares the lengths of recordings with what was acknowledged.
func lookAtJournals(dir string) (found []store.Damage, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "sessions", "*", "*", journal.AcksFile))
	for _, path := range files {
		size, acked, err := journal.Measure(filepath.Dir(path))
		if err != nil {
			return found, err
		}
		if acked > size {
			found = append(found, store.Damage{Session: filepath.Base(filepath.Dir(path)),
				What: shortJournal(size, acked)})
		}
	}
	return found, err
}
