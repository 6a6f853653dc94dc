package fakemodels

import (
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"steno/session/asr/sherpa/onnx"
)

// Size is that of a cost model.
type Size int

const (
	Small  Size = iota // about 23 million parameters
	Medium             // about 66 million
)

// WriteZipformer writes a transducer with the sizes of the published streaming
// zipformers to dir: encoder, decoder, joiner, tokens.txt. Its weights are random, so what it
// says means nothing; it is for measuring what decoding costs, alone and in batches, and
// whether the results of a stream depend on others.
//
// It is a cost model, not a zipformer. The same as there: the convolutional front end,
// the layers with their attention, three feed-forward modules, non-linear attention and
// two convolutions, the sizes of all these, downsampling, chunk and caches, decoder,
// joiner. Left out: the positional term of attention and the mask over what was before
// the first chunk (together some hundredths of the work), and the scales a trained model
// has at its bypasses. About one frame in five gives a token, as in running speech.
func WriteZipformer(dir string, size Size) error {
	z := &zipformer{weights: newWeights(), shape: sizes[size]}
	const suffix = "-epoch-1-avg-1-chunk-16-left-128.onnx"
	for name, build := range map[string]func() onnx.Model{"encoder": z.encoder, "decoder": z.decoder, "joiner": z.joiner} {
		if err := build().WriteFile(filepath.Join(dir, name+suffix)); err != nil {
			return err
		}
	}
	return z.writeTokens(dir)
}

// shape is the sizes of a zipformer2, as icefall's recipe for LibriSpeech has them. Lists
// have one entry for each stack of layers.
type shape struct {
	layers, down, dims, forward, heads, kernels []int
	query, value                                int // of a head
	left                                        int // frames of 20 ms attention looks back at
	joined, tokens                              int
}

var sizes = [...]shape{
	Small: {
		layers: []int{2, 2, 2, 2, 2, 2}, down: []int{1, 2, 4, 8, 4, 2},
		dims: []int{192, 256, 256, 256, 256, 256}, forward: []int{512, 768, 768, 768, 768, 768},
		heads: []int{4, 4, 4, 8, 4, 4}, kernels: []int{31, 31, 15, 15, 15, 31},
		query: 32, value: 12, left: 128, joined: 512, tokens: 500,
	},
	Medium: {
		layers: []int{2, 2, 3, 4, 3, 2}, down: []int{1, 2, 4, 8, 4, 2},
		dims: []int{192, 256, 384, 512, 384, 256}, forward: []int{512, 768, 1024, 1536, 1024, 768},
		heads: []int{4, 4, 4, 8, 4, 4}, kernels: []int{31, 31, 15, 15, 15, 31},
		query: 32, value: 12, left: 128, joined: 512, tokens: 500,
	},
}

// zipformer builds the three models.
type zipformer struct {
	*onnx.Graph
	weights
	shape shape
	state []onnx.Value
	next  []string
}

// random stores weights of the given dimensions.
func (z *zipformer) random(dims ...int) string {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return z.Floats(z.take(n), dims...)
}

// filter stores the weights of a convolution: out channels, then what each sees, scaled so
// that its size does not change the signal's.
func (z *zipformer) filter(out int, sees ...int) string {
	inputs := 1
	for _, n := range sees {
		inputs *= n
	}
	data := slices.Clone(z.take(out * inputs))
	for i := range data {
		data[i] *= float32(1.5 / spread / math.Sqrt(float64(inputs)))
	}
	return z.Floats(data, append([]int{out}, sees...)...)
}

// linear is x [..., in] times random weights plus a random bias: [..., out].
func (z *zipformer) linear(x string, in, out int) string {
	return z.Node("Add", []string{z.Node("MatMul", []string{x, z.random(in, out)}), z.random(out)})
}

func (z *zipformer) number(v float32) string { return z.Floats([]float32{v}) }

// swoosh is the activation ln(1+exp(x-shift)) - 0.08x - offset of Z. Yao et al.,
// "Zipformer: a faster and better encoder for automatic speech recognition", ICLR 2024.
func (z *zipformer) swoosh(x string, shift, offset float32) string {
	soft := z.Node("Softplus", []string{z.Node("Sub", []string{x, z.number(shift)})})
	line := z.Node("Mul", []string{x, z.number(0.08)})
	return z.Node("Sub", []string{z.Node("Sub", []string{soft, line}), z.number(offset)})
}

func (z *zipformer) swooshL(x string) string { return z.swoosh(x, 4, 0.035) }
func (z *zipformer) swooshR(x string) string { return z.swoosh(x, 1, 0.313261687) }

// carry declares a tensor of the state and returns its name.
func (z *zipformer) carry(name string, kind onnx.Type, shape ...onnx.Dim) string {
	name = name + "_" + strconv.Itoa(len(z.state))
	z.state = append(z.state, onnx.Value{Name: name, Type: kind, Shape: shape})
	return z.Input(name, kind, shape...)
}

// remember puts what is cached before x, along axis, and keeps the last n of both.
func (z *zipformer) remember(cached, x string, axis, n int) string {
	both := z.Node("Concat", []string{cached, x}, onnx.Int("axis", int64(axis)))
	z.next = append(z.next, z.cut(both, axis, -n, end))
	return both
}

func (z *zipformer) cut(x string, axis, from, to int) string {
	return z.Node("Slice", []string{x, z.Vector(int64(from)), z.Vector(int64(to)), z.Vector(int64(axis))})
}

func (z *zipformer) shaped(x string, dims ...int64) string {
	return z.Node("Reshape", []string{x, z.Vector(dims...)})
}

func (z *zipformer) turned(x string, perm ...int64) string {
	return z.Node("Transpose", []string{x}, onnx.Ints("perm", perm...))
}

func (z *zipformer) sum(a, b string) string     { return z.Node("Add", []string{a, b}) }
func (z *zipformer) product(a, b string) string { return z.Node("Mul", []string{a, b}) }
