package fakemodels

import (
	"steno/session/asr/sherpa/internal/onnxwriter"
	"steno/session/asr/sherpa/onnx"
)

// The first tokens are those of icefall's models; pieces follow.
const (
	blank    = 0
	sentence = 1
	unknown  = 2
	specials = 3
)

// Of the decision, in nepers of power. A tone stands out by 8 to 20, in white noise a
// band stands out by 5 once in hours.
const (
	threshold = 5
	silence   = 20  // added to levels, so that silence, like no state, is about zero
	gain      = 2   // of the logit, per neper
	decided   = 16  // between the logits of pieces in frames that start one and in others
	never     = 200 // below all other logits
)

// subsampling is the number of feature frames, of 10 ms, in one of the model's.
const subsampling = 4

// A frame of the model looks back at lag feature frames before its own, so that it is
// as often early as late, and ahead at as many as it is long: by then it is known which
// tone is the loudest.
const (
	lag   = 2
	looks = 2 * subsampling
)

// net is the graph of a model that recognizes tones.
type net struct {
	*onnxwriter.Graph
	Alphabet
}

func (n net) vocabulary() int { return specials + len(n.Pieces) }

// hear returns two measures of each frame of features and each piece, [N, T, 80] to two of [N, P,
// T]: how loud its tone would have to be to make the level of its band, and how far the band stands
// out.
func (n net) hear(x string) (level, contrast string) {
	center := n.pick(x, func(b band) int { return b.center })
	left := n.pick(x, func(b band) int { return b.center - b.reach })
	right := n.pick(x, func(b band) int { return b.center + b.reach })
	contrast = n.Node("Sub", []string{center, n.Node("Max", []string{left, right})})
	even := make([]float32, len(n.Pieces))
	for i, p := range n.Pieces {
		even[i] = silence - float32(response(p.band.center))
	}
	level = n.Node("Add", []string{center, n.Floats(even, len(even))})
	return n.turn(level), n.turn(contrast)
}

// turn swaps the last two axes.
func (n net) turn(x string) string {
	return n.Node("Transpose", []string{x}, onnxwriter.Ints("perm", 0, 2, 1))
}

// pick multiplies features by a matrix that picks a band for every piece: [N, T, 80] to
// [N, T, P].
func (n net) pick(x string, which func(band) int) string {
	pieces := len(n.Pieces)
	weights := make([]float32, Bands*pieces)
	for i, p := range n.Pieces {
		weights[which(p.band)*pieces+i] = 1
	}
	return n.Node("MatMul", []string{x, n.Floats(weights, Bands, pieces)})
}

// spikes makes logits, [N, F, V], of how far the bands stand out, [N, P, 4F], and of the
// levels, [N, P, F]. before is [N, P, k]: whether each tone stood out in the k frames
// before. It returns too whether each does in these and the following, [N, P, k+F].
func (n net) spikes(contrast, level, before string, k int64) (logits, sounded string) {
	high := n.Node("Greater", []string{n.pool(contrast, subsampling, 0), n.Floats([]float32{threshold})})
	now := n.Node("Cast", []string{high}, onnxwriter.Int("to", int64(onnx.Float)))
	sounded = n.Node("Concat", []string{before, now}, onnxwriter.Int("axis", 2))
	sounds := n.most(sounded)
	begins := n.Node("Sub", []string{n.slice(sounds, 2, k, end), n.slice(sounds, 2, k-1, -1)})
	begins = n.Node("Max", []string{begins, n.Floats([]float32{0})})
	behind := n.Node("Sub", []string{level, n.most(level)})
	pieces := n.turn(n.Node("Add", []string{n.scale(behind, gain), n.scale(begins, decided)}))
	all := n.Node("Pad", []string{pieces, n.Vector(0, 0, specials, 0, 0, 0)})
	return n.Node("Add", []string{all, n.bias()}), sounded
}

// pool is the maximum over each frame of the model, which looks at the given number of
// feature frames from its first on: [N, P, T] to [N, P, F]. It takes T to have after more
// frames, without any sound.
func (n net) pool(x string, looks, after int64) string {
	return n.Node("MaxPool", []string{x}, onnxwriter.Ints("kernel_shape", looks), onnxwriter.Ints("strides",
		subsampling),
		onnxwriter.Ints("pads", 0, after))
}

// most is the maximum over the pieces.
func (n net) most(x string) string {
	return n.Node("ReduceMax", []string{x}, onnxwriter.Ints("axes", 1))
}

// bias makes blank win where no piece begins, and the other special tokens never.
func (n net) bias() string {
	b := make([]float32, n.vocabulary())
	b[blank], b[sentence], b[unknown] = decided/2, -never, -never
	return n.Floats(b, len(b))
}

func (n net) scale(x string, by float32) string {
	return n.Node("Mul", []string{x, n.Floats([]float32{by})})
}

// end is that of any axis.
const end = 1<<63 - 1

// slice is x from start to end of one axis.
func (n net) slice(x string, axis, start, end int64) string {
	return n.Node("Slice", []string{x, n.Vector(start), n.Vector(end), n.Vector(axis)})
}

// probable makes log probabilities of logits over the last axis.
func (n net) probable(logits string) string {
	return n.Node("LogSoftmax", []string{logits}, onnxwriter.Int("axis", -1))
}
