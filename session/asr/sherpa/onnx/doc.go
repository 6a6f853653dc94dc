// Package onnx reads what an .onnx file says about itself, and writes small ones.
//
// Reading is for the time before a neural runtime sees a file: some end the process
// over a model without the metadata they expect. It skims: names, shapes and metadata
// are read, weights are skipped, so a file of gigabytes takes milliseconds and little
// memory. Writing is for models made by the project itself.
//
// An ONNX file is one protobuf message. The field numbers and meanings here are those
// of onnx.proto of the ONNX project (https://onnx.ai), IR version 10.
package onnx

// Fields of the messages, as in onnx.proto.
const (
	modelIR              = 1
	modelProducer        = 2
	modelProducerVersion = 3
	modelGraph           = 7
	modelOpset           = 8
	modelMetadata        = 14
	modelFunction        = 25

	opsetDomain  = 1
	opsetVersion = 2

	entryKey   = 1
	entryValue = 2

	graphNode        = 1
	graphName        = 2
	graphInitializer = 5
	graphInput       = 11
	graphOutput      = 12
	graphSparse      = 15

	functionNode      = 7
	functionAttribute = 11

	nodeInput     = 1
	nodeOutput    = 2
	nodeName      = 3
	nodeOp        = 4
	nodeAttribute = 5

	attributeName    = 1
	attributeFloat   = 2
	attributeInt     = 3
	attributeString  = 4
	attributeTensor  = 5
	attributeGraph   = 6
	attributeFloats  = 7
	attributeInts    = 8
	attributeTensors = 10
	attributeGraphs  = 11
	attributeType    = 20
	attributeSparse  = 22
	attributeSparses = 23

	sparseValues  = 1
	sparseIndices = 2

	tensorDims     = 1
	tensorType     = 2
	tensorName     = 8
	tensorRaw      = 9
	tensorExternal = 13

	valueName = 1
	valueType = 2

	typeTensor = 1

	tensorTypeElement = 1
	tensorTypeShape   = 2

	shapeDim = 1

	dimSize = 1
	dimName = 2
)

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
	Size int64  // -1: told only when the model runs
	Name string // where Size is -1; may be ""
}

// Size is a dimension of n elements.
func Size(n int) Dim { return Dim{Size: int64(n)} }

// Any is a dimension told only when the model runs.
func Any(name string) Dim { return Dim{Size: -1, Name: name} }

// Value is an input or an output of a graph.
type Value struct {
	Name  string
	Type  Type  // 0: no tensor
	Shape []Dim // nil: not told
}
