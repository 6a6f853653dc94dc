package fakemodels

import (
	"steno/session/asr/sherpa/internal/onnxwriter"
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

// attention is the weights that all attention of the layer uses: [heads, N, T, left+T].
func (z *zipformer) attention(i int, x, cached string) string {
	dim, heads, query := z.shape.dims[i], z.shape.heads[i], z.shape.query
	width := heads * query
	both := z.linear(x, dim, 2*width)
	keys := z.remember(cached, z.cut(both, 2, width, end), 0, z.left(i))
	q := z.turned(z.split(z.cut(both, 2, 0, width), heads, query), 2, 1, 0, 3)
	k := z.turned(z.split(keys, heads, query), 2, 1, 3, 0)
	return z.Node("Softmax", []string{z.Node("MatMul", []string{q, k})}, onnxwriter.Int("axis", -1))
}

func (z *zipformer) left(i int) int { return z.shape.left / z.shape.down[i] }

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
		onnxwriter.Int("group", int64(dim)))
	within := z.Node("Conv", []string{gated, z.filter(dim, 1, kernel), z.random(dim)},
		onnxwriter.Int("group", int64(dim)), onnxwriter.Ints("pads", int64(kernel/2), int64(kernel/2)))
	y := z.swooshR(z.turned(z.sum(causal, within), 2, 0, 1))
	return z.linear(y, dim, dim)
}
