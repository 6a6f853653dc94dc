package embedded

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"steno/session/store"
)

// newUploads is the folder of files that are not committed. An upload is one from the moment its
// row is; its file goes to its place right after, or when the store is next opened.
const newUploads = "uploads/new"

// uploadWriter takes in one upload.
type uploadWriter struct {
	uploads *uploads
	id      string
	path    string

	mu    sync.Mutex // Discard may come from the store's Close; taken after files.mu
	file  *os.File
	size  int64
	fault error // why nothing more can be written or committed
	ended bool  // the file is not this handle's any more
}

var _ store.UploadWriter = (*uploadWriter)(nil)

// NewUpload implements store.Uploads.
func (s *uploads) NewUpload(ctx context.Context, id string) (store.UploadWriter, error) {
	w, err := s.newUpload(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("begin upload: %w", err)
	}
	return w, nil
}

func (s *uploads) newUpload(ctx context.Context, id string) (*uploadWriter, error) {
	if err := store.CheckID(id); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var known bool
	err := s.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM uploads WHERE id = ?1
		UNION ALL SELECT 1 FROM upload_removals WHERE id = ?1)`, id).Scan(&known)
	if err != nil {
		return nil, err
	}
	if known || s.writers[id] != nil {
		return nil, store.ErrExists
	}
	w := &uploadWriter{uploads: s, id: id, path: filepath.Join(s.dir, newUploads, id)}
	if w.file, err = os.OpenFile(w.path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, fileMode); err != nil {
		return nil, err
	}
	s.writers[id] = w
	return w, nil
}

func (w *uploadWriter) Path() string { return w.path }

func (w *uploadWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.fault != nil {
		return 0, fmt.Errorf("write upload: %w", w.fault)
	}
	n, err := w.file.Write(p)
	w.size += int64(n)
	if err != nil {
		w.fault = err
		return n, fmt.Errorf("write upload: %w", err)
	}
	return n, nil
}

// Commit implements store.UploadWriter.
func (w *uploadWriter) Commit(ctx context.Context, u store.Upload) (store.Upload, error) {
	w.uploads.mu.Lock()
	defer w.uploads.mu.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	u.ID, u.Size = w.id, w.size
	if err := w.commit(ctx, &u); err != nil {
		if w.fault == nil {
			w.fault = err
		}
		return store.Upload{}, fmt.Errorf("commit upload: %w", err)
	}
	w.ended, w.fault = true, store.ErrLost
	delete(w.uploads.writers, w.id)
	return u, nil
}

func (w *uploadWriter) commit(ctx context.Context, u *store.Upload) error {
	if w.fault != nil {
		return w.fault
	}
	if err := store.CheckUpload(*u); err != nil {
		return err
	}
	if err := w.file.Close(); err != nil {
		return err
	}
	place := w.uploads.uploadPath(w.id)
	if err := os.MkdirAll(filepath.Dir(place), folderMode); err != nil {
		return err
	}
	if err := w.uploads.insertUpload(ctx, u); err != nil {
		return err
	}
	err := os.Rename(w.path, place)
	if err == nil {
		return nil
	}
	_, undone := w.uploads.write.ExecContext(context.WithoutCancel(ctx), `DELETE FROM uploads WHERE id = ?`, w.id)
	w.ended = undone != nil // it is an upload then, whose file goes to its place when the store is next opened
	return errors.Join(err, undone)
}

func (s *uploads) insertUpload(ctx context.Context, u *store.Upload) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		row := tx.QueryRowContext(ctx, `INSERT INTO uploads (`+uploadColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT DO NOTHING RETURNING `+uploadColumns,
			u.ID, u.Account, u.Filename, u.Source, u.Extension, u.Size, u.Duration, u.Channels,
			u.CreatedAt.UnixMilli(), u.Key)
		kept, err := scanUpload(row.Scan)
		if errors.Is(err, sql.ErrNoRows) {
			return store.ErrExists
		}
		*u = kept
		return err
	})
}

// Discard implements store.UploadWriter.
func (w *uploadWriter) Discard() error {
	err := w.discard()
	w.uploads.mu.Lock()
	defer w.uploads.mu.Unlock()
	if w.uploads.writers[w.id] == w {
		delete(w.uploads.writers, w.id)
	}
	return err
}

func (w *uploadWriter) discard() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended {
		return nil
	}
	w.ended, w.fault = true, store.ErrLost
	err := w.file.Close()
	if errors.Is(err, os.ErrClosed) {
		err = nil // by a commit that failed
	}
	if gone := os.Remove(w.path); gone != nil {
		err = errors.Join(err, gone)
	}
	if err != nil {
		return fmt.Errorf("discard upload: %w", err)
	}
	return nil
}

// sweepUploads removes what an earlier process was taking in, and ends the commits and removals it
// had begun.
func (s *uploads) sweepUploads(ctx context.Context) error {
	left, err := os.ReadDir(filepath.Join(s.dir, newUploads))
	if err != nil {
		return fmt.Errorf("list new uploads: %w", err)
	}
	for _, entry := range left {
		if err := s.sweepUpload(ctx, entry.Name()); err != nil {
			return fmt.Errorf("sweep new uploads: %w", err)
		}
	}
	rows, err := s.write.QueryContext(ctx, `SELECT id FROM upload_removals`)
	ids, err := collect(rows, err, "list removals of uploads", scanText)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := s.removeUpload(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

func (s *uploads) sweepUpload(ctx context.Context, id string) error {
	path := filepath.Join(s.dir, newUploads, id)
	var committed bool
	if err := s.write.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM uploads WHERE id = ?)`,
		id).Scan(&committed); err != nil {
		return err
	}
	if !committed {
		return os.RemoveAll(path)
	}
	place := s.uploadPath(id)
	// copies of a data folder may lack empty folders
	if err := os.MkdirAll(filepath.Dir(place), folderMode); err != nil {
		return err
	}
	return os.Rename(path, place)
}
