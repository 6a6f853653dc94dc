// Package onnxfield numbers the fields of the messages of an .onnx file, as in onnx.proto of the
// ONNX project (https://onnx.ai), IR version 10.
package onnxfield

// Field numbers: the message's name, then the field's.
const (
	ModelIR              = 1
	ModelProducer        = 2
	ModelProducerVersion = 3
	ModelGraph           = 7
	ModelOpset           = 8
	ModelMetadata        = 14
	ModelFunction        = 25

	OpsetDomain  = 1
	OpsetVersion = 2

	EntryKey   = 1
	EntryValue = 2

	GraphNode        = 1
	GraphName        = 2
	GraphInitializer = 5
	GraphInput       = 11
	GraphOutput      = 12
	GraphSparse      = 15

	FunctionNode      = 7
	FunctionAttribute = 11

	NodeInput     = 1
	NodeOutput    = 2
	NodeName      = 3
	NodeOp        = 4
	NodeAttribute = 5

	AttributeName    = 1
	AttributeFloat   = 2
	AttributeInt     = 3
	AttributeString  = 4
	AttributeTensor  = 5
	AttributeGraph   = 6
	AttributeFloats  = 7
	AttributeInts    = 8
	AttributeTensors = 10
	AttributeGraphs  = 11
	AttributeType    = 20
	AttributeSparse  = 22
	AttributeSparses = 23

	SparseValues  = 1
	SparseIndices = 2

	TensorDims     = 1
	TensorType     = 2
	TensorName     = 8
	TensorRaw      = 9
	TensorExternal = 13

	ValueName = 1
	ValueType = 2

	TypeTensor = 1

	TensorTypeElement = 1
	TensorTypeShape   = 2

	ShapeDim = 1

	DimSize = 1
	DimName = 2
)
