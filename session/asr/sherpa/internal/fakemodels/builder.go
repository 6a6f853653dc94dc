package fakemodels

import (
	"math"
	"slices"

	"steno/session/asr/sherpa/internal/onnxwriter"
)

// builder builds the graph of a cost model: its methods add nodes and return the names of their
// outputs.
type builder struct {
	*onnxwriter.Graph
	weights
}

// random stores weights of the given dimensions.
func (g *builder) random(dims ...int) string {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return g.Floats(g.take(n), dims...)
}

// filter stores the weights of a convolution: out channels, then what each sees, scaled so
// that its size does not change the signal's.
func (g *builder) filter(out int, sees ...int) string {
	inputs := 1
	for _, n := range sees {
		inputs *= n
	}
	data := slices.Clone(g.take(out * inputs))
	for i := range data {
		data[i] *= float32(1.5 / spread / math.Sqrt(float64(inputs)))
	}
	return g.Floats(data, append([]int{out}, sees...)...)
}

// linear is x [..., in] times random weights plus a random bias: [..., out].
func (g *builder) linear(x string, in, out int) string {
	return g.Node("Add", []string{g.Node("MatMul", []string{x, g.random(in, out)}), g.random(out)})
}
func (g *builder) number(v float32) string { return g.Floats([]float32{v}) }

// swoosh is the activation ln(1+exp(x-shift)) - 0.08x - offset of Z. Yao et al.,
// "Zipformer: a faster and better encoder for automatic speech recognition", ICLR 2024.
func (g *builder) swoosh(x string, shift, offset float32) string {
	soft := g.Node("Softplus", []string{g.Node("Sub", []string{x, g.number(shift)})})
	line := g.Node("Mul", []string{x, g.number(0.08)})
	return g.Node("Sub", []string{g.Node("Sub", []string{soft, line}), g.number(offset)})
}
func (g *builder) swooshL(x string) string { return g.swoosh(x, 4, 0.035) }
func (g *builder) swooshR(x string) string { return g.swoosh(x, 1, 0.313261687) }
func (g *builder) cut(x string, axis, from, to int) string {
	return g.Node("Slice", []string{x, g.Vector(int64(from)), g.Vector(int64(to)), g.Vector(int64(axis))})
}
func (g *builder) shaped(x string, dims ...int64) string {
	return g.Node("Reshape", []string{x, g.Vector(dims...)})
}
func (g *builder) turned(x string, perm ...int64) string {
	return g.Node("Transpose", []string{x}, onnxwriter.Ints("perm", perm...))
}
func (g *builder) sum(a, b string) string     { return g.Node("Add", []string{a, b}) }
func (g *builder) product(a, b string) string { return g.Node("Mul", []string{a, b}) }

// forward is a feed-forward module.
func (g *builder) forward(x string, dim, hidden int) string {
	return g.linear(g.swooshL(g.linear(x, dim, hidden)), hidden, dim)
}

// split is x [T, N, heads*size] as [T, N, heads, size].
func (g *builder) split(x string, heads, size int) string {
	return g.shaped(x, 0, 0, int64(heads), int64(size))
}

// normal divides by the root mean square of the distance to a bias.
func (g *builder) normal(x string, dim int) string {
	away := g.Node("Sub", []string{x, g.random(dim)})
	mean := g.Node("ReduceMean", []string{g.product(away, away)}, onnxwriter.Ints("axes", -1))
	root := g.Node("Sqrt", []string{g.sum(mean, g.number(1e-6))})
	return g.Node("Div", []string{x, root})
}

// convolve is a convolution over 3 frames and 3 bands.
func (g *builder) convolve(x string, in, out int, attributes ...onnxwriter.Attribute) string {
	return g.Node("Conv", []string{x, g.filter(out, in, 3, 3), g.random(out)}, attributes...)
}
