package models

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// StoreFolder returns the folder in which models are kept for all data folders of a user:
// steno/models in the user's folder for caches, by XDG_CACHE_HOME or HOME in environ
// ("NAME=value"); empty where neither is set to an absolute path.
func StoreFolder(environ []string) string {
	cache := valueOf(environ, "XDG_CACHE_HOME")
	if !filepath.IsAbs(cache) {
		home := valueOf(environ, "HOME")
		if !filepath.IsAbs(home) {
			return ""
		}
		cache = filepath.Join(home, ".cache")
	}
	return filepath.Join(cache, "steno", "models")
}

// fromStore installs a model with pinned files by way of the store: it is fetched there unless it
// is there already, and its files are linked, or copied where they cannot be. A damaged model of
// the store is fetched again.
func (i *installation) fromStore(ctx context.Context) (Manifest, error) {
	o, store := i.options, i.options.Store
	o.Store, o.Try = "", nil
	for again := false; ; again = true {
		kept, err := install(ctx, i.entry, store, o)
		if err != nil {
			return Manifest{}, err
		}
		faults, err := Verify(ctx, store, i.entry.Name)
		if err != nil {
			return Manifest{}, err
		}
		if len(faults) == 0 {
			from := filepath.Join(store, i.entry.Name)
			return i.stage(ctx, kept, func(stage string) (string, []File, error) {
				return ".", kept.Files,
					linkFiles(from, stage, kept.Files)
			})
		}
		if again {
			return Manifest{}, fmt.Errorf("%s: %s is %s", store, faults[0].File, faults[0].What)
		}
		if err := Remove(ctx, store, i.entry.Name); err != nil {
			return Manifest{}, err
		}
	}
}

// usesStore reports whether the model is installed by way of the store.
func (i *installation) usesStore() bool {
	if i.options.Store == "" || len(i.entry.Pinned) == 0 || os.MkdirAll(i.options.Store, 0o755) != nil {
		return false
	}
	store, err := os.Stat(i.options.Store)
	if err != nil {
		return false
	}
	here, err := os.Stat(i.dir)
	if err != nil || os.SameFile(store, here) {
		return false
	}
	probe, err := os.CreateTemp(i.options.Store, ".writable-*")
	if err != nil {
		return false
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name())) == nil
}

// linkFiles links files of a folder into another one.
func linkFiles(from, to string, files []File) error {
	for _, f := range files {
		name := filepath.FromSlash(f.Name)
		target := filepath.Join(to, name)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		if os.Link(filepath.Join(from, name), target) == nil {
			continue
		}
		if err := copyFile(filepath.Join(from, name), target); err != nil { // another file system, or another owner
			return err
		}
	}
	return syncDir(to)
}

func copyFile(from, to string) (err error) {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close() //nolint:errcheck // only read
	target, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, pinnedMode)
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	return errors.Join(err, target.Sync(), target.Close())
}
