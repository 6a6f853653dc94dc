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

// Item is a model that is installed, or in the catalogue.
type Item struct {
	// Entry is from the catalogue, or from the manifest. Only the name is always set.
	Entry
	Known     bool // the catalogue has it
	Installed bool
	// Problem is why an installed model's files are unknown.
	Problem string
}

// List returns the catalogue, with what is installed in dir, then the other installed models by
// name. A folder that does not exist is empty.
func List(dir string) ([]Item, error) {
	var items []Item
	for _, e := range Catalogue() {
		items = append(items, Item{Entry: e, Known: true})
	}
	found, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, f := range found {
		info, err := os.Stat(filepath.Join(dir, f.Name())) // an operator may link to a model elsewhere
		if err != nil || !info.IsDir() || strings.HasPrefix(f.Name(), ".") {
			continue
		}
		at := slices.IndexFunc(items, func(i Item) bool { return i.Name == f.Name() })
		if at < 0 {
			at = len(items)
			items = append(items, Item{Entry: Entry{Name: f.Name()}})
		}
		items[at].look(filepath.Join(dir, f.Name()))
	}
	return items, nil
}

// look sets the fields that an installed model's manifest has.
func (i *Item) look(dir string) {
	i.Installed = true
	m, err := ReadManifest(dir)
	if errors.Is(err, ErrNoManifest) {
		i.Problem = ErrNoManifest.Error()
		return
	}
	if err != nil {
		i.Problem = err.Error()
		return
	}
	if !i.Known {
		i.Languages, i.Kind, i.Licence, i.Address = m.Languages, m.Kind, m.Licence, m.Source
		for _, f := range m.Files {
			i.Size += f.Size
		}
	}
}

// ErrNotInstalled is what [Remove] returns where there is nothing to remove.
var ErrNotInstalled = errors.New("not installed")

// Remove deletes the model in <dir>/<name>, and what an interrupted Install has left. The folder
// disappears atomically or not at all. It waits for an Install that is under way.
func Remove(ctx context.Context, dir, name string) error {
	err := checkName(name)
	if err == nil {
		err = remove(ctx, dir, name)
	}
	if err != nil {
		return fmt.Errorf("model %s: %w", name, err)
	}
	return nil
}

func remove(ctx context.Context, dir, name string) error {
	hidden, folder := filepath.Join(dir, "."+name), filepath.Join(dir, name)
	gone := hidden + ".gone"
	all := []string{folder, gone, hidden + ".part", hidden + ".part.json", hidden + ".unpack", hidden + ".wheel"}
	if !slices.ContainsFunc(all, exists) {
		return ErrNotInstalled
	}
	unlock, err := lock(ctx, dir, name, func() {})
	if err != nil {
		return err
	}
	defer unlock()
	var faults []error
	for _, path := range all[1:] {
		faults = append(faults, os.RemoveAll(path))
	}
	if exists(folder) {
		faults = append(faults, os.Rename(folder, gone), os.RemoveAll(gone))
	}
	return errors.Join(faults...)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
