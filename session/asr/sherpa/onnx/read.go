package onnx

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"steno/session/asr/sherpa/internal/onnxfield"
)

// Info is the metadata of a model.
type Info struct {
	IR              int64 // version of the format
	Opset           int64 // version of the standard operators; 0: unknown
	Producer        string
	ProducerVersion string
	Inputs, Outputs []Value // in the file's order; inputs are those without a stored value
	Metadata        map[string]string
	Nodes           int
	Parameters      int64 // elements of all initializers
	// External lists the other files that hold weights: slash-separated
	// paths below the model's folder, sorted.
	External []string
}

// Read reads the metadata of the model in the file path. Its errors name the file and what is wrong
// with it: not a model at all, cut short, without a graph, weights in files that are missing or
// outside of the model's folder.
func Read(path string) (Info, error) {
	info, err := readFile(path)
	if err != nil {
		return Info{}, fmt.Errorf("model %s: %w", path, err)
	}
	return info, nil
}

func readFile(path string) (Info, error) {
	stat, err := os.Stat(path)
	if err != nil {
		return Info{}, withoutPath(err)
	}
	if !stat.Mode().IsRegular() { // opening a pipe would wait for its writer
		return Info{}, errors.New("not a file")
	}
	f, err := os.Open(path)
	if err != nil {
		return Info{}, withoutPath(err)
	}
	defer f.Close()
	info, err := read(f, stat.Size())
	if err != nil {
		return Info{}, err
	}
	for _, location := range info.External {
		if _, err := os.Stat(filepath.Join(filepath.Dir(path), filepath.FromSlash(location))); err != nil {
			return Info{}, fmt.Errorf("its weights in %s: %w", location, withoutPath(err))
		}
	}
	return info, nil
}

// withoutPath returns err without its path, which the caller adds.
func withoutPath(err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// lookalikes are the beginnings of files that often are in the place of a model.
var lookalikes = []struct{ start, what string }{
	{"version https://git-lfs", "a Git LFS pointer instead of the file it stands for"},
	{"<", "a page of HTML or XML, perhaps of a failed download"},
	{"{", "JSON"},
	{"PK\x03\x04", "a ZIP archive"},
	{"\x1f\x8b", "a gzip archive"},
	{"BZh", "a bzip2 archive"},
	{"ORTM", "a model in the runtime's own format"},
}

func read(source io.ReadSeeker, size int64) (Info, error) {
	if size == 0 {
		return Info{}, errors.New("the file is empty")
	}
	var start [32]byte
	n, err := io.ReadFull(source, start[:])
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return Info{}, err
	}
	for _, l := range lookalikes {
		if bytes.HasPrefix(start[:n], []byte(l.start)) {
			return Info{}, fmt.Errorf("this is %s", l.what)
		}
	}
	if _, err := source.Seek(0, io.SeekStart); err != nil {
		return Info{}, err
	}
	r := reader{scan: newScan(source), stored: map[string]bool{}, external: map[string]bool{}}
	if err := r.message("model", size, r.model); err != nil {
		return Info{}, err
	}
	return r.finish()
}

// reader collects the results of the scan.
type reader struct {
	*scan
	info     Info
	graphs   int
	stored   map[string]bool // names of initializers
	external map[string]bool
}

func (r *reader) finish() (Info, error) {
	switch {
	case r.info.IR == 0 && r.graphs == 0:
		return Info{}, errors.New("a protobuf, but no ONNX model: neither version nor graph")
	case r.graphs == 0:
		return Info{}, errors.New("the model has no graph")
	case r.graphs > 1:
		return Info{}, errors.New("the model has more than one graph")
	case len(r.info.Outputs) == 0:
		return Info{}, errors.New("the graph has no output")
	}
	r.info.Inputs = slices.DeleteFunc(r.info.Inputs, func(v Value) bool { return r.stored[v.Name] })
	r.info.External = slices.Sorted(maps.Keys(r.external))
	return r.info, nil
}

func (r *reader) model(f field) (err error) {
	switch f.number {
	case onnxfield.ModelIR:
		r.info.IR = int64(f.value)
	case onnxfield.ModelProducer:
		r.info.Producer, err = r.string(f)
	case onnxfield.ModelProducerVersion:
		r.info.ProducerVersion, err = r.string(f)
	case onnxfield.ModelOpset:
		err = r.opset(f)
	case onnxfield.ModelMetadata:
		err = r.metadata(f)
	case onnxfield.ModelGraph:
		r.graphs++
		err = r.inside("graph", f, r.graph)
	case onnxfield.ModelFunction:
		err = r.inside("function", f, r.function)
	}
	return err
}

func (r *reader) opset(f field) error {
	var domain string
	var version int64
	err := r.inside("opset", f, func(f field) (err error) {
		switch f.number {
		case onnxfield.OpsetDomain:
			domain, err = r.string(f)
		case onnxfield.OpsetVersion:
			version = int64(f.value)
		}
		return err
	})
	if domain == "" || domain == "ai.onnx" {
		r.info.Opset = version
	}
	return err
}

func (r *reader) metadata(f field) error {
	key, value, err := r.entry(f)
	if err != nil {
		return err
	}
	if r.info.Metadata == nil {
		r.info.Metadata = map[string]string{}
	}
	r.info.Metadata[key] = value
	if len(r.info.Metadata) > maxValues {
		return fmt.Errorf("more than %d entries of metadata", maxValues)
	}
	return nil
}

func (r *reader) entry(f field) (key, value string, err error) {
	err = r.inside("entry", f, func(f field) (err error) {
		switch f.number {
		case onnxfield.EntryKey:
			key, err = r.string(f)
		case onnxfield.EntryValue:
			value, err = r.string(f)
		}
		return err
	})
	return key, value, err
}

// keep adds a file of weights.
func (r *reader) keep(location string) error {
	if !filepath.IsLocal(filepath.FromSlash(location)) || strings.ContainsAny(location, "\\\x00") {
		return fmt.Errorf("weights are said to be in %q, outside of the model's folder", location)
	}
	r.external[location] = true
	if len(r.external) > maxValues {
		return fmt.Errorf("weights in more than %d files", maxValues)
	}
	return nil
}
