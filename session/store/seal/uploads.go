package seal

import (
	"context"
	"crypto/cipher"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"steno/session/store"
)

// An upload that is sealed is its chunks, each followed by its tag, under a key of its own. That is
// with the file's name, sealed, and so is its length: pieces cannot be swapped or cut.

// uploadHead is what is sealed with the name of an upload.
type uploadHead struct {
	size int64
	key  [keySize]byte
	name string
}

func uploadAbout(id string) string { return "upload\x00" + id }

func (s *Store) sealHead(ctx context.Context, account, id string, h uploadHead) (string, error) {
	p := binary.BigEndian.AppendUint64(nil, uint64(h.size))
	return s.ring.sealText(ctx, account, uploadAbout(id), string(append(p, h.key[:]...))+h.name)
}

// openHead returns nil for an upload in the clear.
func (s *Store) openHead(ctx context.Context, u store.Upload) (*uploadHead, error) {
	if !strings.HasPrefix(u.Filename, textMark) {
		return nil, nil
	}
	p, err := s.ring.openText(ctx, u.Account, uploadAbout(u.ID), u.Filename)
	if err != nil || p == u.Filename {
		return nil, err
	}
	if len(p) < 8+keySize {
		return nil, fmt.Errorf("upload %s: %w", u.ID, store.ErrDamaged)
	}
	size := int64(binary.BigEndian.Uint64([]byte(p[:8])))
	return &uploadHead{size, [keySize]byte([]byte(p[8 : 8+keySize])), p[8+keySize:]}, nil
}

// shown is an upload as it was handed in.
func (s *Store) shown(ctx context.Context, u store.Upload) (store.Upload, *uploadHead, error) {
	h, err := s.openHead(ctx, u)
	if h != nil {
		u.Filename, u.Size = h.name, h.size
	}
	return u, h, err
}

// Upload implements store.Uploads.
func (s *Store) Upload(ctx context.Context, account, id string) (store.Upload, error) {
	u, err := s.Inner.Upload(ctx, account, id)
	if err == nil {
		u, _, err = s.shown(ctx, u)
	}
	if errors.Is(err, store.ErrErased) {
		u.Filename, err = "", nil
	}
	return u, err
}

// UnusedUploads implements store.Uploads. It does not open them.
func (s *Store) UnusedUploads(ctx context.Context, before time.Time, limit int) ([]store.Upload, error) {
	list, err := s.Inner.UnusedUploads(ctx, before, limit)
	for i := range list {
		if shown, _, failed := s.shown(ctx, list[i]); failed == nil {
			list[i] = shown
		}
	}
	return list, err
}

// uploadWriter takes an upload in in the clear, in the scratch folder, and seals it when it is
// committed.
type uploadWriter struct {
	inner store.UploadWriter
	store *Store
	id    string

	mu    sync.Mutex
	clear *os.File
	size  int64
	fault error
}

// NewUpload implements store.Uploads.
func (s *Store) NewUpload(ctx context.Context, id string) (store.UploadWriter, error) {
	inner, err := s.Inner.NewUpload(ctx, id)
	if err != nil {
		return nil, err
	}
	clear, err := scratchFile(s.scratch)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("begin upload: %w", err), inner.Discard())
	}
	return &uploadWriter{inner: inner, store: s, id: id, clear: clear}, nil
}

func (w *uploadWriter) Path() string { return w.clear.Name() }

func (w *uploadWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.fault != nil {
		return 0, fmt.Errorf("write upload: %w", w.fault)
	}
	n, err := w.clear.Write(p)
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
	err := w.fault
	if err == nil {
		err = store.CheckUpload(u)
	}
	h := uploadHead{size: w.size, name: u.Filename}
	if err == nil {
		_, _ = rand.Read(h.key[:]) // never fails
		if u.Filename, err = w.store.sealHead(ctx, u.Account, w.id, h); err == nil {
			err = w.seal(&h)
		}
	}
	if err == nil {
		u, err = w.inner.Commit(ctx, u)
	}
	if err != nil {
		if w.fault == nil {
			w.fault = err
		}
		return store.Upload{}, fmt.Errorf("commit upload: %w", err)
	}
	w.fault = store.ErrLost
	u.Filename, u.Size = h.name, h.size
	return u, w.drop()
}

