package fakemodels

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"steno/session/asr/sherpa/onnx"
)

// WriteTransformer writes a transducer for whole utterances to dir, a cost model as that
// of [WriteZipformer]: encoder, decoder, joiner, tokens.txt, about 47 million random
// parameters. Its encoder is twelve layers of masked attention, feed-forward and
// depthwise convolution, 512 wide, at 40 ms a frame: what published conformers mostly
// consist of.
func WriteTransformer(dir string) error {
	z := &zipformer{weights: newWeights(), shape: sizes[Small]}
	const suffix = "-epoch-1-avg-1.onnx"
	for name, build := range map[string]func() onnx.Model{"encoder": z.transformer, "decoder": z.decoder, "joiner": z.joiner} {
		if err := build().WriteFile(filepath.Join(dir, name+suffix)); err != nil {
			return err
		}
	}
	return z.writeTokens(dir)
}

// Sizes of the transformer.
const (
	deep   = 12 // layers
	wide   = 512
	parted = 8 // heads
	inner  = 2048
	around = 31 // frames a convolution sees
)

func (z *zipformer) transformer() onnx.Model {
	z.Graph = onnx.NewGraph("encoder")
	batch := onnx.Any("N")
	x := z.Input("x", onnx.Float, batch, onnx.Any("T"), onnx.Size(Bands))
	length := z.Input("x_lens", onnx.Int64, batch)
	x = z.subsampled(x)
	length = z.halved(z.halved(length))
	mask := z.mask(x, length)
	for range deep {
		x = z.masked(x, mask)
	}
	x = z.linear(z.normal(z.changes(x), wide), wide, z.shape.joined)
	z.Output(z.Name(x, "encoder_out"), onnx.Float, batch, onnx.Any("frames"), onnx.Size(z.shape.joined))
	z.Output(z.Name(length, "encoder_out_lens"), onnx.Int64, batch)
	return onnx.Model{Graph: z.Graph, Opset: 17, Producer: maker, Metadata: map[string]string{
		"model_type": "zipformer2", "version": "1", "model_author": maker,
		"comment": "random weights, to measure what decoding costs",
	}}
}

// changes is how x [N, F, wide] differs from itself 0.2 s before: random weights leave
// the frames much alike.
func (z *zipformer) changes(x string) string {
	before := z.Node("Pad", []string{x, z.Vector(0, 5, 0, 0, -5, 0)})
	return z.Node("Sub", []string{x, before})
}

// subsampled is a frame for every four of features: [N, T, 80] to [N, F, wide].
func (z *zipformer) subsampled(x string) string {
	x = z.product(z.sum(x, z.number(meanFeature)), z.number(1.0/4))
	x = z.Node("Unsqueeze", []string{x, z.Vector(1)})
	x = z.swooshR(z.convolve(x, 1, 32, onnx.Ints("strides", 2, 2)))
	x = z.swooshR(z.convolve(x, 32, 32, onnx.Ints("strides", 2, 2)))
	x = z.shaped(z.turned(x, 0, 2, 1, 3), 0, 0, 32*embedded)
	return z.normal(z.linear(x, 32*embedded, wide), wide)
}

// halved is the number of frames after a convolution over 3 with stride 2.
func (z *zipformer) halved(n string) string {
	return z.Node("Div", []string{z.sum(n, z.Vector(-1)), z.Vector(2)})
}

// mask tells which frames of x [N, F, wide] are of the recording: [N, F, 1], 1 or 0.
func (z *zipformer) mask(x, length string) string {
	frames := z.Node("Gather", []string{z.Node("Shape", []string{x}), z.Ints([]int64{1})})
	at := z.Node("Range", []string{z.Ints([]int64{0}), frames, z.Ints([]int64{1})})
	in := z.Node("Less", []string{at, z.Node("Unsqueeze", []string{length, z.Vector(1)})})
	in = z.Node("Cast", []string{in}, onnx.Int("to", int64(onnx.Float)))
	return z.Node("Unsqueeze", []string{in, z.Vector(2)})
}

// masked is one layer: [N, F, wide] to the same.
func (z *zipformer) masked(x, mask string) string {
	y := z.sum(x, z.selfAttention(z.normal(x, wide), mask))
	y = z.sum(y, z.nearby(z.normal(y, wide), mask))
	y = z.sum(y, z.forward(z.normal(y, wide), wide, inner))
	return y
}

func (z *zipformer) selfAttention(x, mask string) string {
	const size = wide / parted
	q := z.turned(z.split(z.linear(x, wide, wide), parted, size), 0, 2, 1, 3)
	k := z.turned(z.split(z.linear(x, wide, wide), parted, size), 0, 2, 3, 1)
	v := z.turned(z.split(z.linear(x, wide, wide), parted, size), 0, 2, 1, 3)
	scores := z.product(z.Node("MatMul", []string{q, k}), z.number(float32(1/math.Sqrt(size))))
	outside := z.product(z.sum(z.turned(mask, 0, 2, 1), z.number(-1)), z.number(1e9))
	scores = z.sum(scores, z.Node("Unsqueeze", []string{outside, z.Vector(1)}))
	attention := z.Node("Softmax", []string{scores}, onnx.Int("axis", -1))
	y := z.turned(z.Node("MatMul", []string{attention, v}), 0, 2, 1, 3)
	return z.linear(z.shaped(y, 0, 0, wide), wide, wide)
}

// nearby is a gated convolution.
func (z *zipformer) nearby(x, mask string) string {
	two := z.linear(x, wide, 2*wide)
	gated := z.product(z.cut(two, 2, 0, wide), z.Node("Sigmoid", []string{z.cut(two, 2, wide, end)}))
	gated = z.turned(z.product(gated, mask), 0, 2, 1)
	y := z.Node("Conv", []string{gated, z.filter(wide, 1, around), z.random(wide)},
		onnx.Int("group", wide), onnx.Ints("pads", around/2, around/2))
	return z.linear(z.swooshR(z.turned(y, 0, 2, 1)), wide, wide)
}

// writeTokens writes names for tokens that mean nothing.
func (z *zipformer) writeTokens(dir string) error {
	var tokens strings.Builder
	fmt.Fprintf(&tokens, "<blk> %d\n<sos/eos> %d\n<unk> %d\n", blank, sentence, unknown)
	for i := specials; i < z.shape.tokens; i++ {
		tokens.WriteString(Start + "p" + strconv.Itoa(i) + " " + strconv.Itoa(i) + "\n")
	}
	return os.WriteFile(filepath.Join(dir, "tokens.txt"), []byte(tokens.String()), 0o644)
}
