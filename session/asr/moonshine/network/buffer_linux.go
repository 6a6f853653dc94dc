//go:build linux && cgo && (amd64 || arm64)

package network

import (
	"fmt"
	"runtime"

	ort "github.com/yalue/onnxruntime_go"
)

// buffer is memory that tensors of the library are made of. It is pinned, since the library keeps
// its address between calls; it grows and is reused.
type buffer[T ort.TensorData] struct {
	data   []T
	pinner runtime.Pinner
}

// size makes the buffer hold n elements at least and returns them. What it held is lost where it
// has to grow.
func (b *buffer[T]) size(n int) []T {
	if cap(b.data) < n {
		b.free()
		b.data = make([]T, n+n/4)
		b.pinner.Pin(&b.data[0])
	}
	return b.data[:n]
}

// tensor returns the first elements of the buffer as a tensor, which must be destroyed before the
// buffer grows or is freed.
func (b *buffer[T]) tensor(shape ...int64) (ort.Value, error) {
	n := 1
	for _, d := range shape {
		n *= int(d)
	}
	t, err := ort.NewTensor(shape, b.size(n))
	if err != nil {
		return nil, fmt.Errorf("make a tensor of %v: %w", shape, err)
	}
	return t, nil
}

func (b *buffer[T]) free() {
	b.pinner.Unpin()
	b.data = nil
}
