package onnx

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// Graph is a graph in the making. Its nodes are kept in the order they are added in,
// which must be one they can run in. It is used by one goroutine.
type Graph struct {
	name            string
	nodes           [][]byte
	tensors         []tensor
	inputs, outputs [][]byte
}

// tensor is a stored tensor; its elements are written only at the end.
type tensor struct {
	head   []byte
	floats []float32
	ints   []int64
}

// NewGraph returns an empty graph.
func NewGraph(name string) *Graph { return &Graph{name: name} }

// Input declares an input and returns its name.
func (g *Graph) Input(name string, t Type, shape ...Dim) string {
	g.inputs = append(g.inputs, encodeValue(Value{name, t, shape}))
	return name
}

// Output declares that the value name is an output.
func (g *Graph) Output(name string, t Type, shape ...Dim) {
	g.outputs = append(g.outputs, encodeValue(Value{name, t, shape}))
}

// Floats stores a tensor of the given dimensions in row-major order and returns a name
// for it. The slice is kept, not copied, until the model is written; tensors may share
// one. No dimensions make a scalar. It panics where sizes do not match.
func (g *Graph) Floats(data []float32, dims ...int) string {
	return g.store(tensor{floats: data}, Float, len(data), dims)
}

// Ints is Floats for integers of 64 bits.
func (g *Graph) Ints(data []int64, dims ...int) string {
	return g.store(tensor{ints: data}, Int64, len(data), dims)
}

// Vector stores integers as a vector: axes, a shape, bounds of a slice.
func (g *Graph) Vector(n ...int64) string { return g.Ints(n, len(n)) }

func (g *Graph) store(t tensor, kind Type, elements int, dims []int) string {
	want := 1
	for _, d := range dims {
		want *= d
		t.head = varint(t.head, tensorDims, uint64(d))
	}
	if want != elements {
		panic(fmt.Sprintf("onnx: %d elements for the dimensions %v", elements, dims))
	}
	name := fmt.Sprintf("stored_%d", len(g.tensors))
	t.head = varint(t.head, tensorType, uint64(kind))
	t.head = text(t.head, tensorName, name)
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

// Name gives the value from a second name, as outputs need one of their own.
func (g *Graph) Name(from, name string) string {
	g.add("Identity", []string{from}, []string{name}, nil)
	return name
}

func (g *Graph) add(op string, inputs, outputs []string, attributes []Attribute) {
	var b []byte
	for _, name := range inputs {
		b = text(b, nodeInput, name)
	}
	for _, name := range outputs {
		b = text(b, nodeOutput, name)
	}
	b = text(b, nodeName, fmt.Sprintf("%s_%d", op, len(g.nodes)))
	b = text(b, nodeOp, op)
	for _, a := range attributes {
		b = chunk(b, nodeAttribute, a)
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
	return varint(varint(text(nil, attributeName, name), attributeInt, uint64(v)), attributeType, kindInt)
}

// Ints is an attribute of a list of integers.
func Ints(name string, v ...int64) Attribute {
	b := text(nil, attributeName, name)
	for _, n := range v {
		b = varint(b, attributeInts, uint64(n))
	}
	return varint(b, attributeType, kindInts)
}

// Real is an attribute of a floating-point number.
func Real(name string, v float32) Attribute {
	b := protowire.AppendTag(text(nil, attributeName, name), attributeFloat, protowire.Fixed32Type)
	b = protowire.AppendFixed32(b, bits(v))
	return varint(b, attributeType, kindFloat)
}

// Text is an attribute of a string.
func Text(name, v string) Attribute {
	return varint(text(text(nil, attributeName, name), attributeString, v), attributeType, kindString)
}
