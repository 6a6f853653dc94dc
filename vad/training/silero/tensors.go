package silero

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"

	"google.golang.org/protobuf/encoding/protowire"
)

// Fields of onnx.proto of the ONNX project.
const (
	modelGraph       = 7
	graphInitializer = 5
	tensorDims       = 1
	tensorType       = 2
	tensorName       = 8
	tensorRaw        = 9

	typeFloat = 1
)

// tensor is a stored value of a graph: float32 alone, by rows.
type tensor struct {
	dims []int
	data []float32
}

// readTensors reads the initializers of type float of an ONNX file, by name.
func readTensors(path string) (map[string]tensor, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	out := map[string]tensor{}
	err = fields(raw, func(number protowire.Number, graph []byte, _ uint64) error {
		if number != modelGraph {
			return nil
		}
		return fields(graph, func(number protowire.Number, value []byte, _ uint64) error {
			if number != graphInitializer {
				return nil
			}
			return readTensor(value, out)
		})
	})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return out, nil
}

// fields calls take for each field of a message, with the bytes or the number it holds.
func fields(b []byte, take func(protowire.Number, []byte, uint64) error) error {
	for len(b) > 0 {
		number, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return protowire.ParseError(n)
		}
		b = b[n:]
		var value []byte
		var v uint64
		switch kind {
		case protowire.BytesType:
			value, n = protowire.ConsumeBytes(b)
		case protowire.VarintType:
			v, n = protowire.ConsumeVarint(b)
		default:
			n = protowire.ConsumeFieldValue(number, kind, b)
		}
		if n < 0 {
			return protowire.ParseError(n)
		}
		b = b[n:]
		if err := take(number, value, v); err != nil {
			return err
		}
	}
	return nil
}

// readTensor adds the tensor of an initializer to out, unless it has another type than float.
func readTensor(b []byte, out map[string]tensor) error {
	var t tensor
	var name string
	var kind uint64
	var raw []byte
	err := fields(b, func(number protowire.Number, value []byte, v uint64) error {
		switch number {
		case tensorDims:
			return t.addDims(value, v)
		case tensorType:
			kind = v
		case tensorName:
			name = string(value)
		case tensorRaw:
			raw = value
		}
		return nil
	})
	if err != nil || kind != typeFloat {
		return err
	}
	if t.data, err = t.floats(raw); err != nil {
		return fmt.Errorf("tensor %s: %w", name, err)
	}
	out[name] = t
	return nil
}

// addDims adds dimensions: one, or a packed list of them.
func (t *tensor) addDims(packed []byte, one uint64) error {
	if packed == nil {
		t.dims = append(t.dims, int(one))
	}
	for len(packed) > 0 {
		d, n := protowire.ConsumeVarint(packed)
		if n < 0 {
			return protowire.ParseError(n)
		}
		t.dims, packed = append(t.dims, int(d)), packed[n:]
	}
	return nil
}

// floats returns the values of the tensor from their stored form.
func (t *tensor) floats(raw []byte) ([]float32, error) {
	size := 1
	for _, d := range t.dims {
		size *= d
	}
	if len(raw) != 4*size {
		return nil, errors.New("not stored as raw floats")
	}
	data := make([]float32, size)
	for i := range data {
		data[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return data, nil
}
