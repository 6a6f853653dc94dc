package tones

import "steno/session/asr/engine/sherpa/onnx"

// The first tokens are those of icefall's models; pieces follow.
const (
	blank    = 0
	sentence = 1
	unknown  = 2
	specials = 3
)

// Of the decision. A tone stands out by 8 to 20 nepers of power, in white noise a band
// stands out by 5 once in hours.
const (
	threshold = 5.0
	gain      = 2.0   // of all logits: how sure the models are
	decided   = 16.0  // between logits just below the threshold and just above
	never     = 200.0 // below all other logits
)

// subsampling is the number of feature frames, of 10 ms, in one of the model's.
const subsampling = 4

// lag is the number of feature frames before its own that a frame looks back at: the
// time of a spike is then as often early as late.
const lag = 2

// net is a graph of a model that hears tones.
type net struct {
	*onnx.Graph
	Alphabet
}

func (n net) vocabulary() int { return specials + len(n.Pieces) }

// contrast is how far the band of each token stands out in each frame of features:
// [N, T, 80] to [N, V, T].
func (n net) contrast(x string) string {
	center := n.pick(x, func(b band) int { return b.center })
	left := n.pick(x, func(b band) int { return b.center - b.reach })
	right := n.pick(x, func(b band) int { return b.center + b.reach })
	above := n.Node("Sub", []string{center, n.Node("Max", []string{left, right})})
	return n.Node("Transpose", []string{above}, onnx.Ints("perm", 0, 2, 1))
}

// pick multiplies features by a matrix that picks a band for every token: [N, T, 80] to
// [N, T, V]. The special tokens get none.
func (n net) pick(x string, which func(band) int) string {
	v := n.vocabulary()
	weights := make([]float32, Bands*v)
	for i, p := range n.Pieces {
		weights[which(p.band)*v+specials+i] = 1
	}
	return n.Node("MatMul", []string{x, n.Floats(weights, Bands, v)})
}

// spikes makes logits of the contrast: [N, V, lag+T] to [N, T/4, V]. before is [N, V, k],
// whether the k frames before sounded; the last counts. It returns too whether these
// frames and all frames sounded, [N, V, k+T/4].
func (n net) spikes(contrast, before string, k int) (logits, sounded string) {
	level := n.Node("MaxPool", []string{contrast}, onnx.Ints("kernel_shape", subsampling), onnx.Ints("strides", subsampling))
	high := n.Node("Greater", []string{level, n.Floats([]float32{threshold})})
	now := n.Node("Cast", []string{high}, onnx.Int("to", int64(onnx.Float)))
	sounded = n.Node("Concat", []string{before, now}, onnx.Int("axis", 2))
	again := n.slice(sounded, 2, int64(k)-1, -1)
	sure := n.Node("Add", []string{n.scale(level, gain), n.scale(now, decided)})
	fresh := n.Node("Sub", []string{sure, n.scale(again, never)})
	logits = n.Node("Transpose", []string{fresh}, onnx.Ints("perm", 0, 2, 1))
	return n.Node("Add", []string{logits, n.bias()}), sounded
}

// bias makes blank win where no piece stands out, and the other special tokens lose.
func (n net) bias() string {
	b := make([]float32, n.vocabulary())
	b[blank], b[sentence], b[unknown] = gain*threshold+decided/2, -never, -never
	return n.Floats(b, len(b))
}

func (n net) scale(x string, by float32) string {
	return n.Node("Mul", []string{x, n.Floats([]float32{by})})
}

// slice is x from start to end of one axis.
func (n net) slice(x string, axis, start, end int64) string {
	return n.Node("Slice", []string{x, n.Vector(start), n.Vector(end), n.Vector(axis)})
}

// probable makes log probabilities of logits over the last axis.
func (n net) probable(logits string) string {
	return n.Node("LogSoftmax", []string{logits}, onnx.Int("axis", -1))
}
