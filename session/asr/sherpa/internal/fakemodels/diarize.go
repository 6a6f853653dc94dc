package fakemodels

import (
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"steno/session/asr/sherpa/internal/onnxwriter"
	"steno/session/asr/sherpa/onnx"
)

// Of the segmentation, as those of pyannote's model of 2023: 10 s in one call, in frames of 17 ms
// that see 62 ms.
const (
	windowSamples = 10 * SampleRate
	fieldSamples  = 991
	fieldShift    = 270
	voices        = 3 // at most in a window
	audible       = 5 // nepers of power above an amplitude of 10^-3
)

// WriteSegmenter writes a model of the kind pyannote to dir, model.onnx, for which all speech of
// one language is of one speaker: at most three languages.
func WriteSegmenter(dir string, languages ...Alphabet) error {
	g := onnxwriter.NewGraph("segmentation")
	x := g.Input("x", onnx.Float, onnx.Any("N"), onnx.Size(1), onnx.Any("T"))
	power := make([]string, voices)
	for i := range power {
		if i < len(languages) {
			power[i] = voice(g, x, languages[i])
			continue
		}
		power[i] = g.Node("Sub", []string{power[0], g.Floats([]float32{never})})
	}
	classes := append([]string{g.Node("Clip", []string{power[0], g.Floats([]float32{audible}),
		g.Floats([]float32{audible})})}, power...)
	for i, a := range power {
		for _, b := range power[i+1:] {
			both := g.Node("Min", []string{a, b})
			classes = append(classes, g.Node("Add", []string{both, g.Floats([]float32{1})}))
		}
	}
	y := g.Node("Transpose", []string{g.Node("Concat", classes, onnxwriter.Int("axis", 1))}, onnxwriter.Ints("perm", 0,
		2, 1))
	g.Output(g.Name(y, "y"), onnx.Float, onnx.Any("N"), onnx.Any("F"), onnx.Size(len(classes)))
	number := strconv.Itoa
	model := onnxwriter.Model{Graph: g, Opset: 17, Producer: maker, Metadata: map[string]string{
		"model_type": "pyannote-segmentation-3.0", "version": "1", "maintainer": maker,
		"sample_rate": number(SampleRate),
		"window_size": number(windowSamples), "receptive_field_size": number(fieldSamples),
		"receptive_field_shift": number(fieldShift), "num_speakers": number(voices), "powerset_max_classes": "2",
		"num_classes": number(len(classes)),
	}}
	return model.WriteFile(filepath.Join(dir, "model.onnx"))
}

// voice is the power of the loudest tone of a language: samples [N, 1, T] to [N, 1, F].
func voice(g *onnxwriter.Graph, x string, a Alphabet) string {
	var weights []float32
	for _, p := range a.Pieces {
		cos, sin := oscillators(p.Frequency())
		weights = append(append(weights, cos...), sin...)
	}
	waves := g.Node("Conv", []string{x, g.Floats(weights, 2*len(a.Pieces), 1, fieldSamples)},
		onnxwriter.Ints("strides", fieldShift))
	squares := g.Node("Mul", []string{waves, waves})
	both := g.Node("Reshape", []string{squares, g.Vector(0, int64(len(a.Pieces)), 2, -1)})
	power := g.Node("ReduceSum", []string{both, g.Vector(2)}, onnxwriter.Int("keepdims", 0))
	loudest := g.Node("ReduceMax", []string{power}, onnxwriter.Ints("axes", 1))
	return g.Node("Log", []string{g.Node("Add", []string{loudest, g.Floats([]float32{1e-6})})})
}

// oscillators are two waves a quarter apart, windowed. A tone of amplitude 10^-3 makes
// their power one.
func oscillators(hz float64) (cos, sin []float32) {
	for i := range fieldSamples {
		gain := 1000 * 2 * (1 - math.Cos(2*math.Pi*(float64(i)+0.5)/fieldSamples)) / fieldSamples
		s, c := math.Sincos(2 * math.Pi * hz * float64(i) / SampleRate)
		cos, sin = append(cos, float32(gain*c)), append(sin, float32(gain*s))
	}
	return cos, sin
}

// WriteEmbedder writes a speaker model of the kind wespeaker to dir, model.onnx: its
// embeddings of recordings in one language are alike, those of different languages are
// at a right angle.
func WriteEmbedder(dir string, languages ...Alphabet) error {
	n := net{Graph: onnxwriter.NewGraph("embedding")}
	for _, a := range languages {
		n.Pieces = slices.Concat(n.Pieces, a.Pieces)
	}
	x := n.Input("feats", onnx.Float, onnx.Any("N"), onnx.Any("T"), onnx.Size(Bands))
	_, contrast := n.hear(x)
	heard := n.Node("Relu", []string{n.Node("Sub", []string{contrast, n.Floats([]float32{threshold})})})
	mean := n.Node("ReduceMean", []string{heard}, onnxwriter.Ints("axes", 2), onnxwriter.Int("keepdims", 0))
	sum := make([]float32, len(n.Pieces)*len(languages))
	at := 0
	for i, a := range languages {
		for range a.Pieces {
			sum[at*len(languages)+i] = 1
			at++
		}
	}
	out := n.Node("MatMul", []string{mean, n.Floats(sum, len(n.Pieces), len(languages))})
	out = n.Node("Add", []string{out, n.Floats([]float32{1e-3})}) // silence has a direction too
	n.Output(n.Name(out, "embs"), onnx.Float, onnx.Any("N"), onnx.Size(len(languages)))
	model := onnxwriter.Model{Graph: n.Graph, Opset: 17, Producer: maker, Metadata: map[string]string{
		"framework": "wespeaker", "version": "1", "language": "English", "comment": "tones for tests, not speech",
		"output_dim": strconv.Itoa(len(languages)), "sample_rate": strconv.Itoa(SampleRate), "normalize_samples": "1",
	}}
	return model.WriteFile(filepath.Join(dir, "model.onnx"))
}
