package fakemodels

import (
	"math"
	"path/filepath"

	"steno/session/asr/sherpa/internal/onnxwriter"
	"steno/session/asr/sherpa/onnx"
)

// WriteTransformer writes a transducer for whole utterances to dir, a cost model as that
// of [WriteZipformer]: encoder, decoder, joiner, tokens.txt, about 47 million random
// parameters. Its encoder is twelve layers of masked attention, feed-forward and
// depthwise convolution, 512 wide, at 40 ms a frame: what published conformers mostly
// consist of.
func WriteTransformer(dir string) error {
	t := &transformer{newTransducer(sizes[Small])}
	const suffix = "-epoch-1-avg-1.onnx"
	for name, build := range map[string]func() onnxwriter.Model{"encoder": t.encoder, "decoder": t.decoder,
		"joiner": t.joiner} {
		if err := build().WriteFile(filepath.Join(dir, name+suffix)); err != nil {
			return err
		}
	}
	return t.writeTokens(dir)
}

// transformer builds the three models.
type transformer struct{ *transducer }

// Sizes of the transformer.
const (
	deep   = 12 // layers
	wide   = 512
	parted = 8 // heads
	inner  = 2048
	around = 31 // frames a convolution sees
)

// encoder builds the encoder.
func (t *transformer) encoder() onnxwriter.Model {
	t.Graph = onnxwriter.NewGraph("encoder")
	batch := onnx.Any("N")
	x := t.Input("x", onnx.Float, batch, onnx.Any("T"), onnx.Size(Bands))
	length := t.Input("x_lens", onnx.Int64, batch)
	x = t.subsampled(x)
	length = t.halved(t.halved(length))
	mask := t.mask(x, length)
	for range deep {
		x = t.masked(x, mask)
	}
	x = t.linear(t.normal(t.changes(x), wide), wide, t.shape.joined)
	t.Output(t.Name(x, "encoder_out"), onnx.Float, batch, onnx.Any("frames"), onnx.Size(t.shape.joined))
	t.Output(t.Name(length, "encoder_out_lens"), onnx.Int64, batch)
	return onnxwriter.Model{Graph: t.Graph, Opset: 17, Producer: maker, Metadata: map[string]string{
		"model_type": "zipformer2", "version": "1", "model_author": maker,
		"comment": "random weights, to measure what decoding costs",
	}}
}

// changes is how x [N, F, wide] differs from itself 0.2 s before: random weights leave
// the frames much alike.
func (t *transformer) changes(x string) string {
	before := t.Node("Pad", []string{x, t.Vector(0, 5, 0, 0, -5, 0)})
	return t.Node("Sub", []string{x, before})
}

// subsampled is a frame for every four of features: [N, T, 80] to [N, F, wide].
func (t *transformer) subsampled(x string) string {
	x = t.product(t.sum(x, t.number(meanFeature)), t.number(1.0/4))
	x = t.Node("Unsqueeze", []string{x, t.Vector(1)})
	x = t.swooshR(t.convolve(x, 1, 32, onnxwriter.Ints("strides", 2, 2)))
	x = t.swooshR(t.convolve(x, 32, 32, onnxwriter.Ints("strides", 2, 2)))
	x = t.shaped(t.turned(x, 0, 2, 1, 3), 0, 0, 32*embedded)
	return t.normal(t.linear(x, 32*embedded, wide), wide)
}

// halved is the number of frames after a convolution over 3 with stride 2.
func (t *transformer) halved(n string) string {
	return t.Node("Div", []string{t.sum(n, t.Vector(-1)), t.Vector(2)})
}

// mask returns which frames of x [N, F, wide] are of the recording: [N, F, 1], 1 or 0.
func (t *transformer) mask(x, length string) string {
	frames := t.Node("Gather", []string{t.Node("Shape", []string{x}), t.Ints([]int64{1})})
	at := t.Node("Range", []string{t.Ints([]int64{0}), frames, t.Ints([]int64{1})})
	in := t.Node("Less", []string{at, t.Node("Unsqueeze", []string{length, t.Vector(1)})})
	in = t.Node("Cast", []string{in}, onnxwriter.Int("to", int64(onnx.Float)))
	return t.Node("Unsqueeze", []string{in, t.Vector(2)})
}

// masked is one layer: [N, F, wide] to the same.
func (t *transformer) masked(x, mask string) string {
	y := t.sum(x, t.selfAttention(t.normal(x, wide), mask))
	y = t.sum(y, t.nearby(t.normal(y, wide), mask))
	y = t.sum(y, t.forward(t.normal(y, wide), wide, inner))
	return y
}

func (t *transformer) selfAttention(x, mask string) string {
	const size = wide / parted
	q := t.turned(t.split(t.linear(x, wide, wide), parted, size), 0, 2, 1, 3)
	k := t.turned(t.split(t.linear(x, wide, wide), parted, size), 0, 2, 3, 1)
	v := t.turned(t.split(t.linear(x, wide, wide), parted, size), 0, 2, 1, 3)
	scores := t.product(t.Node("MatMul", []string{q, k}), t.number(float32(1/math.Sqrt(size))))
	outside := t.product(t.sum(t.turned(mask, 0, 2, 1), t.number(-1)), t.number(1e9))
	scores = t.sum(scores, t.Node("Unsqueeze", []string{outside, t.Vector(1)}))
	attention := t.Node("Softmax", []string{scores}, onnxwriter.Int("axis", -1))
	y := t.turned(t.Node("MatMul", []string{attention, v}), 0, 2, 1, 3)
	return t.linear(t.shaped(y, 0, 0, wide), wide, wide)
}

// nearby is a gated convolution.
func (t *transformer) nearby(x, mask string) string {
	two := t.linear(x, wide, 2*wide)
	gated := t.product(t.cut(two, 2, 0, wide), t.Node("Sigmoid", []string{t.cut(two, 2, wide, end)}))
	gated = t.turned(t.product(gated, mask), 0, 2, 1)
	y := t.Node("Conv", []string{gated, t.filter(wide, 1, around), t.random(wide)},
		onnxwriter.Int("group", wide), onnxwriter.Ints("pads", around/2, around/2))
	return t.linear(t.swooshR(t.turned(y, 0, 2, 1)), wide, wide)
}
