package onnxwriter

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"steno/session/asr/sherpa/internal/onnxfield"
	"steno/session/asr/sherpa/onnx"
)

// Model is a graph with its metadata.
type Model struct {
	Graph    *Graph
	Opset    int64 // version of the standard operators
	Producer string
	Metadata map[string]string
}

// ir is the version of the format that is written: that of opset 17, which runtimes of the last
// years read.
const ir = 8

// WriteFile writes the model to a file, which it creates or replaces.
func (m Model) WriteFile(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<16)
	err = m.Write(w)
	if err == nil {
		err = w.Flush()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("write model %s: %w", path, err)
	}
	return nil
}

// Write writes the model. Equal models result in equal bytes. Elements of tensors are written
// without a copy of all.
func (m Model) Write(w io.Writer) error {
	b := varint(nil, onnxfield.ModelIR, ir)
	b = text(b, onnxfield.ModelProducer, m.Producer)
	b = chunk(b, onnxfield.ModelOpset, varint(text(nil, onnxfield.OpsetDomain, ""), onnxfield.OpsetVersion,
		uint64(m.Opset)))
	for _, key := range slices.Sorted(maps.Keys(m.Metadata)) {
		b = chunk(b, onnxfield.ModelMetadata, text(text(nil, onnxfield.EntryKey, key), onnxfield.EntryValue,
			m.Metadata[key]))
	}
	b = protowire.AppendTag(b, onnxfield.ModelGraph, protowire.BytesType)
	head := m.Graph.encode()
	size := len(head)
	for _, t := range m.Graph.tensors {
		size += protowire.SizeTag(onnxfield.GraphInitializer) + protowire.SizeBytes(t.size())
	}
	b = protowire.AppendVarint(b, uint64(size))
	if _, err := w.Write(append(b, head...)); err != nil {
		return err
	}
	for _, t := range m.Graph.tensors {
		if err := t.write(w); err != nil {
			return err
		}
	}
	return nil
}

// encode returns the graph without its stored tensors.
func (g *Graph) encode() []byte {
	b := text(nil, onnxfield.GraphName, g.name)
	for _, n := range g.nodes {
		b = chunk(b, onnxfield.GraphNode, n)
	}
	for _, v := range g.inputs {
		b = chunk(b, onnxfield.GraphInput, v)
	}
	for _, v := range g.outputs {
		b = chunk(b, onnxfield.GraphOutput, v)
	}
	return b
}

func (t tensor) bytes() int { return 4*len(t.floats) + 8*len(t.ints) }

func (t tensor) size() int {
	return len(t.head) + protowire.SizeTag(onnxfield.TensorRaw) + protowire.SizeBytes(t.bytes())
}

func (t tensor) write(w io.Writer) error {
	b := protowire.AppendTag(nil, onnxfield.GraphInitializer, protowire.BytesType)
	b = protowire.AppendVarint(b, uint64(t.size()))
	b = append(b, t.head...)
	b = protowire.AppendTag(b, onnxfield.TensorRaw, protowire.BytesType)
	b = protowire.AppendVarint(b, uint64(t.bytes()))
	for _, v := range t.ints {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	for part := range slices.Chunk(t.floats, 1<<12) {
		for _, v := range part {
			b = binary.LittleEndian.AppendUint32(b, bits(v))
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
		b = b[:0]
	}
	_, err := w.Write(b)
	return err
}

// EncodeValue returns the message of an input or output.
func EncodeValue(v onnx.Value) []byte {
	var shape []byte
	for _, d := range v.Shape {
		if d.Size < 0 {
			shape = chunk(shape, onnxfield.ShapeDim, text(nil, onnxfield.DimName, d.Name))
			continue
		}
		shape = chunk(shape, onnxfield.ShapeDim, varint(nil, onnxfield.DimSize, uint64(d.Size)))
	}
	kind := chunk(varint(nil, onnxfield.TensorTypeElement, uint64(v.Type)), onnxfield.TensorTypeShape, shape)
	return chunk(text(nil, onnxfield.ValueName, v.Name), onnxfield.ValueType, chunk(nil, onnxfield.TypeTensor, kind))
}

func bits(v float32) uint32 { return math.Float32bits(v) }

func varint(b []byte, n protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, n, protowire.VarintType), v)
}

func text(b []byte, n protowire.Number, v string) []byte {
	return protowire.AppendString(protowire.AppendTag(b, n, protowire.BytesType), v)
}

func chunk(b []byte, n protowire.Number, v []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, n, protowire.BytesType), v)
}
