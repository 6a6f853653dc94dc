package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"steno/loadtest"
)

// outputFlags name the files that a report is written to.
type outputFlags struct {
	JSON string `group:"output" help:"File for the figures, with histograms." name:"json" type:"path" placeholder:"FILE"`
	HTML string `group:"output" help:"File for the report with plots; it needs nothing else." name:"html" type:"path" placeholder:"FILE"`
}

// outputs are the files of a report, opened before there is one.
type outputs struct{ json, html *output }

// open opens the files, so that one that cannot be written is known before a run. Those of an older
// report keep it until the new one is written.
func (f outputFlags) open() (*outputs, error) {
	if f.JSON != "" && f.JSON == f.HTML {
		return nil, fmt.Errorf("--json and --html name the same file, %s", f.JSON)
	}
	var o outputs
	var err error
	if o.json, err = openOutput("--json", f.JSON); err != nil {
		return nil, err
	}
	if o.html, err = openOutput("--html", f.HTML); err != nil {
		o.close()
		return nil, err
	}
	return &o, nil
}

// write writes a report to all files, whether or not one of them fails.
func (o *outputs) write(r *loadtest.Report) error {
	return errors.Join(
		o.json.write(func(b *bytes.Buffer) error {
			e := json.NewEncoder(b)
			e.SetIndent("", "  ")
			return e.Encode(r)
		}),
		o.html.write(func(b *bytes.Buffer) error { return r.WriteHTML(b) }),
	)
}

// close discards what has not been written.
func (o *outputs) close() {
	o.json.close()
	o.html.close()
}

// output is one file. A nil one was not asked for.
type output struct {
	flag string
	path string   // of what is replaced at the end; empty: file is written itself
	file *os.File // nil when it has been written
}

// openOutput opens the file that a flag names. What is written to it takes the place of an older
// file at the end, except for what is no file: a device, a pipe.
func openOutput(flag, path string) (*output, error) {
	if path == "" {
		return nil, nil
	}
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		path = resolved
	}
	mode := os.FileMode(0o644)
	old, err := os.OpenFile(path, os.O_WRONLY, 0)
	switch {
	case err == nil:
		info, err := old.Stat()
		if err == nil && !info.Mode().IsRegular() {
			return &output{flag: flag, file: old}, nil
		}
		if err = errors.Join(err, old.Close()); err != nil {
			return nil, fmt.Errorf("%s: %w", flag, err)
		}
		mode = info.Mode().Perm()
	case !errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	temporary := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+rand.Text())
	file, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	return &output{flag: flag, path: path, file: file}, nil
}

// write has the file filled and puts it into its place.
func (o *output) write(fill func(*bytes.Buffer) error) error {
	if o == nil {
		return nil
	}
	defer o.close()
	var b bytes.Buffer
	if err := fill(&b); err != nil {
		return fmt.Errorf("%s: %w", o.flag, err)
	}
	if err := o.replace(b.Bytes()); err != nil {
		return fmt.Errorf("%s: %w", o.flag, err)
	}
	return nil
}

func (o *output) replace(b []byte) error {
	if _, err := o.file.Write(b); err != nil || o.path == "" {
		return err
	}
	return os.Rename(o.file.Name(), o.path)
}

// close closes the file and removes it unless it is in its place.
func (o *output) close() {
	if o == nil || o.file == nil {
		return
	}
	_ = o.file.Close() // what was to be written has been
	if o.path != "" {
		_ = os.Remove(o.file.Name()) // it is gone where it was renamed
	}
	o.file = nil
}
