package embedded

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"steno/session/store/backup"
	"steno/session/store/embedded/journal"
)

// BackedUp is what Backup has written.
type BackedUp struct{ Records, Uploads int }

// Backup writes to w what a data folder has, whether or not a process is using it. The rows are
// those of one moment. Files are copied after them, and those of a session in an order in which the
// recording has at least what rows and acknowledgements refer to; what comes later than the rows
// may be in it too, as after a process that was killed. What is deleted meanwhile may be in the
// rows, without its files. The caller closes w. Errors: ErrNewer, os.ErrNotExist where the folder
// has no database.
func Backup(ctx context.Context, dir string, w *backup.Writer) (done BackedUp, err error) {
	if _, err := os.Stat(filepath.Join(dir, "steno.db")); err != nil {
		return done, fmt.Errorf("find database: %w", err)
	}
	copied, err := vacuumInto(ctx, filepath.Join(dir, "steno.db"), w)
	if err != nil {
		return done, fmt.Errorf("back up rows: %w", err)
	}
	b := fileBackup{files: &files{dir: dir}, w: w, tails: journal.CopiesIn(dir)}
	if err := b.copyFiles(ctx, copied, &done); err != nil {
		return done, fmt.Errorf("back up files: %w", err)
	}
	return done, w.Made("steno.db")
}

// addErasures adds what the rows of a copied database state to be erased.
func addErasures(ctx context.Context, db *sql.DB, w *backup.Writer) error {
	l, err := erasuresIn(ctx, db)
	if err == nil {
		err = w.AddErasures(l)
	}
	return err
}

// vacuumInto copies the database, without what was deleted from it, and returns where the copy is.
func vacuumInto(ctx context.Context, path string, w *backup.Writer) (copied string, err error) {
	if copied, err = w.Path("steno.db"); err != nil {
		return "", err
	}
	db, err := connect(path, false)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	p, err := migrator(db)
	if err == nil {
		err = checkNotNewer(ctx, p)
	}
	if err != nil {
		return "", err
	}
	_, err = db.ExecContext(ctx, `VACUUM INTO ?`, copied)
	return copied, err
}

// fileBackup copies the files of sessions and uploads.
type fileBackup struct {
	*files
	w     *backup.Writer
	tails *journal.Copies
}

// copyFiles copies the files that the rows of a copied database refer to.
func (b *fileBackup) copyFiles(ctx context.Context, database string, done *BackedUp) (err error) {
	db, err := connect(database, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := addErasures(ctx, db, b.w); err != nil {
		return err
	}
	if err := db.QueryRowContext(ctx, `SELECT count(*) FROM records`).Scan(&done.Records); err != nil {
		return err
	}
	err = eachRow(ctx, db, `SELECT id, status IN ('done', 'error') FROM records WHERE kind = 'live'`, b.session)
	if err != nil {
		return err
	}
	return eachRow(ctx, db, `SELECT id, 1 FROM uploads`, func(id string, _ bool) error {
		done.Uploads++
		return b.upload(id)
	})
}

// eachRow calls f with the id and the mark of each row.
func eachRow(ctx context.Context, db *sql.DB, query string, f func(id string, mark bool) error) error {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		var mark bool
		if err := rows.Scan(&id, &mark); err != nil {
			return err
		}
		if err := f(id, mark); err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
	}
	return rows.Err()
}

// session copies the files of a session. The ends of both are taken before the files, and the
// acknowledgements before the recording.
func (b *fileBackup) session(id string, finished bool) error {
	for _, name := range []string{journal.AcksFile, journal.AudioFile} {
		var from int64
		var end []byte
		if !finished {
			from, end = b.tails.Tail(id, name)
		}
		if err := b.grown(filepath.Join(b.folder(id), name), from, bytes.NewReader(end)); err != nil {
			return err
		}
	}
	return nil
}

// grown copies a file that grows, and after it of what follows a place what the file does not have.
func (b *fileBackup) grown(path string, from int64, end io.Reader) error {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil // deleted since, or never made
	}
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if skipped, err := io.CopyN(io.Discard, end, max(info.Size()-from, 0)); err != nil && err != io.EOF {
		return fmt.Errorf("skip %d bytes: %w", skipped, err)
	}
	if info.Size() < from {
		end = strings.NewReader("") // the file has been rewritten and holds all earlier entries
	}
	return b.add(path, io.MultiReader(io.LimitReader(f, info.Size()), end))
}

func (b *fileBackup) add(path string, r io.Reader) error {
	name, err := filepath.Rel(b.dir, path)
	if err != nil {
		return err
	}
	return b.w.Add(filepath.ToSlash(name), r)
}

// upload copies an upload, which may not be in its place yet.
func (b *fileBackup) upload(id string) error {
	for _, path := range []string{b.uploadPath(id), filepath.Join(b.dir, newUploads, id), b.uploadPath(id)} {
		f, err := os.Open(path)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err == nil {
			err = errors.Join(b.add(b.uploadPath(id), f), f.Close())
		}
		return err
	}
	return nil // deleted since
}
