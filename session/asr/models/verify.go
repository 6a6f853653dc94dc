package models

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Fault is what is wrong with one file of an installed model.
type Fault struct {
	File string  // the path within the model's folder, with slashes
	What Problem // with it
}

// Problem is how a file differs from the manifest.
type Problem string

const (
	Damaged Problem = "damaged"
	Missing Problem = "missing"
	Added   Problem = "added" // not in the manifest
)

// Verify reads all files of the model in the folder <dir>/<name> and compares them with its
// manifest. It returns the faults, ordered by path. The error states why the comparison failed.
func Verify(ctx context.Context, dir, name string) ([]Fault, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	at := filepath.Join(dir, name)
	m, err := ReadManifest(at)
	if err != nil {
		return nil, err
	}
	faults, err := added(at, m)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", name, err)
	}
	for _, f := range m.Files {
		what, err := compare(ctx, filepath.Join(at, filepath.FromSlash(f.Name)), f)
		if err != nil {
			return nil, fmt.Errorf("model %s: %w", name, err)
		}
		if what != "" {
			faults = append(faults, Fault{f.Name, what})
		}
	}
	slices.SortFunc(faults, func(a, b Fault) int { return strings.Compare(a.File, b.File) })
	return faults, nil
}

// compare returns how a file differs from its entry in the manifest, empty if it does not.
func compare(ctx context.Context, path string, want File) (Problem, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Missing, nil
	case err != nil:
		return "", err
	case !info.Mode().IsRegular() || info.Size() != want.Size:
		return Damaged, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close() //nolint:errcheck // only read
	got, err := digest(&countingReader{ctx: ctx, r: file, count: func(int64) {}})
	if err != nil {
		return "", err
	}
	if got != want.SHA256 {
		return Damaged, nil
	}
	return "", nil
}

// added lists the files in the folder that are not in the manifest.
func added(dir string, m Manifest) (faults []Fault, err error) {
	known := map[string]bool{ManifestName: true}
	for _, f := range m.Files {
		known[f.Name] = true
	}
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if name := filepath.ToSlash(rel); err == nil && !known[name] {
			faults = append(faults, Fault{name, Added})
		}
		return err
	})
	return faults, err
}
