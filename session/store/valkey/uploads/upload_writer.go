package uploads

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"steno/session/store"
	"steno/session/store/valkey/server"
	"steno/session/store/valkey/tier"
)

var (
	uploadBeginScript  = Scripts.Script("upload_begin")
	uploadCommitScript = Scripts.Script("upload_commit", "record")
	uploadGiveUpScript = Scripts.Script("upload_give_up", "record")
)

// uploadWriter takes in one upload, into a local file that Commit sends to blob storage.
type uploadWriter struct {
	uploads *Uploads
	id      string

	mu    sync.Mutex // Discard may come from the store's Close; taken before that of uploads
	file  *os.File
	size  int64
	fault error // why nothing more can be written or committed
	ended bool  // the file is removed
}

var _ store.UploadWriter = (*uploadWriter)(nil)

// NewUpload implements store.Uploads. Where two nodes begin an upload of one id the first to commit
// it has it.
func (s *Uploads) NewUpload(ctx context.Context, id string) (store.UploadWriter, error) {
	w, err := s.begin(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("begin upload: %w", err)
	}
	return w, nil
}

func (s *Uploads) begin(ctx context.Context, id string) (*uploadWriter, error) {
	if err := store.CheckID(id); err != nil {
		return nil, err
	}
	there, err := s.server.Exists(ctx, "upload:"+id)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if there || s.writers[id] != nil {
		return nil, store.ErrExists
	}
	w := &uploadWriter{uploads: s, id: id}
	if w.file, err = s.spool.create(); err != nil {
		return nil, err
	}
	s.writers[id] = w
	return w, nil
}

func (w *uploadWriter) Path() string { return w.file.Name() }

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
	w.mu.Lock()
	defer w.mu.Unlock()
	u.ID, u.Size = w.id, w.size
	u.CreatedAt = time.UnixMilli(u.CreatedAt.UnixMilli()).UTC()
	if err := w.commit(ctx, u); err != nil {
		if w.fault == nil {
			w.fault = err
		}
		return store.Upload{}, fmt.Errorf("commit upload: %w", err)
	}
	if err := w.end(); err != nil {
		return u, nil // it is an upload, though its local file goes only with the spool
	}
	return u, nil
}

// commit sends the bytes to blob storage, and then makes them an upload. Its folder is noted
// before, so that the bytes are found where this process dies in between.
func (w *uploadWriter) commit(ctx context.Context, u store.Upload) error {
	if w.fault != nil {
		return w.fault
	}
	if err := store.CheckUpload(u); err != nil {
		return err
	}
	s, folder := w.uploads, tier.NewFolder("u", w.id)
	if err := s.writer.Persist(ctx, uploadBeginScript, folder); err != nil {
		return err
	}
	fields := encodeUpload(u)
	err := s.tier.Blobs.Put(ctx, folder+tier.UploadBlob, io.NewSectionReader(w.file, 0, w.size))
	if err == nil {
		err = tier.PutDescription(ctx, s.tier.Blobs, folder+tier.UploadDescription, tier.Description{ID: w.id,
			Fields: tier.UploadFields(folder, fields)})
	}
	if err == nil {
		err = server.Insist(ctx, func() error {
			_, err := s.writer.Run(ctx, uploadCommitScript, append([]string{w.id, folder, s.server.Ahead(u.CreatedAt)},
				fields...)...)
			return err
		})
	}
	if err == nil {
		return nil
	}
	// Whether it was committed is not known where the server is away; its answer to this call
	// tells.
	left, cancel := context.WithTimeout(context.WithoutCancel(ctx), tier.RemovalTime)
	defer cancel()
	if _, gone := s.server.Run(left, uploadGiveUpScript, w.id, folder); gone == nil {
		_ = s.tier.RemoveFolder(left, folder) // else upkeep does
	}
	return err
}

// Discard implements store.UploadWriter.
func (w *uploadWriter) Discard() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.end(); err != nil {
		return fmt.Errorf("discard upload: %w", err)
	}
	return nil
}

// end removes the local file. It is called with mu held.
func (w *uploadWriter) end() error {
	if w.ended {
		return nil
	}
	w.ended, w.fault = true, store.ErrLost
	err := errors.Join(w.file.Close(), os.Remove(w.file.Name()))
	w.uploads.mu.Lock()
	defer w.uploads.mu.Unlock()
	if w.uploads.writers[w.id] == w {
		delete(w.uploads.writers, w.id)
	}
	return err
}
