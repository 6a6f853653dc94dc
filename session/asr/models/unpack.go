package models

import (
	"compress/bzip2"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// maxUnpacked bounds the bytes of a model's files.
const maxUnpacked = 16 << 30

// ErrArchive means that the download cannot be unpacked: it is damaged, or not as an archive of a
// model must be.
var ErrArchive = errors.New("bad archive")

// unpack makes the model's folder from the download, and returns the manifest with its files. A
// download that cannot be the model is removed.
func (i *installation) unpack(ctx context.Context, p *part, m Manifest) (Manifest, error) {
	m, err := i.stage(ctx, m, func(stage string) (string, []File, error) { return i.fill(ctx, p, stage) })
	if errors.Is(err, ErrArchive) || errors.Is(err, ErrChecksum) {
		p.remove()
	}
	return m, err
}

// stage makes the model's folder, hidden until it is complete, and returns the manifest with its
// files. fill writes them below a folder, and returns which folder below that is the model's.
func (i *installation) stage(ctx context.Context, m Manifest, fill func(stage string) (top string, files []File,
	err error)) (Manifest, error) {
	stage := i.hidden + ".unpack"
	if err := os.RemoveAll(stage); err != nil { // of a run that was killed
		return m, err
	}
	defer os.RemoveAll(stage) //nolint:errcheck // the next run does it
	if err := os.Mkdir(stage, 0o755); err != nil {
		return m, err
	}
	top, files, err := fill(stage)
	if err != nil {
		return m, err
	}
	dir := filepath.Join(stage, top)
	if m.Files, err = i.pin(dir, files); err != nil {
		return m, err
	}
	if err := writeManifest(dir, m); err != nil {
		return m, err
	}
	if i.options.Try != nil {
		if err := i.options.Try(ctx, dir); err != nil {
			return m, fmt.Errorf("%w: %w", ErrTrial, err)
		}
	}
	if err := os.Rename(dir, i.final); err != nil {
		return m, err
	}
	return m, syncDir(i.dir)
}

// fill unpacks into the folder stage and returns which folder below it is the model's, with its
// files. Most archives have one folder with everything in it.
func (i *installation) fill(ctx context.Context, p *part, stage string) (top string, files []File, err error) {
	root, err := os.OpenRoot(stage)
	if err != nil {
		return "", nil, err
	}
	defer root.Close() //nolint:errcheck // a folder
	if _, err := p.file.Seek(0, io.SeekStart); err != nil {
		return "", nil, err
	}
	w := newWriter(root, i.options.most)
	from := &countingReader{ctx: ctx, r: p.file, count: func(n int64) { i.progress(Unpacking, n, p.size) }}
	if err := w.unpack(from, i.entry.file()); err != nil {
		return "", nil, err
	}
	if len(w.files) == 0 {
		return "", nil, fmt.Errorf("%w: no files in it", ErrArchive)
	}
	top = w.top()
	files = w.list(top)
	if slices.ContainsFunc(files, func(f File) bool { return f.Name == ManifestName }) {
		return "", nil, fmt.Errorf("%w: it holds a %s of its own", ErrArchive, ManifestName)
	}
	return top, files, w.sync()
}

// list returns the files by name, relative to the folder top.
func (w *writer) list(top string) (files []File) {
	for name, f := range w.files {
		f.Name = strings.TrimPrefix(name, top+"/")
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return files
}

// unpack writes the contents of a download of that name. One that is not an archive is a file of
// the model.
func (w *writer) unpack(from io.Reader, name string) error {
	switch {
	case strings.HasSuffix(name, ".tar.bz2"):
		return w.tar(bzip2.NewReader(from))
	case strings.HasSuffix(name, ".tar.gz"), strings.HasSuffix(name, ".tgz"):
		unzipped, err := gzip.NewReader(from)
		if err != nil {
			return archiveError(err)
		}
		return w.tar(unzipped)
	case strings.HasSuffix(name, ".tar"):
		return w.tar(from)
	}
	return w.write(name, from)
}

// top returns the one folder that everything is in, or ".".
func (w *writer) top() string {
	first := ""
	for name := range w.files {
		head, _, below := strings.Cut(name, "/")
		if !below || first != "" && head != first {
			return "."
		}
		first = head
	}
	return first
}

// sync makes the names in all folders durable.
func (w *writer) sync() error {
	for dir := range w.dirs {
		if err := syncDir(filepath.Join(w.root.Name(), filepath.FromSlash(dir))); err != nil {
			return err
		}
	}
	return nil
}

// writeManifest puts the manifest into a model's folder.
func writeManifest(dir string, m Manifest) error {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	if err := replaceFile(filepath.Join(dir, ManifestName), append(text, '\n')); err != nil {
		return err
	}
	return syncDir(dir)
}

// parents returns the folders of a path, the outermost first.
func parents(name string) (dirs []string) {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		dirs = append(dirs, dir)
	}
	slices.Reverse(dirs)
	return dirs
}
