package fakemodels

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"steno/session/asr/sherpa/internal/onnxwriter"
	"steno/session/asr/sherpa/onnx"
)

// steps is the number of frames of 20 ms in a chunk.
const steps = chunkFrames / 2

func (z *zipformer) encoder() onnxwriter.Model {
	z.Graph, z.state, z.next = onnxwriter.NewGraph("encoder"), nil, nil
	x := z.Input("x", onnx.Float, onnx.Any("N"), onnx.Size(chunkLooks), onnx.Size(Bands))
	front := z.declare()
	x = z.embed(x, front[0])
	z.next = append(z.next, z.sum(front[1], z.Vector(steps)))
	embedded := slices.Clone(z.next[len(z.next)-2:])
	z.next = nil
	outputs := make([]string, len(z.shape.dims))
	for i, dim := range z.shape.dims {
		if i > 0 {
			x = z.convert(x, z.shape.dims[i-1], dim)
		}
		x = z.stack(i, x)
		outputs[i] = x
	}
	x = z.downsampled(z.widest(outputs), 2, slices.Max(z.shape.dims))
	x = z.linear(z.turned(z.lively(x), 1, 0, 2), slices.Max(z.shape.dims), z.shape.joined)
	z.Output(z.Name(x, "encoder_out"), onnx.Float, onnx.Any("N"), onnx.Size(steps/2), onnx.Size(z.shape.joined))
	for i, name := range append(z.next, embedded...) {
		z.Output(z.Name(name, "new_"+z.state[i].Name), z.state[i].Type, z.state[i].Shape...)
	}
	return onnxwriter.Model{Graph: z.Graph, Opset: 17, Producer: maker, Metadata: z.metadata()}
}

// declare declares all of the state, in the runtime's order, and returns the names of
// what is not the layers': the front end's frames, the number of frames.
func (z *zipformer) declare() [2]string {
	batch := onnx.Any("N")
	for i, layers := range z.shape.layers {
		left, dim, heads := onnx.Size(z.shape.left/z.shape.down[i]), z.shape.dims[i], z.shape.heads[i]
		cached := onnx.Size(z.shape.kernels[i] / 2)
		for range layers {
			z.carry("cached_key", onnx.Float, left, batch, onnx.Size(heads*z.shape.query))
			z.carry("cached_nonlin_attn", onnx.Float, onnx.Size(1), batch, left, onnx.Size(3*dim/4))
			z.carry("cached_val1", onnx.Float, left, batch, onnx.Size(heads*z.shape.value))
			z.carry("cached_val2", onnx.Float, left, batch, onnx.Size(heads*z.shape.value))
			z.carry("cached_conv1", onnx.Float, batch, onnx.Size(dim), cached)
			z.carry("cached_conv2", onnx.Float, batch, onnx.Size(dim), cached)
		}
	}
	return [2]string{
		z.carry("embed_states", onnx.Float, batch, onnx.Size(128), onnx.Size(3), onnx.Size(embedded)),
		z.carry("processed_lens", onnx.Int64, batch),
	}
}

// lively makes the frames of a chunk, [T, N, dim], as different as those of a trained
// model are: random weights leave them much alike.
func (z *zipformer) lively(x string) string {
	dim := slices.Max(z.shape.dims)
	x = z.Node("Sub", []string{x, z.Node("ReduceMean", []string{x}, onnxwriter.Ints("axes", 0))})
	return z.product(z.normal(x, dim), z.number(float32(math.Sqrt(512/float64(dim)))))
}

// meanFeature is about how far below zero features are; a trained model has learnt it.
const meanFeature = 8

