package fakemodels

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"steno/session/asr/sherpa/internal/onnxwriter"
	"steno/session/asr/sherpa/onnx"
)

// transducer builds the decoder, the joiner and the tokens of a cost model, which are the same for
// all encoders.
type transducer struct {
	builder
	shape shape
}

func newTransducer(s shape) *transducer { return &transducer{builder{weights: newWeights()}, s} }

// blankBias makes about four frames in five blank.
const blankBias = 2.9

func (t *transducer) decoder() onnxwriter.Model {
	t.Graph = onnxwriter.NewGraph("decoder")
	dim := t.shape.joined
	y := t.Input("y", onnx.Int64, onnx.Any("N"), onnx.Size(history))
	known := t.Node("Max", []string{y, t.Ints([]int64{blank}, 1)})
	x := t.Node("Gather", []string{t.random(t.shape.tokens, dim), known})
	x = t.Node("Conv", []string{t.turned(x, 0, 2, 1), t.filter(dim, 4, history)}, onnxwriter.Int("group", int64(dim/4)))
	x = t.Node("Relu", []string{t.Node("Squeeze", []string{x, t.Vector(2)})})
	t.Output(t.Name(t.linear(x, dim, dim), "decoder_out"), onnx.Float, onnx.Any("N"), onnx.Size(dim))
	return onnxwriter.Model{Graph: t.Graph, Opset: 17, Producer: maker, Metadata: map[string]string{
		"vocab_size": strconv.Itoa(t.shape.tokens), "context_size": strconv.Itoa(history),
	}}
}

func (t *transducer) joiner() onnxwriter.Model {
	t.Graph = onnxwriter.NewGraph("joiner")
	dim := t.shape.joined
	heard := t.Input("encoder_out", onnx.Float, onnx.Any("N"), onnx.Size(dim))
	usual := t.Input("decoder_out", onnx.Float, onnx.Any("N"), onnx.Size(dim))
	logit := t.linear(t.Node("Tanh", []string{t.sum(heard, usual)}), dim, t.shape.tokens)
	bias := make([]float32, t.shape.tokens)
	bias[blank] = blankBias
	t.Output(t.Name(t.sum(logit, t.Floats(bias, len(bias))), "logit"), onnx.Float, onnx.Any("N"),
		onnx.Size(t.shape.tokens))
	return onnxwriter.Model{Graph: t.Graph, Opset: 17, Producer: maker,
		Metadata: map[string]string{"joiner_dim": strconv.Itoa(dim)}}
}

// writeTokens writes names for tokens without meaning.
func (t *transducer) writeTokens(dir string) error {
	var tokens strings.Builder
	fmt.Fprintf(&tokens, "<blk> %d\n<sos/eos> %d\n<unk> %d\n", blank, sentence, unknown)
	for i := specials; i < t.shape.tokens; i++ {
		tokens.WriteString(Start + "p" + strconv.Itoa(i) + " " + strconv.Itoa(i) + "\n")
	}
	return os.WriteFile(filepath.Join(dir, "tokens.txt"), []byte(tokens.String()), 0o644)
}
