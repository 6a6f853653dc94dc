package onnx

import (
	"errors"
	"fmt"
	"math"

	"google.golang.org/protobuf/encoding/protowire"

	"steno/session/asr/sherpa/internal/onnxfield"
)

// graph reads a field of the model's own graph.
func (r *reader) graph(f field) error {
	switch f.number {
	case onnxfield.GraphInput:
		return r.value(f, &r.info.Inputs)
	case onnxfield.GraphOutput:
		return r.value(f, &r.info.Outputs)
	case onnxfield.GraphInitializer:
		return r.initializer(f)
	case onnxfield.GraphNode:
		r.info.Nodes++
	}
	return r.weights(f)
}

// weights reads a field of any graph, for the files of weights below it.
func (r *reader) weights(f field) error {
	switch f.number {
	case onnxfield.GraphNode:
		return r.inside("node", f, r.node)
	case onnxfield.GraphInitializer:
		return r.inside("tensor", f, r.tensor)
	case onnxfield.GraphSparse:
		return r.inside("sparse tensor", f, r.sparse)
	}
	return nil
}

func (r *reader) function(f field) error {
	switch f.number {
	case onnxfield.FunctionNode:
		return r.inside("node", f, r.node)
	case onnxfield.FunctionAttribute:
		return r.inside("attribute", f, r.attribute)
	}
	return nil
}

func (r *reader) node(f field) error {
	if f.number != onnxfield.NodeAttribute {
		return nil
	}
	return r.inside("attribute", f, r.attribute)
}

func (r *reader) attribute(f field) error {
	switch f.number {
	case onnxfield.AttributeTensor, onnxfield.AttributeTensors:
		return r.inside("tensor", f, r.tensor)
	case onnxfield.AttributeGraph, onnxfield.AttributeGraphs:
		return r.inside("graph of a node", f, r.weights)
	case onnxfield.AttributeSparse, onnxfield.AttributeSparses:
		return r.inside("sparse tensor", f, r.sparse)
	}
	return nil
}

func (r *reader) sparse(f field) error {
	switch f.number {
	case onnxfield.SparseValues, onnxfield.SparseIndices:
		return r.inside("tensor", f, r.tensor)
	}
	return nil
}

// tensor reads a field of a tensor, for the file its elements are in.
func (r *reader) tensor(f field) error {
	if f.number != onnxfield.TensorExternal {
		return nil
	}
	key, value, err := r.entry(f)
	if err != nil || key != "location" {
		return err
	}
	return r.keep(value)
}

// initializer reads a stored tensor of the model's graph: name and size too.
func (r *reader) initializer(f field) error {
	var name string
	elements := int64(1)
	err := r.inside("initializer", f, func(f field) (err error) {
		switch f.number {
		case onnxfield.TensorName:
			name, err = r.string(f)
		case onnxfield.TensorDims:
			err = r.dims(f, &elements)
		default:
			err = r.tensor(f)
		}
		return err
	})
	if err != nil {
		return err
	}
	if elements > math.MaxInt64-r.info.Parameters {
		return fmt.Errorf("initializer %q: the size overflows", name)
	}
	r.info.Parameters += elements
	r.stored[name] = true
	return nil
}

// dims multiplies elements by the dimensions, which are one in a field or many packed in one.
func (r *reader) dims(f field, elements *int64) error {
	if f.wire == protowire.VarintType {
		return multiply(elements, int64(f.value))
	}
	if f.wire != protowire.BytesType {
		return errors.New("the dimensions of a tensor are no integers")
	}
	for end := r.at + f.size; r.at < end; {
		n, err := r.varint(end)
		if err != nil {
			return err
		}
		if err := multiply(elements, int64(n)); err != nil {
			return err
		}
	}
	return nil
}

func multiply(elements *int64, n int64) error {
	if n < 0 || n > 0 && *elements > math.MaxInt64/n {
		return fmt.Errorf("a tensor has a dimension of %d", n)
	}
	*elements *= n
	return nil
}

// value reads an input or output.
func (r *reader) value(f field, to *[]Value) error {
	if len(*to) == maxValues {
		return fmt.Errorf("more than %d inputs or outputs", maxValues)
	}
	var v Value
	err := r.inside("input or output", f, func(f field) (err error) {
		switch f.number {
		case onnxfield.ValueName:
			v.Name, err = r.string(f)
		case onnxfield.ValueType:
			err = r.inside("type", f, func(f field) error {
				if f.number != onnxfield.TypeTensor {
					return nil
				}
				return r.inside("tensor type", f, func(f field) error { return r.tensorType(f, &v) })
			})
		}
		return err
	})
	*to = append(*to, v)
	return err
}

func (r *reader) tensorType(f field, v *Value) error {
	switch f.number {
	case onnxfield.TensorTypeElement:
		v.Type = Type(f.value)
	case onnxfield.TensorTypeShape:
		v.Shape = []Dim{}
		return r.inside("shape", f, func(f field) error { return r.shape(f, v) })
	}
	return nil
}

func (r *reader) shape(f field, v *Value) error {
	if f.number != onnxfield.ShapeDim {
		return nil
	}
	if len(v.Shape) == maxValues {
		return fmt.Errorf("more than %d dimensions", maxValues)
	}
	d := Dim{Size: -1}
	err := r.inside("dimension", f, func(f field) (err error) {
		switch f.number {
		case onnxfield.DimSize:
			d.Size = max(-1, int64(f.value))
		case onnxfield.DimName:
			d.Name, err = r.string(f)
		}
		return err
	})
	v.Shape = append(v.Shape, d)
	return err
}
