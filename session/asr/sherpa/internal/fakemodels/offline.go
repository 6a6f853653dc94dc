package fakemodels

import (
	"path/filepath"

	"steno/session/asr/sherpa/internal/onnxwriter"
	"steno/session/asr/sherpa/onnx"
)

// WriteOfflineCTC writes a model of the kind zipformer2_ctc for whole utterances to dir:
// model.onnx, tokens.txt, bpe.vocab.
func (a Alphabet) WriteOfflineCTC(dir string) error {
	n := net{onnxwriter.NewGraph("offline ctc"), a}
	n.whole("log_probs", n.probable)
	if err := n.offline("zipformer2_ctc").WriteFile(filepath.Join(dir, "model.onnx")); err != nil {
		return err
	}
	return a.writeTexts(dir)
}

// WriteOfflineTransducer writes a zipformer transducer for whole utterances to dir:
// encoder, decoder, joiner, tokens.txt, bpe.vocab.
func (a Alphabet) WriteOfflineTransducer(dir string) error {
	n := net{onnxwriter.NewGraph("offline encoder"), a}
	n.whole("encoder_out", func(logits string) string { return logits })
	if err := n.offline("zipformer2").WriteFile(filepath.Join(dir, "encoder-epoch-1-avg-1.onnx")); err != nil {
		return err
	}
	return a.writeSearch(dir, "-epoch-1-avg-1.onnx")
}

// whole builds the graph: features [N, T, 80] and their numbers [N] to what finish makes
// of the logits, called output, and their numbers.
func (n net) whole(output string, finish func(string) string) {
	batch := onnx.Any("N")
	x := n.Input("x", onnx.Float, batch, onnx.Any("T"), onnx.Size(Bands))
	length := n.Input("x_lens", onnx.Int64, batch)
	level, contrast := n.hear(x)
	before := n.scale(n.slice(n.front(contrast), 2, 0, 1), 0)
	logits, _ := n.spikes(n.start(contrast), n.pool(n.start(level), looks, looks-subsampling), before, 1)
	n.Output(n.Name(finish(logits), output), onnx.Float, batch, onnx.Any("frames"), onnx.Size(n.vocabulary()))
	frames := n.Node("Div", []string{n.Node("Add", []string{length, n.Vector(lag)}), n.Vector(subsampling)})
	n.Output(n.Name(frames, output+"_lens"), onnx.Int64, batch)
}

// front is what a convolutional front end makes of a recording: fewer frames, and without
// nine of features none at all, at which the library ends the process. Models for whole
// utterances are like that, so these are too.
func (n net) front(x string) string {
	return n.Node("MaxPool", []string{x}, onnxwriter.Ints("kernel_shape", 9))
}

// start puts silence before the first frame.
func (n net) start(x string) string {
	return n.Node("Pad", []string{x, n.Vector(0, 0, lag, 0, 0, 0)})
}

func (n net) offline(kind string) onnxwriter.Model {
	return onnxwriter.Model{Graph: n.Graph, Opset: 17, Producer: maker, Metadata: map[string]string{
		"model_type":   kind,
		"version":      "1",
		"model_author": maker,
		"comment":      "tones for tests, not speech",
	}}
}