// seal writes the chunks.
func (w *uploadWriter) seal(h *uploadHead) error {
	aead, err := newAEAD(h.key[:])
	if err != nil {
		return err
	}
	buf := make([]byte, chunkSize, chunkSize+tagSize)
	for at := int64(0); at < h.size; at += chunkSize {
		p := buf[:min(chunkSize, h.size-at)]
		if _, err := w.clear.ReadAt(p, at); err != nil && err != io.EOF {
			return err
		}
		if _, err := w.inner.Write(aead.Seal(p[:0], nonce(at/chunkSize), p, nil)); err != nil {
			return err
		}
	}
	return nil
}

func (w *uploadWriter) drop() error {
	err := errors.Join(w.clear.Close(), os.Remove(w.clear.Name()))
	if errors.Is(err, os.ErrClosed) || errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// Discard implements store.UploadWriter.
func (w *uploadWriter) Discard() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.fault == store.ErrLost {
		return w.inner.Discard()
	}
	w.fault = store.ErrLost
	return errors.Join(w.inner.Discard(), w.drop())
}

// uploadFile is an upload in the clear.
type uploadFile struct {
	*io.SectionReader
	inner store.UploadFile
	store *Store
	size  int64
	path  string // of a copy in the scratch folder, once somebody wants one
}

// OpenUpload implements store.Uploads.
func (s *Store) OpenUpload(ctx context.Context, account, id string) (store.UploadFile, error) {
	u, err := s.Inner.Upload(ctx, account, id)
	if err != nil {
		return nil, err
	}
	h, err := s.openHead(ctx, u)
	if err != nil {
		return nil, fmt.Errorf("open upload: %w", err)
	}
	f, err := s.Inner.OpenUpload(ctx, account, id)
	if err != nil || h == nil {
		return f, err
	}
	aead, err := newAEAD(h.key[:])
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	r := &chunks{aead: aead, read: readerAt(f), size: h.size, chunk: -1}
	return &uploadFile{SectionReader: io.NewSectionReader(r, 0, h.size), inner: f, store: s, size: h.size}, nil
}

func (f *uploadFile) Size() int64 { return f.size }

// Path implements store.UploadFile: a copy in the clear, as long as the upload is open. It is empty
// where there can be none.
func (f *uploadFile) Path() string {
	if f.path != "" {
		return f.path
	}
	to, err := scratchFile(f.store.scratch)
	if err != nil {
		return ""
	}
	f.path = to.Name()
	_, err = io.Copy(to, io.NewSectionReader(f.SectionReader, 0, f.size))
	if err = errors.Join(err, to.Close()); err != nil {
		_ = os.Remove(f.path)
		f.path = ""
	}
	return f.path
}

func (f *uploadFile) Close() error {
	err := f.inner.Close()
	if f.path != "" {
		err = errors.Join(err, os.Remove(f.path))
	}
	return err
}

// chunks decrypts an upload. It keeps the chunk read last.
type chunks struct {
	aead  cipher.AEAD
	read  readAt
	size  int64
	chunk int64
	clear []byte
}

// ReadAt fills p as io.ReaderAt does.
func (c *chunks) ReadAt(p []byte, off int64) (n int, err error) {
	for n < len(p) && off+int64(n) < c.size {
		at := off + int64(n)
		if chunk := at / chunkSize; chunk != c.chunk {
			if err := c.decrypt(chunk); err != nil {
				return n, err
			}
		}
		n += copy(p[n:], c.clear[at%chunkSize:])
	}
	if n < len(p) {
		err = io.EOF
	}
	return n, err
}

func (c *chunks) decrypt(chunk int64) error {
	c.chunk = -1
	p := make([]byte, min(chunkSize, c.size-chunk*chunkSize)+tagSize)
	if n, err := c.read(p, chunk*(chunkSize+tagSize)); n < len(p) {
		return errors.Join(io.ErrUnexpectedEOF, err)
	}
	clear, err := c.aead.Open(p[:0], nonce(chunk), p, nil)
	if err != nil {
		return fmt.Errorf("the upload at %d: %w", chunk*chunkSize, store.ErrDamaged)
	}
	c.chunk, c.clear = chunk, clear
	return nil
}
