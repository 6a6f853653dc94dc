//go:build linux && cgo && (amd64 || arm64)

package network

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
)

// Fields of tables in files of ONNX Runtime, by their numbers in its schema, ort.fbs.
const (
	sessionModel  = 1
	modelGraph    = 7
	graphValues   = 1
	graphInputs   = 5
	graphOutputs  = 6
	valueName     = 0
	valueType     = 2
	typeOf        = 2 // of which a tensor is one
	tensorShape   = 1
	shapeSizes    = 0
	dimensionSize = 0
	sizeNumber    = 1
)

// value is an input or an output of a model.
type value struct {
	name  string
	shape []int64 // sizes that vary are 0
}

// shapes reads a model's inputs and outputs from its file, which the library has taken. The library
// would load the model once more to tell them, which takes as long as to load it for use.
func shapes(path string) (inputs, outputs []value, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	f := &flat{file: file}
	graph := f.field(f.field(f.follow(0), sessionModel), modelGraph)
	values := map[string]int64{}
	for v := range f.elements(f.field(graph, graphValues)) {
		values[f.text(f.field(v, valueName))] = v
	}
	list := func(number int64) (all []value) {
		for at := range f.elements(f.field(graph, number)) {
			name := f.text(at)
			all = append(all, value{name, f.shape(values[name])})
		}
		return all
	}
	inputs, outputs = list(graphInputs), list(graphOutputs)
	if f.err != nil {
		return nil, nil, fmt.Errorf("read inputs and outputs: %w", f.err)
	}
	return inputs, outputs, nil
}

// flat reads what a file in the format of FlatBuffers refers to. Positions are from its beginning;
// 0 stands for what it leaves out, of which all is left out. After an error all is.
type flat struct {
	file io.ReaderAt
	err  error
}

// bytes returns the bytes at a position.
func (f *flat) bytes(at int64, n int) []byte {
	b := make([]byte, n)
	if f.err == nil {
		_, f.err = f.file.ReadAt(b, at)
	}
	if f.err != nil {
		clear(b)
	}
	return b
}

func (f *flat) uint32(at int64) int64 { return int64(binary.LittleEndian.Uint32(f.bytes(at, 4))) }

// follow returns the position that is stored as a distance.
func (f *flat) follow(at int64) int64 { return at + f.uint32(at) }

// place returns where a field of a table is stored.
func (f *flat) place(table, number int64) int64 {
	if table == 0 {
		return 0
	}
	fields := table - int64(int32(f.uint32(table)))
	at := 4 + 2*number
	if at >= int64(binary.LittleEndian.Uint16(f.bytes(fields, 2))) {
		return 0
	}
	if from := int64(binary.LittleEndian.Uint16(f.bytes(fields+at, 2))); from > 0 {
		return table + from
	}
	return 0
}

// field returns the position of the table, text or vector that a field refers to.
func (f *flat) field(table, number int64) int64 {
	at := f.place(table, number)
	if at == 0 {
		return 0
	}
	return f.follow(at)
}

// elements returns the positions of what a vector refers to.
func (f *flat) elements(vector int64) func(yield func(int64) bool) {
	return func(yield func(int64) bool) {
		if vector == 0 {
			return
		}
		for i := range f.uint32(vector) {
			if at := f.follow(vector + 4 + 4*i); f.err != nil || !yield(at) {
				return
			}
		}
	}
}

func (f *flat) text(at int64) string {
	if at == 0 {
		return ""
	}
	return string(f.bytes(at+4, int(min(f.uint32(at), maxName))))
}

// maxName is the longest name that is read.
const maxName = 1 << 10

// shape returns the sizes of a value that is a tensor.
func (f *flat) shape(v int64) (sizes []int64) {
	tensor := f.field(f.field(v, valueType), typeOf)
	for dimension := range f.elements(f.field(f.field(tensor, tensorShape), shapeSizes)) {
		size := int64(0)
		if at := f.place(f.field(dimension, dimensionSize), sizeNumber); at > 0 {
			size = int64(binary.LittleEndian.Uint64(f.bytes(at, 8)))
		}
		sizes = append(sizes, size)
	}
	return sizes
}
