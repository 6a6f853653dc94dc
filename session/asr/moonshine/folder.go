package moonshine

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"steno/session/asr/models"
)

// Folder is the folder of a model.
type Folder struct {
	Name, Dir string
	Languages []string // codes of the API
}

// Folders returns the folders of Moonshine models below dir: those named, in that order, or all by
// name. It fails for a name that is no such folder.
func Folders(dir string, names ...string) ([]Folder, error) {
	if len(names) == 0 {
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("moonshine: %w", err)
		}
		for _, e := range entries {
			if !strings.HasPrefix(e.Name(), ".") && models.IsMoonshine(filepath.Join(dir, e.Name())) {
				names = append(names, e.Name())
			}
		}
	}
	var out []Folder
	for _, name := range names {
		path := filepath.Join(dir, name)
		if !models.IsMoonshine(path) {
			return nil, fmt.Errorf("moonshine: %s holds no Moonshine model", path)
		}
		out = append(out, Folder{Name: name, Dir: path, Languages: languages(path, name)})
	}
	return out, nil
}

// languages returns the languages in a model's file model.json, else the language that its name
// contains, else English.
func languages(dir, name string) []string {
	var told struct{ Languages []string }
	if b, err := os.ReadFile(filepath.Join(dir, "model.json")); err == nil && json.Unmarshal(b, &told) == nil &&
		len(told.Languages) > 0 {
		return told.Languages
	}
	words := strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' })
	// the languages that Moonshine was made for besides English
	for _, code := range []string{"ar", "es", "ja", "ko", "uk", "vi", "zh"} {
		if slices.Contains(words, code) {
			return []string{code}
		}
	}
	return []string{"en"}
}
