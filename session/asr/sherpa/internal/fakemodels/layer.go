package fakemodels

import (
	"strconv"

	"steno/session/asr/sherpa/onnx"
)

// layer is one of stack i: [T, N, dim] to the same.
func (z *zipformer) layer(i int, x string) string {
	dim, forward := z.shape.dims[i], z.shape.forward[i]
	cached := z.cached()
	attention := z.attention(i, x, cached[0])
	y := z.sum(x, z.forward(x, dim, forward*3/4))
	y = z.sum(y, z.nonlinear(i, y, attention, cached[1]))
	y = z.sum(y, z.attend(i, y, attention, cached[2]))
	y = z.sum(y, z.convolution(i, y, cached[4]))
	y = z.sum(y, z.forward(y, dim, forward))
	// The runtime keeps the second values before the first convolution.
	convolved := len(z.next) - 1
	y = z.sum(y, z.attend(i, y, attention, cached[3]))
	z.next[convolved], z.next[convolved+1] = z.next[convolved+1], z.next[convolved]
	y = z.sum(y, z.convolution(i, y, cached[5]))
	y = z.sum(y, z.forward(y, dim, forward*5/4))
	return z.sum(x, z.normal(y, dim))
}

// cached names the six tensors of state of the layer that is next.
func (z *zipformer) cached() (names [6]string) {
	for j := range names {
		names[j] = z.state[len(z.next)+j].Name
	}
	return names
}

// forward is a feed-forward module.
func (z *zipformer) forward(x string, dim, hidden int) string {
	return z.linear(z.swooshL(z.linear(x, dim, hidden)), hidden, dim)
}

// attention is the weights that all attention of the layer uses: [heads, N, T, left+T].
func (z *zipformer) attention(i int, x, cached string) string {
	dim, heads, query := z.shape.dims[i], z.shape.heads[i], z.shape.query
	width := heads * query
	both := z.linear(x, dim, 2*width)
	keys := z.remember(cached, z.cut(both, 2, width, end), 0, z.left(i))
	q := z.turned(z.split(z.cut(both, 2, 0, width), heads, query), 2, 1, 0, 3)
	k := z.turned(z.split(keys, heads, query), 2, 1, 3, 0)
	return z.Node("Softmax", []string{z.Node("MatMul", []string{q, k})}, onnx.Int("axis", -1))
}

func (z *zipformer) left(i int) int { return z.shape.left / z.shape.down[i] }

// split is x [T, N, heads*size] as [T, N, heads, size].
func (z *zipformer) split(x string, heads, size int) string {
	return z.shaped(x, 0, 0, int64(heads), int64(size))
}

// attend is one of the two self-attention modules.
func (z *zipformer) attend(i int, x, attention, cached string) string {
	dim, heads, value := z.shape.dims[i], z.shape.heads[i], z.shape.value
	v := z.remember(cached, z.linear(x, dim, heads*value), 0, z.left(i))
	v = z.turned(z.split(v, heads, value), 2, 1, 0, 3)
	y := z.turned(z.Node("MatMul", []string{attention, v}), 2, 1, 0, 3)
	return z.linear(z.shaped(y, 0, 0, int64(heads*value)), heads*value, dim)
}

// nonlinear is attention of one head over what a gate lets through.
func (z *zipformer) nonlinear(i int, x, attention, cached string) string {
	dim := z.shape.dims[i]
	hidden := 3 * dim / 4
	three := z.linear(x, dim, 3*hidden)
	gate := z.Node("Tanh", []string{z.cut(three, 2, 0, hidden)})
	value := z.product(gate, z.cut(three, 2, hidden, 2*hidden))
	value = z.turned(z.split(value, 1, hidden), 2, 1, 0, 3)
	value = z.remember(cached, value, 2, z.left(i))
	y := z.Node("MatMul", []string{z.cut(attention, 0, 0, 1), value})
	y = z.shaped(z.turned(y, 2, 1, 0, 3), 0, 0, int64(hidden))
	return z.linear(z.product(y, z.cut(three, 2, 2*hidden, end)), hidden, dim)
}

// convolution is one of the two convolution modules: gate, depthwise convolution of the
// frames of this chunk and, causally, of the cached ones.
func (z *zipformer) convolution(i int, x, cached string) string {
	dim, kernel := z.shape.dims[i], z.shape.kernels[i]
	two := z.linear(x, dim, 2*dim)
	gated := z.product(z.cut(two, 2, 0, dim), z.Node("Sigmoid", []string{z.cut(two, 2, dim, end)}))
	gated = z.turned(gated, 1, 2, 0)
	half := kernel/2 + 1
	causal := z.Node("Conv", []string{z.remember(cached, gated, 2, kernel/2), z.filter(dim, 1, half), z.random(dim)},
		onnx.Int("group", int64(dim)))
	within := z.Node("Conv", []string{gated, z.filter(dim, 1, kernel), z.random(dim)},
		onnx.Int("group", int64(dim)), onnx.Ints("pads", int64(kernel/2), int64(kernel/2)))
	y := z.swooshR(z.turned(z.sum(causal, within), 2, 0, 1))
	return z.linear(y, dim, dim)
}

// normal divides by the root mean square of the distance to a bias.
func (z *zipformer) normal(x string, dim int) string {
	away := z.Node("Sub", []string{x, z.random(dim)})
	mean := z.Node("ReduceMean", []string{z.product(away, away)}, onnx.Ints("axes", -1))
	root := z.Node("Sqrt", []string{z.sum(mean, z.number(1e-6))})
	return z.Node("Div", []string{x, root})
}

// blankBias makes about four frames in five blank.
const blankBias = 2.9

func (z *zipformer) decoder() onnx.Model {
	z.Graph = onnx.NewGraph("decoder")
	dim := z.shape.joined
	y := z.Input("y", onnx.Int64, onnx.Any("N"), onnx.Size(history))
	known := z.Node("Max", []string{y, z.Ints([]int64{blank}, 1)})
	x := z.Node("Gather", []string{z.random(z.shape.tokens, dim), known})
	x = z.Node("Conv", []string{z.turned(x, 0, 2, 1), z.filter(dim, 4, history)}, onnx.Int("group", int64(dim/4)))
	x = z.Node("Relu", []string{z.Node("Squeeze", []string{x, z.Vector(2)})})
	z.Output(z.Name(z.linear(x, dim, dim), "decoder_out"), onnx.Float, onnx.Any("N"), onnx.Size(dim))
	return onnx.Model{Graph: z.Graph, Opset: 17, Producer: maker, Metadata: map[string]string{
		"vocab_size": strconv.Itoa(z.shape.tokens), "context_size": strconv.Itoa(history),
	}}
}

func (z *zipformer) joiner() onnx.Model {
	z.Graph = onnx.NewGraph("joiner")
	dim := z.shape.joined
	heard := z.Input("encoder_out", onnx.Float, onnx.Any("N"), onnx.Size(dim))
	usual := z.Input("decoder_out", onnx.Float, onnx.Any("N"), onnx.Size(dim))
	logit := z.linear(z.Node("Tanh", []string{z.sum(heard, usual)}), dim, z.shape.tokens)
	bias := make([]float32, z.shape.tokens)
	bias[blank] = blankBias
	z.Output(z.Name(z.sum(logit, z.Floats(bias, len(bias))), "logit"), onnx.Float, onnx.Any("N"), onnx.Size(z.shape.tokens))
	return onnx.Model{Graph: z.Graph, Opset: 17, Producer: maker, Metadata: map[string]string{"joiner_dim": strconv.Itoa(dim)}}
}
