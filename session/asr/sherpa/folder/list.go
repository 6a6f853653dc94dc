package folder

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"steno/session/asr/models"
)

// Bounds of a model's folder. The largest published file has some 4 GB.
const (
	maxEntries = 4096
	maxModel   = 16 << 30 // bytes of one file of weights
	maxText    = 64 << 20 // bytes of tokens, vocabularies and the like
)

// listing is a folder's files, with the faults found so far.
type listing struct {
	dir      string // absolute
	real     string // dir with all links resolved
	names    []string
	manifest models.Manifest
	faults
}

// faults collects the faults of a folder.
type faults struct{ found []error }

// fault adds the fault of a file.
func (f *faults) fault(name string, err error) {
	f.found = append(f.found, fmt.Errorf("%s: %w", name, err))
}

// list lists the files of dir. If the manifest names files, only those count.
func list(dir string, manifest models.Manifest) (*listing, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, withoutPath(err)
	}
	names, err := entries(real)
	if err != nil {
		return nil, err
	}
	l := &listing{dir: dir, real: real, manifest: manifest}
	if len(manifest.Files) == 0 {
		l.names = names
		return l, nil
	}
	for _, f := range manifest.Files {
		l.sizes(f)
		if !strings.Contains(f.Name, "/") {
			l.names = append(l.names, f.Name)
		}
	}
	slices.Sort(l.names)
	return l, nil
}

// entries returns the names of a folder's entries that are not hidden, sorted.
func entries(dir string) ([]string, error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, withoutPath(err)
	}
	defer d.Close() //nolint:errcheck // only read
	names, err := d.Readdirnames(maxEntries + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, withoutPath(err)
	}
	if len(names) > maxEntries {
		return nil, fmt.Errorf("more than %d entries", maxEntries)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return strings.HasPrefix(name, ".") })
	slices.Sort(names)
	return names, nil
}

// sizes compares a file with its size in the manifest.
func (l *listing) sizes(f models.File) {
	stat, err := os.Stat(filepath.Join(l.dir, filepath.FromSlash(f.Name)))
	switch {
	case err != nil:
		l.fault(f.Name, withoutPath(err))
	case stat.Size() != f.Size:
		l.fault(f.Name, fmt.Errorf("%d bytes, and the manifest says %d", stat.Size(), f.Size))
	}
}

// has reports whether the folder has an entry of that name.
func (l *listing) has(name string) bool { return slices.Contains(l.names, name) }

var errEmpty = errors.New("the file is empty")

// file returns the path of a regular file of 1 to most bytes within the folder. The name may have
// slashes.
func (l *listing) file(name string, most int64) (string, error) {
	path := filepath.Join(l.dir, filepath.FromSlash(name))
	stat, err := l.stat(path)
	switch {
	case err != nil:
		return "", err
	case stat.IsDir():
		return "", errors.New("a folder, not a file")
	case !stat.Mode().IsRegular():
		return "", errors.New("not a regular file")
	case stat.Size() == 0:
		return "", errEmpty
	case stat.Size() > most:
		return "", fmt.Errorf("%d bytes, more than %d", stat.Size(), most)
	}
	return path, nil
}

// stat returns the info of a path's target, which must lie within the folder.
func (l *listing) stat(path string) (fs.FileInfo, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, withoutPath(err)
	}
	if rel, err := filepath.Rel(l.real, real); err != nil || !filepath.IsLocal(rel) {
		return nil, errors.New("a link that leads out of the folder")
	}
	stat, err := os.Stat(real)
	return stat, withoutPath(err)
}

// digest returns the SHA-256 of what r holds, in hexadecimal, and its size.
func digest(r io.Reader) (string, int64, error) {
	h := sha256.New()
	size, err := io.Copy(h, r)
	return hex.EncodeToString(h.Sum(nil)), size, err
}

// withoutPath returns err without its path, which the caller adds.
func withoutPath(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
