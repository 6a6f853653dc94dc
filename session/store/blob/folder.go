package blob

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"steno/session/store"
)

const (
	folderMode = 0o700
	fileMode   = 0o600

	// newFiles is the folder of files that are being written, each with the name of its object and
	// a part of its own. Its name is none of an object.
	newFiles = ".new"
	// slash stands for one in the names of these files, which have newName bytes of the object's.
	slash, newName = "+", 200
	// idleAfter is how long nothing was written to such a file before it counts as abandoned.
	idleAfter = time.Minute
	// staleAfter is the age at which a file in it is one that a dead process has left.
	staleAfter = 24 * time.Hour
)

var errNoFolder = errors.New("folder has no name")

// folder keeps objects as files of their names. Processes may share it.
type folder struct{ dir string }

// openFolder opens a folder, which must be there: one that is made in the place of a share that is
// not mounted would keep what other nodes never see.
func openFolder(dir string) (*folder, error) {
	if dir == "" {
		return nil, errNoFolder
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is not there: mount it, or make it with mkdir -p: %w", dir, fs.ErrNotExist)
	}
	f := &folder{dir}
	if err := os.MkdirAll(filepath.Join(dir, newFiles), folderMode); err != nil {
		return nil, err
	}
	return f, f.removeBegun("", time.Now().Add(-staleAfter))
}

// removeBegun removes the files that were to be objects whose names begin with prefix, and to which
// nothing was written since a time: a process that was killed has left them. Of a prefix that is
// too long to distinguish them none are removed.
func (f *folder) removeBegun(prefix string, before time.Time) error {
	if len(prefix) > newName {
		return nil
	}
	entries, err := os.ReadDir(filepath.Join(f.dir, newFiles))
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), begun(prefix)) {
			continue
		}
		info, err := e.Info()
		if err != nil || info.ModTime().After(before) {
			continue // it is gone, or somebody writes it
		}
		if err := os.Remove(filepath.Join(f.dir, newFiles, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (f *folder) close() {}

func (f *folder) path(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

func (f *folder) put(ctx context.Context, name string, body *io.SectionReader, ifAbsent bool) error {
	temporary := filepath.Join(f.dir, newFiles, begun(name)+slash+rand.Text())
	defer os.Remove(temporary) // it is gone if it was moved to its place
	if err := writeFile(ctx, temporary, io.NewSectionReader(body, 0, body.Size())); err != nil {
		return err
	}
	if err := f.place(temporary, f.path(name), ifAbsent); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(f.path(name)))
}

// begun is what the names of files begin with that are to be an object of a name, or whose names
// begin so.
func begun(name string) string {
	name = strings.ReplaceAll(name, "/", slash)
	return name[:min(len(name), newName)]
}

// place moves a file to its path, in folders that it makes where they are missing. It retries where
// a deletion removes those folders meanwhile.
func (f *folder) place(temporary, path string, ifAbsent bool) error {
	const tries = 20
	var err error
	for range tries {
		if err = os.MkdirAll(filepath.Dir(path), folderMode); err == nil && ifAbsent {
			if err = os.Link(temporary, path); errors.Is(err, fs.ErrExist) {
				return store.ErrExists
			}
		} else if err == nil {
			err = os.Rename(temporary, path)
		}
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return err
}

// writeFile writes what r returns to a new file, which is on the disk when writeFile returns.
func writeFile(ctx context.Context, path string, r io.Reader) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, untilEnd{ctx, r})
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // deleted since
	}
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// untilEnd reads until a context ends.
type untilEnd struct {
	ctx context.Context
	r   io.Reader
}

func (u untilEnd) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(p)
}

func (f *folder) open(ctx context.Context, name string, off, length int64) (io.ReadCloser, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	file, err := os.Open(f.path(name))
	if err != nil {
		return nil, missing(err)
	}
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(store.ErrNotFound, err, file.Close())
	}
	if length < 0 {
		length = math.MaxInt64 - off
	}
	return folderReader{untilEnd{ctx, io.NewSectionReader(file, off, length)}, file}, nil
}

// folderReader is a range of a file.
type folderReader struct {
	io.Reader
	io.Closer
}

func (f *folder) size(ctx context.Context, name string) (int64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	info, err := os.Stat(f.path(name))
	if err != nil {
		return 0, missing(err)
	}
	if !info.Mode().IsRegular() {
		return 0, store.ErrNotFound
	}
	return info.Size(), nil
}

// missing makes ErrNotFound of the error of a file that is not there.
func missing(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return store.ErrNotFound
	}
	return err
}

func (f *folder) remove(ctx context.Context, name string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := os.Remove(f.path(name)); err != nil && !errors.Is(missing(err), store.ErrNotFound) {
		return err
	}
	f.prune(path.Dir(name))
	return nil
}

// prune removes folders that have become empty, upwards.
func (f *folder) prune(dir string) {
	for ; dir != "." && os.Remove(f.path(dir)) == nil; dir = path.Dir(dir) {
	}
}

func (f *folder) removeSome(ctx context.Context, prefix string) (bool, error) {
	page, err := f.list(ctx, prefix, "", MaxPage)
	if err != nil {
		return false, err
	}
	for _, o := range page {
		if err := f.remove(ctx, o.Name); err != nil {
			return false, err
		}
	}
	if len(page) == MaxPage {
		return true, nil
	}
	return false, f.removeBegun(prefix, time.Now().Add(-idleAfter))
}

func (f *folder) list(ctx context.Context, prefix, after string, limit int) ([]Object, error) {
	w := walk{folder: f, after: after, limit: limit}
	if err := w.folderOf(ctx, prefix); err != nil {
		return nil, err
	}
	return w.page, nil
}

// walk gathers a page of a list.
type walk struct {
	*folder
	after string
	limit int
	page  []Object
}

// folderOf walks through the folder of a prefix, in the order in which names with slashes are.
func (w *walk) folderOf(ctx context.Context, prefix string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, err := os.ReadDir(w.path(prefix))
	if err != nil {
		if errors.Is(missing(err), store.ErrNotFound) {
			return nil
		}
		return err
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		switch {
		case e.Name() == newFiles:
		case e.IsDir():
			names = append(names, prefix+e.Name()+"/")
		default:
			names = append(names, prefix+e.Name())
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if len(w.page) >= w.limit {
			return nil
		}
		if err := w.one(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// one takes a file into the page, or walks through a folder, whose name ends in a slash.
func (w *walk) one(ctx context.Context, name string) error {
	if strings.HasSuffix(name, "/") {
		if name <= w.after && !strings.HasPrefix(w.after, name) {
			return nil
		}
		return w.folderOf(ctx, name)
	}
	if name <= w.after {
		return nil
	}
	size, err := w.size(ctx, name)
	if errors.Is(err, store.ErrNotFound) {
		return nil // removed since
	}
	w.page = append(w.page, Object{name, size})
	return err
}

func (f *folder) free(ctx context.Context) (int64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	var s syscall.Statfs_t
	if err := syscall.Statfs(f.dir, &s); err != nil {
		return 0, fmt.Errorf("%s: %w", f.dir, err)
	}
	return int64(s.Bavail) * int64(s.Bsize), nil
}
