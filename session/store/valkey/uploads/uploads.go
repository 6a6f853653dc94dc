// Package uploads keeps the uploads of a store on a Valkey server: their bytes in blob storage, and
// on the local disk, in a folder of this process alone, on their way in and while they are read.
package uploads

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"
	"time"

	"steno/session/store"
	"steno/session/store/blob"
	"steno/session/store/valkey/server"
	"steno/session/store/valkey/tier"
)

// Uploads implements store.Uploads.
type Uploads struct {
	server *server.Conn
	writer server.Writer
	tier   *tier.Tier
	spool  *Spool
	copies *copies

	mu      sync.Mutex
	writers map[string]store.UploadWriter // by id
}

// New begins to keep uploads; what is local is in the spool.
func New(w server.Writer, t *tier.Tier, b *blob.Bucket, s *Spool) *Uploads {
	return &Uploads{
		server: w.Conn, writer: w, tier: t, spool: s,
		copies: &copies{blobs: b, spool: s, open: map[string]*localCopy{}}, writers: map[string]store.UploadWriter{},
	}
}

// Gone removes the local copy of an upload that was deleted, by its folder.
func (s *Uploads) Gone(folder string) { s.copies.drop(folder) }

var (
	uploadDeleteScript = Scripts.Script("upload_delete", "record")
	uploadUnusedScript = Scripts.Script("upload_unused")
)

// encodeUpload returns an upload as names and values of its hash.
func encodeUpload(u store.Upload) []string {
	f := server.FieldList{}
	f.Add("account", u.Account)
	f.Add("key", string(u.Key))
	f.Add("filename", u.Filename)
	f.Add("source", u.Source)
	f.Add("extension", u.Extension)
	f.Add("size", strconv.FormatInt(u.Size, 10))
	if u.Duration != nil {
		f.Add("duration", strconv.FormatFloat(*u.Duration, 'g', -1, 64))
	}
	if u.Channels != nil {
		f.Add("channels", strconv.Itoa(*u.Channels))
	}
	f.Add("created", server.Millis(u.CreatedAt))
	return f
}

// decodeUpload returns the upload of that id from its hash.
func decodeUpload(id string, fields map[string]string) (store.Upload, error) {
	n := server.Numbers{Fields: fields}
	u := store.Upload{
		ID: id, Account: fields["account"], Key: server.Raw(fields["key"]), Filename: fields["filename"],
		Source: fields["source"], Extension: fields["extension"],
		Size: n.Integer("size"), CreatedAt: time.UnixMilli(n.Integer("created")).UTC(),
	}
	u.Duration = n.Seconds("duration")
	if fields["channels"] != "" {
		channels := int(n.Integer("channels"))
		u.Channels = &channels
	}
	return u, n.Err
}

// Upload implements store.Uploads.
func (s *Uploads) Upload(ctx context.Context, account, id string) (store.Upload, error) {
	u, _, err := s.find(ctx, account, id)
	if err != nil {
		return store.Upload{}, fmt.Errorf("get upload: %w", err)
	}
	return u, nil
}

// find returns an upload and the folder of its bytes.
func (s *Uploads) find(ctx context.Context, account, id string) (u store.Upload, folder string, err error) {
	if store.CheckID(id) != nil {
		return u, "", store.ErrNotFound
	}
	fields, err := s.server.Hash(ctx, "upload:"+id)
	if err != nil {
		return u, "", err
	}
	if account == "" || fields["account"] != account {
		return u, "", store.ErrNotFound
	}
	u, err = decodeUpload(id, fields)
	return u, fields["folder"], err
}

// uploadFile is a local copy of an upload, opened for reading.
type uploadFile struct {
	*io.SectionReader
	file   *os.File
	copies *copies
	copy   *localCopy
	folder string
}

// OpenUpload implements store.Uploads.
func (s *Uploads) OpenUpload(ctx context.Context, account, id string) (store.UploadFile, error) {
	u, folder, err := s.find(ctx, account, id)
	if err != nil {
		return nil, fmt.Errorf("open upload: %w", err)
	}
	l, f, err := s.copies.get(ctx, folder)
	if errors.Is(err, store.ErrNotFound) {
		if _, _, gone := s.find(ctx, account, id); gone == nil { // it was not deleted meanwhile
			err = fmt.Errorf("%w: %w", store.ErrMissing, err)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open upload: %w", err)
	}
	return &uploadFile{io.NewSectionReader(f, 0, u.Size), f, s.copies, l, folder}, nil
}

func (f *uploadFile) Path() string { return f.file.Name() }

func (f *uploadFile) Close() error {
	if err := f.file.Close(); err != nil {
		return err // it was closed before
	}
	return f.copies.put(f.folder, f.copy)
}

// DeleteUpload implements store.Uploads. Bytes that blob storage does not remove now are removed by
// upkeep.
func (s *Uploads) DeleteUpload(ctx context.Context, account, id string) error {
	if store.CheckID(id) != nil {
		return fmt.Errorf("delete upload: %w", store.ErrNotFound)
	}
	m, err := s.writer.Run(ctx, uploadDeleteScript, account, id)
	var folder string
	if err == nil {
		folder, err = m.ToString()
	}
	if err != nil {
		return fmt.Errorf("delete upload: %w", err)
	}
	s.copies.drop(folder)
	s.tier.Remove(ctx, folder)
	return nil
}

// UnusedUploads implements store.Uploads.
func (s *Uploads) UnusedUploads(ctx context.Context, before time.Time, limit int) ([]store.Upload, error) {
	var all []store.Upload
	for more := true; more && len(all) < limit; {
		n := min(limit-len(all), server.MaxRows)
		rows, err := s.server.Hashes(ctx, uploadUnusedScript, s.server.Ahead(before), strconv.Itoa(len(all)),
			strconv.Itoa(n))
		if err != nil {
			return nil, fmt.Errorf("list unused uploads: %w", err)
		}
		for _, row := range rows {
			u, err := decodeUpload(row.ID, row.Fields)
			if err != nil {
				return nil, fmt.Errorf("list unused uploads: %w", err)
			}
			all = append(all, u)
		}
		more = len(rows) == n
	}
	return all, nil
}

// DiscardAll discards what is not committed.
func (s *Uploads) DiscardAll() error {
	s.mu.Lock()
	var open []store.UploadWriter
	for _, w := range s.writers {
		open = append(open, w)
	}
	s.mu.Unlock()
	var errs []error
	for _, w := range open {
		errs = append(errs, w.Discard())
	}
	return errors.Join(errs...)
}
