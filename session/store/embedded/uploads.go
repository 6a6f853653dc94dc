package embedded

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"steno/session/store"
)

const uploadColumns = `id, account, filename, source, extension, size, duration, channels, created_at, key_hash`

func scanUpload(scan scanner) (store.Upload, error) {
	var u store.Upload
	var created int64
	err := scan(&u.ID, &u.Account, &u.Filename, &u.Source, &u.Extension, &u.Size, &u.Duration, &u.Channels, &created,
		&u.Key)
	u.CreatedAt = time.UnixMilli(created).UTC()
	return u, err
}

// Upload implements store.Uploads.
func (s *uploads) Upload(ctx context.Context, account, id string) (store.Upload, error) {
	row := s.read.QueryRowContext(ctx, `SELECT `+uploadColumns+` FROM uploads WHERE account = ? AND id = ?`,
		account, id)
	u, err := scanUpload(row.Scan)
	if errors.Is(err, sql.ErrNoRows) {
		err = store.ErrNotFound
	}
	if err != nil {
		return store.Upload{}, fmt.Errorf("get upload: %w", err)
	}
	return u, nil
}

// uploadFile is an upload opened for reading.
type uploadFile struct {
	*io.SectionReader
	file *os.File
}

// uploads implements store.Uploads.
type uploads struct {
	*database
	*files
}

// OpenUpload implements store.Uploads.
func (s *uploads) OpenUpload(ctx context.Context, account, id string) (store.UploadFile, error) {
	s.mu.Lock() // no upload is between its row and its place
	defer s.mu.Unlock()
	u, err := s.Upload(ctx, account, id)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(s.uploadPath(id))
	if errors.Is(err, os.ErrNotExist) {
		s.damage.note(id, "the file of the upload is missing", false)
		err = store.ErrMissing
	}
	if err != nil {
		return nil, fmt.Errorf("open upload: %w", err)
	}
	return &uploadFile{io.NewSectionReader(f, 0, u.Size), f}, nil
}

func (f *uploadFile) Path() string { return f.file.Name() }
func (f *uploadFile) Close() error { return f.file.Close() }

// DeleteUpload implements store.Uploads. A file that could not be removed is tried again when the
// store is next opened.
func (s *uploads) DeleteUpload(ctx context.Context, account, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.deleting(ctx, func(tx *sql.Tx) error {
		if id == "" {
			return store.ErrNotFound
		}
		if err := checkUpload(ctx, tx, account, id); err != nil {
			return err
		}
		gone, err := dropUpload(ctx, tx, id)
		if err == nil && !gone {
			err = store.ErrUsed
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("delete upload: %w", err)
	}
	defer s.deleted()
	return s.removeUpload(context.WithoutCancel(ctx), id)
}

// checkUpload finds no fault with an id that is empty or one of the account's uploads.
func checkUpload(ctx context.Context, tx *sql.Tx, account, id string) error {
	if id == "" {
		return nil
	}
	var one int
	err := tx.QueryRowContext(ctx, `SELECT 1 FROM uploads WHERE account = ? AND id = ?`, account, id).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("upload: %w", store.ErrNotFound)
	}
	return err
}

// dropUpload takes away an upload's row if no record refers to it, and tells whether it did. Its
// file is to follow.
func dropUpload(ctx context.Context, tx *sql.Tx, id string) (gone bool, err error) {
	r, err := tx.ExecContext(ctx, `INSERT INTO upload_removals (id, account) SELECT id, account FROM uploads
		WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM records WHERE upload = ?1)`, id)
	if err != nil {
		return false, fmt.Errorf("drop upload: %w", err)
	}
	if n, err := r.RowsAffected(); err != nil || n == 0 {
		return false, err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM uploads WHERE id = ?`, id); err != nil {
		return false, fmt.Errorf("drop upload: %w", err)
	}
	return true, nil
}

func (s *uploads) removeUpload(ctx context.Context, id string) error {
	if err := os.Remove(s.uploadPath(id)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("remove upload: %w", err)
	}
	err := s.deleting(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM upload_removals WHERE id = ?`, id)
		return err
	})
	if err != nil {
		return fmt.Errorf("remember removal: %w", err)
	}
	return nil
}

// UnusedUploads implements store.Uploads.
func (s *uploads) UnusedUploads(ctx context.Context, before time.Time, limit int) ([]store.Upload, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT `+uploadColumns+` FROM uploads u INDEXED BY uploads_by_age
		WHERE created_at < ? AND NOT EXISTS (SELECT 1 FROM records r WHERE r.upload = u.id)
		ORDER BY created_at, id LIMIT ?`, before.UnixMilli(), max(limit, 0))
	return collect(rows, err, "list unused uploads", scanUpload)
}

// holdings are the bytes of each upload and each recording.
const holdings = `SELECT account, key_hash, size AS bytes FROM uploads
	UNION ALL SELECT account, key_hash, coalesce(seconds, 0) * coalesce(params ->> '$.sample_rate', 16000) * channels
		* coalesce(params ->> '$.bit_depth', 16) / 8 FROM records WHERE kind = 'live' AND stripped & 1 = 0`

// Held implements store.Store. Recordings count by their length and format, as their files do.
func (s *uploads) Held(ctx context.Context) (map[string]int64, error) {
	type share struct {
		key   []byte
		bytes float64
	}
	rows, err := s.read.QueryContext(ctx, `SELECT key_hash, sum(bytes) FROM (`+holdings+`) GROUP BY key_hash`)
	shares, err := collect(rows, err, "add up uploads", func(scan scanner) (h share, err error) {
		err = scan(&h.key, &h.bytes)
		return h, err
	})
	held := map[string]int64{}
	for _, h := range shares {
		held[string(h.key)] += int64(h.bytes)
	}
	return held, err
}
