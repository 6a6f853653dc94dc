package backup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"steno/session/store"
)

const erasuresName = "erasures.json"

// AddErasures writes what was erased from a store into a backup of it.
func (w *Writer) AddErasures(l *store.ErasureList) error {
	text, err := json.Marshal(store.Erasures{l})
	if err != nil {
		return fmt.Errorf("write erasures: %w", err)
	}
	return w.Add(erasuresName, bytes.NewReader(text))
}

// ReadErasures returns what the lists of a backup have, and those of the backups beside it, which
// may be newer. One that cannot be read is left out, unless it is the backup's own.
func ReadErasures(dir string) (all store.Erasures, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	beside, err := filepath.Glob(filepath.Join(escaped(filepath.Dir(dir)), "*", erasuresName))
	if err != nil {
		return nil, err
	}
	own := filepath.Join(dir, erasuresName)
	for _, path := range append(slices.DeleteFunc(beside, func(p string) bool { return p == own }), own) {
		list, err := readErasures(path)
		if err == nil {
			all = all.With(list...)
		} else if path == own && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return all, nil
}

func readErasures(path string) (list store.Erasures, err error) {
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	if err != nil {
		return nil, fmt.Errorf("read erasures: %w", err)
	}
	return slices.DeleteFunc(list, func(l *store.ErasureList) bool { return l == nil }), nil
}

// escaped is a path in which nothing stands for anything else.
func escaped(path string) string {
	var b bytes.Buffer
	for _, r := range path {
		if r == '*' || r == '?' || r == '[' || r == '\\' {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
