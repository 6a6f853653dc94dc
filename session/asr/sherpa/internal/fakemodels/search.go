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

// history is the number of tokens a transducer's decoder sees.
const history = 2

// habit is what the decoder adds to the logit of the piece that usually follows: it can
// settle a tie, not more.
const habit = 0.05

// writeSearch writes what a transducer has besides the encoder: decoder, joiner and
// texts. Names of the model files end in suffix.
func (a Alphabet) writeSearch(dir, suffix string) error {
	if err := a.decoder().WriteFile(filepath.Join(dir, "decoder"+suffix)); err != nil {
		return err
	}
	if err := a.joiner().WriteFile(filepath.Join(dir, "joiner"+suffix)); err != nil {
		return err
	}
	return a.writeTexts(dir)
}

// decoder looks the last token up in a table: [N, 2] to [N, V].
func (a Alphabet) decoder() onnxwriter.Model {
	n := net{onnxwriter.NewGraph("decoder"), a}
	v := n.vocabulary()
	y := n.Input("y", onnx.Int64, onnx.Any("N"), onnx.Size(history))
	last := n.Node("Gather", []string{y, n.Ints([]int64{history - 1})}, onnxwriter.Int("axis", 1))
	known := n.Node("Max", []string{last, n.Ints([]int64{blank})}) // a stream begins with -1
	table := make([]float32, v*v)
	for i := range a.Pieces[1:] {
		if !strings.HasPrefix(a.Pieces[i+1].Text, Start) {
			table[(specials+i)*v+specials+i+1] = habit
		}
	}
	out := n.Node("Gather", []string{n.Floats(table, v, v), known})
	n.Output(n.Name(out, "decoder_out"), onnx.Float, onnx.Any("N"), onnx.Size(v))
	return onnxwriter.Model{Graph: n.Graph, Opset: 17, Producer: maker, Metadata: map[string]string{
		"vocab_size":   strconv.Itoa(v),
		"context_size": strconv.Itoa(history),
	}}
}

// joiner adds the outputs of encoder and decoder: [N, V] and [N, V] to [N, V].
func (a Alphabet) joiner() onnxwriter.Model {
	n := net{onnxwriter.NewGraph("joiner"), a}
	v := n.vocabulary()
	heard := n.Input("encoder_out", onnx.Float, onnx.Any("N"), onnx.Size(v))
	usual := n.Input("decoder_out", onnx.Float, onnx.Any("N"), onnx.Size(v))
	n.Output(n.Name(n.Node("Add", []string{heard, usual}), "logit"), onnx.Float, onnx.Any("N"), onnx.Size(v))
	return onnxwriter.Model{Graph: n.Graph, Opset: 17, Producer: maker, Metadata: map[string]string{
		"joiner_dim": strconv.Itoa(v),
	}}
}

// writeTexts writes tokens.txt, a piece and its number in each line, and bpe.vocab, a
// piece and its log probability, from which hotwords are cut into pieces.
func (a Alphabet) writeTexts(dir string) error {
	tokens := fmt.Sprintf("<blk> %d\n<sos/eos> %d\n<unk> %d\n", blank, sentence, unknown)
	vocabulary := "<blk>\t0\n<sos/eos>\t0\n<unk>\t0\n"
	for i, p := range a.Pieces {
		tokens += fmt.Sprintf("%s %d\n", p.Text, specials+i)
		vocabulary += fmt.Sprintf("%s\t%d\n", p.Text, -1-i)
	}
	if err := os.WriteFile(filepath.Join(dir, "tokens.txt"), []byte(tokens), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "bpe.vocab"), []byte(vocabulary), 0o644)
}
