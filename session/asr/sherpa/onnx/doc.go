// Package onnx reads what an .onnx file states about itself.
//
// It is used before a neural runtime sees a file: some end the process over a model without the
// metadata they expect. Names, shapes and metadata are read and weights skipped, so a file of
// gigabytes takes milliseconds and little memory.
//
// An ONNX file is one protobuf message; package onnxfield numbers its fields.
package onnx

// Type is the type of a tensor's elements, numbered as in onnx.proto.
type Type int32

const (
	Float   Type = 1
	Uint8   Type = 2
	Int8    Type = 3
	Int32   Type = 6
	Int64   Type = 7
	String  Type = 8
	Bool    Type = 9
	Float16 Type = 10
	Double  Type = 11
)

// Dim is one dimension of a shape.
type Dim struct {
	Size int64  // -1: known only when the model runs
	Name string // where Size is -1; may be ""
}

// Size is a dimension of n elements.
func Size(n int) Dim { return Dim{Size: int64(n)} }

// Any is a dimension known only when the model runs.
func Any(name string) Dim { return Dim{Size: -1, Name: name} }

// Value is an input or an output of a graph.
type Value struct {
	Name  string
	Type  Type  // 0: no tensor
	Shape []Dim // nil: unknown
}
