package models

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
)

// maxTrailer bounds what may follow the end of a tar archive: padding, mostly to 10 KiB in all.
const maxTrailer = 1 << 20

// writer writes the files of an archive below a folder, which no path leads out of.
type writer struct {
	root  *os.Root
	left  int64           // bytes that may still be written
	count int             // entries
	files map[string]File // by path
	dirs  map[string]bool
	links []link
}

// newWriter returns a writer of up to that many bytes below root, which the caller closes.
func newWriter(root *os.Root, most int64) *writer {
	return &writer{root: root, left: most, files: map[string]File{}, dirs: map[string]bool{".": true}}
}

// errTooMuch means that an archive unpacks to more than is allowed.
var errTooMuch = fmt.Errorf("%w: it holds more bytes than a model may", ErrArchive)

// link is a second name of a file of the archive.
type link struct{ name, target string }

// tar unpacks an archive.
func (w *writer) tar(from io.Reader) error {
	archive := tar.NewReader(from)
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return archiveError(err)
		}
		if w.count++; w.count > maxFiles {
			return fmt.Errorf("%w: more than %d entries", ErrArchive, maxFiles)
		}
		if err := w.entry(header, archive); err != nil {
			return err
		}
	}
	if n, err := io.CopyN(io.Discard, from, maxTrailer+1); n > maxTrailer {
		return fmt.Errorf("%w: something follows its end", ErrArchive)
	} else if !errors.Is(err, io.EOF) { // the checksums of compressed data come last
		return archiveError(err)
	}
	return w.linkAll()
}

// entry unpacks one entry. Links become second names of files, once all files exist.
func (w *writer) entry(h *tar.Header, content io.Reader) error {
	name := strings.TrimSuffix(strings.TrimPrefix(h.Name, "./"), "/")
	switch {
	case h.Typeflag == tar.TypeXGlobalHeader, name == "" || name == ".":
		return nil
	case h.Size > w.left:
		return errTooMuch
	case strings.HasPrefix(path.Base(name), "._"): // made by macOS
		w.left -= h.Size
		return nil
	case !inside(name):
		return fmt.Errorf("%w: %q is not a path within it", ErrArchive, h.Name)
	}
	switch h.Typeflag {
	case tar.TypeReg:
		return w.write(name, content)
	case tar.TypeDir:
		return w.mkdir(name)
	case tar.TypeSymlink:
		w.links = append(w.links, link{name, path.Join(path.Dir(name), h.Linkname)})
		return w.checkLink(h)
	case tar.TypeLink:
		w.links = append(w.links, link{name, path.Clean(h.Linkname)})
		return w.checkLink(h)
	}
	return fmt.Errorf("%w: %q is neither a file nor a folder", ErrArchive, h.Name)
}

func (w *writer) checkLink(h *tar.Header) error {
	if target := w.links[len(w.links)-1].target; path.IsAbs(h.Linkname) || !inside(target) {
		return fmt.Errorf("%w: %q is a link out of it", ErrArchive, h.Name)
	}
	return nil
}

// linkAll creates the second names of files. A link to anything but a file of the archive is
// refused.
func (w *writer) linkAll() error {
	for _, l := range w.links {
		target, ok := w.files[l.target]
		if !ok {
			return fmt.Errorf("%w: %q is a link to what is no file of it", ErrArchive, l.name)
		}
		if err := w.mkdir(path.Dir(l.name)); err != nil {
			return err
		}
		if err := w.root.Link(l.target, l.name); err != nil {
			return w.nameError(l.name, err)
		}
		w.files[l.name] = target
	}
	return nil
}

func (w *writer) mkdir(name string) error {
	for _, dir := range append(parents(name), name) {
		if w.dirs[dir] {
			continue
		}
		if err := w.root.Mkdir(dir, 0o755); err != nil {
			return w.nameError(dir, err)
		}
		w.dirs[dir] = true
	}
	return nil
}

// write creates one file and keeps its checksum.
func (w *writer) write(name string, content io.Reader) (err error) {
	if err := w.mkdir(path.Dir(name)); err != nil {
		return err
	}
	file, err := w.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return w.nameError(name, err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	hash := sha256.New()
	size, err := w.copy(io.MultiWriter(file, hash), content)
	if err != nil {
		return err
	}
	w.files[name] = File{Name: name, Size: size, SHA256: hex.EncodeToString(hash.Sum(nil))}
	return file.Sync()
}

// copy copies within the bound of all bytes. Its errors distinguish faults of the archive from
// those of the disk.
func (w *writer) copy(to io.Writer, from io.Reader) (int64, error) {
	source := &errorReader{r: io.LimitReader(from, w.left+1)}
	n, err := io.Copy(to, source)
	w.left -= n
	switch {
	case source.err != nil:
		return n, archiveError(source.err)
	case err == nil && w.left < 0:
		return n, errTooMuch
	}
	return n, err
}

// errorReader keeps the error of a reader.
type errorReader struct {
	r   io.Reader
	err error
}

func (n *errorReader) Read(p []byte) (int, error) {
	size, err := n.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		n.err = err
	}
	return size, err
}

// nameError explains why a name could not be created: mostly because the archive has it twice.
func (w *writer) nameError(name string, err error) error {
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%w: %q is there twice", ErrArchive, name)
	}
	return err
}

// archiveError returns an error of reading the archive as an ErrArchive, unless the caller gave up.
func archiveError(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrArchive, err)
}
