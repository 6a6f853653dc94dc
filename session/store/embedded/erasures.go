package embedded

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"steno/session/store"
	"steno/session/store/backup"
	"steno/session/store/embedded/journal"
)

// noteErasure remembers that parts of what has an id are erased in this transaction, all of it
// where parts is 0, and forgets what was erased too long ago.
func (d *database) noteErasure(ctx context.Context, tx *sql.Tx, id string, parts store.Parts) error {
	key := make([]byte, store.ErasureKeySize)
	_, _ = rand.Read(key) // never fails
	_, err := tx.ExecContext(ctx, `INSERT INTO erasure_key (n, key) VALUES (1, ?) ON CONFLICT DO NOTHING`, key)
	if err == nil {
		err = tx.QueryRowContext(ctx, `SELECT key FROM erasure_key`).Scan(&key)
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, `INSERT OR REPLACE INTO erasures (mark, parts, at) VALUES (?, ?, ?)`,
			store.ErasureMark(key, id), parts, d.now().UnixMilli())
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, `DELETE FROM erasures WHERE at < ?`,
			d.now().Add(-store.ErasuresKept).UnixMilli())
	}
	if err != nil {
		return fmt.Errorf("note erasure: %w", err)
	}
	return nil
}

// Erasures returns what was erased from the store of a data folder, whether or not a process is
// using it.
func Erasures(ctx context.Context, dir string) (l *store.ErasureList, err error) {
	db, err := openShared(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.close()) }()
	return erasuresIn(ctx, db.read)
}

func erasuresIn(ctx context.Context, db *sql.DB) (*store.ErasureList, error) {
	l := &store.ErasureList{Erased: []store.Erasure{}}
	var known bool // older programs have no list
	err := db.QueryRowContext(ctx, `SELECT count(*) > 0 FROM sqlite_master WHERE name = 'erasure_key'`).Scan(&known)
	if err == nil && known {
		err = db.QueryRowContext(ctx, `SELECT key FROM erasure_key`).Scan(&l.Key)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return l, nil
	}
	if err == nil && known {
		var rows *sql.Rows
		rows, err = db.QueryContext(ctx, `SELECT mark, parts, at FROM erasures`)
		l.Erased, err = collect(rows, err, "list erasures", func(scan scanner) (e store.Erasure, err error) {
			err = scan(&e.Mark, &e.Parts, &e.At)
			return e, err
		})
	}
	return l, err
}

// EraseAgain erases from a data folder that no process has, such as one that was restored, what
// lists state to be erased, and returns how many records and accounts that concerned.
func EraseAgain(ctx context.Context, dir string, lists store.Erasures) (n int, err error) {
	s, err := Open(ctx, dir)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	rows, err := s.read.QueryContext(ctx, `SELECT account, id, created_at FROM records ORDER BY n`)
	all, err := collect(rows, err, "list records", func(scan scanner) (r store.Made, err error) {
		var at int64
		err = scan(&r.Account, &r.ID, &at)
		r.At = time.UnixMilli(at)
		return r, err
	})
	if err != nil {
		return 0, err
	}
	return store.EraseAgain(ctx, s, all, lists)
}

// Prune removes from a backup of a data folder what lists state to be erased, and returns how many
// records and accounts that concerned. Errors: those of backup.Prune.
func Prune(ctx context.Context, dir string, m backup.Manifest, lists store.Erasures) (n int, err error) {
	err = backup.Prune(ctx, dir, m, lists, func() ([]string, error) {
		if n, err = EraseAgain(ctx, dir, lists); err != nil {
			return nil, err
		}
		for _, name := range []string{"lock", journal.TailsFile, "ballast", "steno.db-wal", "steno.db-shm"} {
			if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
				return nil, err
			}
		}
		return []string{"steno.db"}, nil
	})
	return n, err
}
