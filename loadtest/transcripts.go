package loadtest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const (
	manifestName  = "manifest.jsonl"
	maxTranscript = 1 << 20 // bytes of a transcript, and of a line of a manifest
)

// transcripts finds what is said in the recordings of a folder.
type transcripts struct {
	root   string
	loaded map[string]map[string]string // by folder: transcripts by path
}

func newTranscripts(root string) *transcripts {
	return &transcripts{root: filepath.Clean(root), loaded: map[string]map[string]string{}}
}

// of returns the transcript of the recording at path, or "" where there is none.
func (t *transcripts) of(path string) (string, error) {
	text, err := readText(strings.TrimSuffix(path, filepath.Ext(path)) + ".txt")
	if err != nil || text != "" {
		return text, err
	}
	path = filepath.Clean(path)
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		all, err := t.manifest(dir)
		if err != nil || all[path] != "" {
			return all[path], err
		}
		if dir == t.root || dir == filepath.Dir(dir) {
			return "", nil
		}
	}
}

func readText(path string) (string, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("open transcript: %w", err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxTranscript))
	if err != nil {
		return "", fmt.Errorf("read transcript: %w", err)
	}
	return strings.TrimSpace(string(b)), nil
}

// manifest returns the transcripts that the manifest of a folder holds, none where there is no
// manifest.
func (t *transcripts) manifest(dir string) (map[string]string, error) {
	if all, known := t.loaded[dir]; known {
		return all, nil
	}
	all := map[string]string{}
	t.loaded[dir] = all
	f, err := os.Open(filepath.Join(dir, manifestName))
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open manifest: %w", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxTranscript)
	for n := 1; lines.Scan(); n++ {
		var entry struct {
			File       string `json:"file"`
			Transcript string `json:"transcript"`
		}
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		if err := json.Unmarshal(lines.Bytes(), &entry); err != nil {
			return nil, fmt.Errorf("line %d of %s: %w", n, f.Name(), err)
		}
		all[filepath.Join(dir, filepath.FromSlash(entry.File))] = entry.Transcript
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read manifest: %w", err)
	}
	return all, nil
}
