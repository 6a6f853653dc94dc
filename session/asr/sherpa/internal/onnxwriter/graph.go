// Package onnxwriter writes small .onnx models, for tests.
//
// A [Graph] is built node by node and written as part of a [Model].
package onnxwriter

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"

	"steno/session/asr/sherpa/internal/onnxfield"
	"steno/session/asr/sherpa/onnx"
)

// Graph is a graph that is being built. Its nodes are kept in the order they are added in, which
// must be one they can run in. One goroutine uses it.
type Graph struct {
	name            string
	nodes           [][]byte
	tensors         []tensor
	inputs, outputs [][]byte
}

// tensor is a stored tensor; its elements are written at the end only.
type tensor struct {
	head   []byte
	floats []float32
	ints   []int64
}

// NewGraph returns an empty graph.
func NewGraph(name string) *Graph { return &Graph{name: name} }

// Input declares an input and returns its name.
func (g *Graph) Input(name string, t onnx.Type, shape ...onnx.Dim) string {
	g.inputs = append(g.inputs, EncodeValue(onnx.Value{Name: name, Type: t, Shape: shape}))
	return name
}

// Output declares that the value name is an output.
func (g *Graph) Output(name string, t onnx.Type, shape ...onnx.Dim) {
	g.outputs = append(g.outputs, EncodeValue(onnx.Value{Name: name, Type: t, Shape: shape}))
}

// Floats stores a tensor of the given dimensions in row-major order and returns a name
// for it. The slice is kept, not copied, until the model is written; tensors may share
// one. No dimensions make a scalar. It panics where sizes do not match.
func (g *Graph) Floats(data []float32, dims ...int) string {
	return g.store(tensor{floats: data}, onnx.Float, len(data), dims)
}

// Ints is Floats for integers of 64 bits.
func (g *Graph) Ints(data []int64, dims ...int) string {
	return g.store(tensor{ints: data}, onnx.Int64, len(data), dims)
}

// Vector stores integers as a vector: axes, a shape, bounds of a slice.
func (g *Graph) Vector(n ...int64) string { return g.Ints(n, len(n)) }

func (g *Graph) store(t tensor, kind onnx.Type, elements int, dims []int) string {
	want := 1
	for _, d := range dims {
		want *= d
		t.head = varint(t.head, onnxfield.TensorDims, uint64(d))
	}
	if want != elements {
		panic(fmt.Sprintf("onnx: %d elements for the dimensions %v", elements, dims))
	}
	name := fmt.Sprintf("stored_%d", len(g.tensors))
	t.head = varint(t.head, onnxfield.TensorType, uint64(kind))
	t.head = text(t.head, onnxfield.TensorName, name)
	g.tensors = append(g.tensors, t)
	return name
}

// Node adds an operation and returns the name of its only output. An input of "" is an
// optional one left out.
func (g *Graph) Node(op string, inputs []string, attributes ...Attribute) string {
	return g.Nodes(op, inputs, 1, attributes...)[0]
}

// Nodes adds an operation of n outputs and returns their names.
func (g *Graph) Nodes(op string, inputs []string, n int, attributes ...Attribute) []string {
	outputs := make([]string, n)
	for i := range outputs {
		outputs[i] = fmt.Sprintf("%s_%d_%d", op, len(g.nodes), i)
	}
	g.add(op, inputs, outputs, attributes)
	return outputs
}

// Name adds a second name for the value from, as outputs need one of their own.
func (g *Graph) Name(from, name string) string {
	g.add("Identity", []string{from}, []string{name}, nil)
	return name
}

func (g *Graph) add(op string, inputs, outputs []string, attributes []Attribute) {
	var b []byte
	for _, name := range inputs {
		b = text(b, onnxfield.NodeInput, name)
	}
	for _, name := range outputs {
		b = text(b, onnxfield.NodeOutput, name)
	}
	b = text(b, onnxfield.NodeName, fmt.Sprintf("%s_%d", op, len(g.nodes)))
	b = text(b, onnxfield.NodeOp, op)
	for _, a := range attributes {
		b = chunk(b, onnxfield.NodeAttribute, a)
	}
	g.nodes = append(g.nodes, b)
}

// Attribute is a constant of a node.
type Attribute []byte

// Kinds of attributes, as in onnx.proto.
const (
	kindFloat  = 1
	kindInt    = 2
	kindString = 3
	kindInts   = 7
)

// Int is an attribute of an integer.
func Int(name string, v int64) Attribute {
	return varint(varint(text(nil, onnxfield.AttributeName, name), onnxfield.AttributeInt, uint64(v)),
		onnxfield.AttributeType, kindInt)
}

// Ints is an attribute of a list of integers.
func Ints(name string, v ...int64) Attribute {
	b := text(nil, onnxfield.AttributeName, name)
	for _, n := range v {
		b = varint(b, onnxfield.AttributeInts, uint64(n))
	}
	return varint(b, onnxfield.AttributeType, kindInts)
}

// Real is an attribute of a floating-point number.
func Real(name string, v float32) Attribute {
	b := protowire.AppendTag(text(nil, onnxfield.AttributeName, name), onnxfield.AttributeFloat, protowire.Fixed32Type)
	b = protowire.AppendFixed32(b, bits(v))
	return varint(b, onnxfield.AttributeType, kindFloat)
}

// Text is an attribute of a string.
func Text(name, v string) Attribute {
	return varint(text(text(nil, onnxfield.AttributeName, name), onnxfield.AttributeString, v),
		onnxfield.AttributeType, kindString)
}
