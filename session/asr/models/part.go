package models

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// part is an unfinished download: the file, and the state needed to resume it.
type part struct {
	path  string
	file  *os.File
	size  int64 // bytes of the file
	state partState
}

// partState describes the file that the part belongs to.
type partState struct {
	Address string `json:"address"`
	// Validator is the value for If-Range: a strong entity tag or a date. Empty: the server sends
	// none, so the part cannot be resumed.
	Validator string `json:"validator"`
	Total     int64  `json:"total"` // bytes of the whole file; -1: not known
}

// openPart opens an unfinished download, or begins one. A part of another address is removed.
func openPart(hidden, address string) (*part, error) {
	p := &part{path: hidden + ".part", state: partState{Address: address, Total: -1}}
	var err error
	if p.file, err = os.OpenFile(p.path, os.O_CREATE|os.O_RDWR, 0o644); err != nil {
		return nil, err
	}
	if p.size, err = p.file.Seek(0, io.SeekEnd); err != nil {
		p.close()
		return nil, err
	}
	if p.size == 0 {
		return p, nil
	}
	var known partState
	text, err := os.ReadFile(p.statePath())
	if err == nil && json.Unmarshal(text, &known) == nil && known.Address == address {
		p.state = known
		return p, nil
	}
	if err := p.restart("", -1); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *part) statePath() string { return p.path + ".json" }

// restart empties the part and writes its new state. It empties the file first: a state never
// stands next to bytes of another file.
func (p *part) restart(validator string, total int64) error {
	if err := p.file.Truncate(0); err != nil {
		return permanentError{err}
	}
	p.size, p.state.Validator, p.state.Total = 0, validator, total
	text, err := json.Marshal(p.state)
	if err != nil {
		return permanentError{err}
	}
	if err := replaceFile(p.statePath(), text); err != nil {
		return permanentError{err}
	}
	return nil
}

// write appends to the part.
func (p *part) write(b []byte) error {
	n, err := p.file.WriteAt(b, p.size)
	p.size += int64(n)
	if err != nil {
		return permanently("write download: %w", err)
	}
	return nil
}

// complete reports whether all of a file of known length is there.
func (p *part) complete() bool { return p.state.Total >= 0 && p.size == p.state.Total }

func (p *part) close() { _ = p.file.Close() }

// remove removes the part.
func (p *part) remove() {
	_ = os.Remove(p.path)
	_ = os.Remove(p.statePath())
}

// replaceFile writes a file that appears atomically and complete.
func replaceFile(path string, text []byte) (err error) {
	temporary := path + ".new"
	file, err := os.OpenFile(temporary, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Rename(temporary, path)
}

// syncDir makes the names in a folder durable.
func syncDir(path string) error {
	dir, err := os.Open(filepath.Clean(path))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
