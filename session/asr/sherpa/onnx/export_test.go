package onnx

// What tests of the reader's bounds use.
const (
	MaxDepth = maxDepth
	MaxText  = maxText
)

var ReadFrom = read