// embed is the convolutional front end: [N, 45, 80] to [16, N, dim].
func (z *zipformer) embed(x, cached string) string {
	x = z.product(z.sum(x, z.number(meanFeature)), z.number(1.0/4))
	x = z.Node("Unsqueeze", []string{x, z.Vector(1)})
	x = z.swooshR(z.convolve(x, 1, 8, onnxwriter.Ints("pads", 0, 1, 0, 1)))
	x = z.swooshR(z.convolve(x, 8, 32, onnxwriter.Ints("strides", 2, 2)))
	x = z.swooshR(z.convolve(x, 32, 128, onnxwriter.Ints("strides", 1, 2)))
	both := z.remember(cached, x, 2, 6)
	z.next[0] = z.cut(z.next[0], 2, 0, 3) // three frames are seen again: they are looked ahead at
	wide := z.Node("Conv", []string{both, z.filter(128, 1, 7, 7), z.random(128)},
		onnxwriter.Int("group", 128), onnxwriter.Ints("pads", 0, 3, 0, 3))
	wide = z.swooshL(z.Node("Conv", []string{wide, z.filter(384, 128, 1, 1), z.random(384)}))
	narrow := z.Node("Conv", []string{wide, z.filter(128, 384, 1, 1), z.random(128)})
	x = z.sum(narrow, z.cut(x, 2, 0, steps))
	x = z.shaped(z.turned(x, 2, 0, 1, 3), 0, 0, 128*embedded)
	return z.normal(z.linear(x, 128*embedded, z.shape.dims[0]), z.shape.dims[0])
}

// stack is the layers between a downsampling and its upsampling.
func (z *zipformer) stack(i int, x string) string {
	down, dim := z.shape.down[i], z.shape.dims[i]
	y := z.downsampled(x, down, dim)
	for range z.shape.layers[i] {
		y = z.layer(i, y)
	}
	if down == 1 {
		return y
	}
	y = z.Node("Unsqueeze", []string{y, z.Vector(1)})
	y = z.Node("Tile", []string{y, z.Vector(1, int64(down), 1, 1)})
	return z.sum(x, z.shaped(y, steps, -1, int64(dim)))
}

// downsampled is the mean of every few frames: [T, N, dim] to [T/by, N, dim].
func (z *zipformer) downsampled(x string, by, dim int) string {
	if by == 1 {
		return x
	}
	x = z.shaped(x, int64(steps/by), int64(by), -1, int64(dim))
	return z.Node("ReduceMean", []string{x}, onnxwriter.Ints("axes", 1), onnxwriter.Int("keepdims", 0))
}

// convert makes a signal narrower, or wider with zeros.
func (z *zipformer) convert(x string, from, to int) string {
	if to <= from {
		return z.cut(x, 2, 0, to)
	}
	return z.Node("Pad", []string{x, z.Vector(0, 0, 0, 0, 0, int64(to-from))})
}

// widest puts the outputs of the stacks together: each channel from the last stack that
// has it.
func (z *zipformer) widest(outputs []string) string {
	var parts []string
	for i, have := len(outputs)-1, 0; i >= 0; i-- {
		if dim := z.shape.dims[i]; dim > have {
			parts = append(parts, z.cut(outputs[i], 2, have, dim))
			have = dim
		}
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return z.Node("Concat", parts, onnxwriter.Int("axis", 2))
}

func (z *zipformer) metadata() map[string]string {
	all := map[string]string{
		"model_type": "zipformer2", "version": "1", "model_author": maker,
		"comment":          "random weights, to measure what decoding costs",
		"decode_chunk_len": strconv.Itoa(chunkFrames), "T": strconv.Itoa(chunkLooks),
	}
	stacks := len(z.shape.dims)
	left := make([]int, stacks)
	for i, down := range z.shape.down {
		left[i] = z.shape.left / down
	}
	for key, list := range map[string][]int{
		"num_encoder_layers": z.shape.layers, "encoder_dims": z.shape.dims, "num_heads": z.shape.heads,
		"cnn_module_kernels": z.shape.kernels, "left_context_len": left,
		"query_head_dims": slices.Repeat([]int{z.shape.query}, stacks),
		"value_head_dims": slices.Repeat([]int{z.shape.value}, stacks),
	} {
		all[key] = strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", ",")
	}
	return all
}
