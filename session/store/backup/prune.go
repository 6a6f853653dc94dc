package backup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"steno/session/store"
)

// Prune has what was erased removed from a backup: remove changes and removes files of the folder,
// and returns the names of those that it has changed. The lists stay in the backup. It verifies
// before, except where a former call was interrupted. Errors: ErrDamaged.
func Prune(ctx context.Context, dir string, m Manifest, lists store.Erasures, remove func() ([]string, error)) error {
	if !m.Pruning {
		if err := Verify(ctx, dir, m); err != nil {
			return err
		}
	}
	m.Pruning = true
	if err := m.replace(dir); err != nil {
		return err
	}
	changed, err := remove()
	if err != nil {
		return fmt.Errorf("prune backup: %w", err)
	}
	text, err := json.Marshal(lists)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, erasuresName), text, fileMode)
	}
	if err == nil {
		m.Files, err = pruned(dir, m.Files, append(changed, erasuresName))
	}
	if err != nil {
		return fmt.Errorf("prune backup: %w", err)
	}
	m.Pruning = false
	return m.replace(dir)
}

// pruned returns the files that are there, with new sums of those that were changed.
func pruned(dir string, files []File, changed []string) (left []File, err error) {
	for _, f := range files {
		if slices.Contains(changed, f.Name) {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(f.Name))); err == nil {
			left = append(left, f)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	w := Writer{dir: dir, manifest: Manifest{Files: left}}
	for _, name := range changed {
		err = errors.Join(err, w.Made(name))
	}
	return w.manifest.Files, err
}

// replace puts a manifest in the place of the one that is there.
func (m Manifest) replace(dir string) error {
	path := filepath.Join(dir, manifestName)
	if err := os.Rename(path, path+".old"); err != nil {
		return fmt.Errorf("write manifest: %w", err)
	}
	if _, err := (&Writer{dir: dir, manifest: m}).Close(); err != nil {
		return errors.Join(err, os.Rename(path+".old", path))
	}
	return os.Remove(path + ".old")
}
