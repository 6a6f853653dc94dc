// Package backup is a folder of files with a manifest that has the length and SHA-256 of each: what
// a store was at a time. The manifest is written last, so a folder without one is no backup.
package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	manifestName = "manifest.json"
	format       = 1

	folderMode = 0o700
	fileMode   = 0o600
)

// Kind is what a backup is of.
type Kind string

// The kinds.
const (
	DataFolder Kind = "data"  // the data folder of one gateway
	Blobs      Kind = "blobs" // the blob storage that gateways share
)

// Manifest lists what a backup contains.
type Manifest struct {
	Format  int       `json:"format"`
	Kind    Kind      `json:"kind"`
	Created time.Time `json:"created"`
	Files   []File    `json:"files"` // by name
	// Pruning means that what was erased is being removed, or that this was interrupted: files may
	// differ from what is listed.
	Pruning bool `json:"pruning,omitempty"`
}

// File is a file of a backup.
type File struct {
	Name   string `json:"name"` // with slashes, below the folder
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// ErrDamaged means that a backup differs from what was written.
var ErrDamaged = errors.New("the backup is damaged")

// Writer writes a backup. Its methods are called by one goroutine.
type Writer struct {
	dir      string
	manifest Manifest
}

// Create begins a backup in a folder, which is made, or is there and empty.
func Create(dir string, kind Kind) (*Writer, error) {
	if err := Vacant(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, folderMode); err != nil {
		return nil, fmt.Errorf("make folder of backup: %w", err)
	}
	return &Writer{dir, Manifest{Format: format, Kind: kind, Created: time.Now().UTC().Truncate(time.Second)}}, nil
}

// Vacant returns an error where a folder has something in it. One that is not there has not.
func Vacant(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && len(entries) > 0 {
		err = fmt.Errorf("%s is not empty", dir)
	}
	return err
}

// Path returns where a file of a name is to be made by the caller, who then calls Made. Its folder
// is there.
func (w *Writer) Path(name string) (string, error) {
	if !filepath.IsLocal(filepath.FromSlash(name)) || name == manifestName {
		return "", fmt.Errorf("write backup: %q is no name of a file", name)
	}
	path := filepath.Join(w.dir, filepath.FromSlash(name))
	return path, os.MkdirAll(filepath.Dir(path), folderMode)
}

// Made adds a file that the caller has made at Path.
func (w *Writer) Made(name string) error {
	path := filepath.Join(w.dir, filepath.FromSlash(name))
	if err := os.Chmod(path, fileMode); err != nil {
		return fmt.Errorf("write backup: %w", err)
	}
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("write backup: %w", err)
	}
	sum, size, err := sumOf(f)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("write backup: %w", err)
	}
	w.manifest.Files = append(w.manifest.Files, File{name, size, sum})
	return nil
}

// Add writes a file of what r has.
func (w *Writer) Add(name string, r io.Reader) error {
	path, err := w.Path(name)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return fmt.Errorf("write backup: %w", err)
	}
	sum := sha256.New()
	size, err := io.Copy(io.MultiWriter(f, sum), r)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write backup: %s: %w", name, errors.Join(err, os.Remove(path)))
	}
	w.manifest.Files = append(w.manifest.Files, File{name, size, hex.EncodeToString(sum.Sum(nil))})
	return nil
}

// Drop removes a file that was added: it is not to be kept.
func (w *Writer) Drop(name string) error {
	w.manifest.Files = slices.DeleteFunc(w.manifest.Files, func(f File) bool { return f.Name == name })
	if err := os.Remove(filepath.Join(w.dir, filepath.FromSlash(name))); err != nil {
		return fmt.Errorf("write backup: %w", err)
	}
	return nil
}

// Close writes the manifest, and returns it. Nothing may be added afterwards.
func (w *Writer) Close() (Manifest, error) {
	slices.SortFunc(w.manifest.Files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	text, err := json.MarshalIndent(w.manifest, "", " ")
	if err != nil {
		return w.manifest, fmt.Errorf("write manifest: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(w.dir, manifestName), os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return w.manifest, fmt.Errorf("write manifest: %w", err)
	}
	_, err = f.Write(append(text, '\n'))
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return w.manifest, fmt.Errorf("write manifest: %w", err)
	}
	return w.manifest, nil
}

// Open reads the manifest of a backup. Errors: fs.ErrNotExist where the folder is none, ErrDamaged.
func Open(dir string) (m Manifest, err error) {
	text, err := os.ReadFile(filepath.Join(dir, manifestName))
	if err != nil {
		return m, fmt.Errorf("%s is no finished backup: %w", dir, err)
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return m, fmt.Errorf("%w: read manifest: %w", ErrDamaged, err)
	}
	if m.Format != format {
		return m, fmt.Errorf("the backup is of format %d; this program reads %d", m.Format, format)
	}
	for _, f := range m.Files {
		if !filepath.IsLocal(filepath.FromSlash(f.Name)) {
			return m, fmt.Errorf("%w: %q is no name of a file", ErrDamaged, f.Name)
		}
	}
	return m, nil
}

// Verify reads all files of a backup and compares them with its manifest. Errors: ErrDamaged, which
// names each file.
func Verify(ctx context.Context, dir string, m Manifest) error {
	if m.Pruning {
		return errors.New("steno backup prune was interrupted in this backup: run it again")
	}
	var errs []error
	for _, want := range m.Files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := verify(filepath.Join(dir, filepath.FromSlash(want.Name)), want); err != nil {
			errs = append(errs, fmt.Errorf("%w: %s: %w", ErrDamaged, want.Name, err))
		}
	}
	return errors.Join(errs...)
}

func verify(path string, want File) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	sum, size, err := sumOf(f)
	switch {
	case err != nil:
		return err
	case size != want.Size:
		return fmt.Errorf("it has %d bytes, not %d", size, want.Size)
	case sum != want.SHA256:
		return errors.New("its SHA-256 is another one")
	}
	return nil
}

func sumOf(r io.Reader) (sum string, size int64, err error) {
	h := sha256.New()
	size, err = io.Copy(h, r)
	return hex.EncodeToString(h.Sum(nil)), size, err
}

// Each calls f with each file that a backup has of a store, opened for reading and closed
// afterwards, in the order of the manifest.
func Each(ctx context.Context, dir string, m Manifest, f func(File, *os.File) error) error {
	for _, file := range m.Files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if file.Name == erasuresName {
			continue
		}
		r, err := os.Open(filepath.Join(dir, filepath.FromSlash(file.Name)))
		if err != nil {
			return fmt.Errorf("read backup: %w", err)
		}
		err = f(file, r)
		if err = errors.Join(err, r.Close()); err != nil {
			return fmt.Errorf("restore %s: %w", file.Name, err)
		}
	}
	return nil
}

// Restore copies the files of a backup into a folder, which is made, or is there and empty. It
// verifies before. Errors: ErrDamaged.
func Restore(ctx context.Context, dir string, m Manifest, to string) error {
	if err := Vacant(to); err != nil {
		return err
	}
	if err := Verify(ctx, dir, m); err != nil {
		return err
	}
	if err := os.MkdirAll(to, folderMode); err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	return Each(ctx, dir, m, func(file File, r *os.File) error {
		path := filepath.Join(to, filepath.FromSlash(file.Name))
		if err := os.MkdirAll(filepath.Dir(path), folderMode); err != nil {
			return err
		}
		w, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
		if err != nil {
			return err
		}
		_, err = io.Copy(w, r)
		return errors.Join(err, w.Sync(), w.Close())
	})
}
