package fakemodels

import (
	"path/filepath"
	"strconv"

	"steno/session/asr/sherpa/internal/onnxwriter"
	"steno/session/asr/sherpa/onnx"
)

// Size is the size of a cost model.
type Size int

const (
	Small  Size = iota // about 23 million parameters
	Medium             // about 66 million
)

// WriteZipformer writes a transducer with the sizes of the published streaming zipformers to dir:
// encoder, decoder, joiner, tokens.txt. Its weights are random, so its text means nothing; it is
// for measuring the cost of decoding, alone and in batches, and for testing whether the results of
// a stream depend on others.
//
// It is a cost model, not a zipformer. It has the convolutional front end, the layers with their
// attention, three feed-forward modules, non-linear attention and two convolutions, the sizes of
// all these, downsampling, chunk and caches, decoder, joiner. It leaves out the positional term of
// attention and the mask over what was before the first chunk (together some hundredths of the
// work), and the scales that a trained model has at its bypasses. About one frame in five has a
// token, as in running speech.
func WriteZipformer(dir string, size Size) error {
	z := &zipformer{transducer: newTransducer(sizes[size])}
	const suffix = "-epoch-1-avg-1-chunk-16-left-128.onnx"
	for name, build := range map[string]func() onnxwriter.Model{"encoder": z.encoder, "decoder": z.decoder,
		"joiner": z.joiner} {
		if err := build().WriteFile(filepath.Join(dir, name+suffix)); err != nil {
			return err
		}
	}
	return z.writeTokens(dir)
}

// shape is the sizes of a zipformer2, as in icefall's recipe for LibriSpeech. Lists have one entry
// for each stack of layers.
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
	*transducer
	state []onnx.Value
	next  []string
}

// carry declares a tensor of the state and returns its name.
func (z *zipformer) carry(name string, kind onnx.Type, shape ...onnx.Dim) string {
	name = name + "_" + strconv.Itoa(len(z.state))
	z.state = append(z.state, onnx.Value{Name: name, Type: kind, Shape: shape})
	return z.Input(name, kind, shape...)
}

// remember puts what is cached before x, along axis, and keeps the last n of both.
func (z *zipformer) remember(cached, x string, axis, n int) string {
	both := z.Node("Concat", []string{cached, x}, onnxwriter.Int("axis", int64(axis)))
	z.next = append(z.next, z.cut(both, axis, -n, end))
	return both
}
