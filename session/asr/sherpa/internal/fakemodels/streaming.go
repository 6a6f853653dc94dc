package fakemodels

import (
	"path/filepath"
	"strconv"

	"steno/session/asr/sherpa/internal/onnxwriter"
	"steno/session/asr/sherpa/onnx"
)

// Chunks of the streaming models, in frames of 10 ms, as those of the published ones:
// 45 frames are looked at, then 32 are done with. What is not yet followed by 13 frames
// is not decoded: that is why the end of an utterance needs padding.
const (
	chunkFrames = 32
	chunkLooks  = 45
)

// Sizes of the state of a zipformer2, besides those that are the number of pieces. They
// are small, and most of it only passes through.
const (
	layers   = 2
	heads    = 4
	keys     = 8 // of a head
	values   = 4 // of a head
	kernel   = 5 // of a convolution: 2 frames are kept
	kept     = kernel / 2
	attended = 16 // frames that attention looks back at
	embedded = 19 // of the convolutional front end
)

const maker = "steno tones"

// WriteStreamingCTC writes a model of the kind zipformer2-ctc to dir: the model,
// tokens.txt, bpe.vocab.
func (a Alphabet) WriteStreamingCTC(dir string) error {
	n := net{onnxwriter.NewGraph("streaming ctc"), a}
	n.stream("log_probs", n.probable)
	if err := n.streaming("zipformer2").WriteFile(filepath.Join(dir,
		"ctc-epoch-1-avg-1-chunk-16-left-16.onnx")); err != nil {
		return err
	}
	return a.writeTexts(dir)
}

// WriteStreamingTransducer writes a model of the kind zipformer2 to dir: encoder,
// decoder, joiner, tokens.txt, bpe.vocab.
func (a Alphabet) WriteStreamingTransducer(dir string) error {
	n := net{onnxwriter.NewGraph("streaming encoder"), a}
	n.stream("encoder_out", func(logits string) string { return logits })
	if err := n.streaming("zipformer2").WriteFile(filepath.Join(dir,
		"encoder-epoch-1-avg-1-chunk-16-left-16.onnx")); err != nil {
		return err
	}
	return a.writeSearch(dir, "-epoch-1-avg-1-chunk-16-left-16.onnx")
}

// stream builds the graph: features and state to what finish makes of the logits, called
// output, and the next state.
func (n net) stream(output string, finish func(string) string) {
	batch, frames := onnx.Any("N"), chunkFrames/subsampling
	x := n.Input("x", onnx.Float, batch, onnx.Size(chunkLooks), onnx.Size(Bands))
	state, next := n.state()
	level, contrast := n.hear(x)
	level = n.Node("Concat", []string{next[keepLevel], level}, onnxwriter.Int("axis", 2))
	contrast = n.Node("Concat", []string{next[keepContrast], contrast}, onnxwriter.Int("axis", 2))
	loudest := n.pool(n.slice(level, 2, 0, chunkFrames+subsampling), looks, 0)
	logits, sounded := n.spikes(n.slice(contrast, 2, 0, chunkFrames), loudest, next[keepSounded], kept)
	n.Output(n.Name(finish(logits), output), onnx.Float, batch, onnx.Size(frames), onnx.Size(n.vocabulary()))
	next[keepLevel] = n.slice(level, 2, chunkFrames, chunkFrames+kept)
	next[keepContrast] = n.slice(contrast, 2, chunkFrames, chunkFrames+kept)
	next[keepSounded] = n.slice(sounded, 2, -kept, end)
	next[len(next)-1] = n.Node("Add", []string{next[len(next)-1], n.Vector(chunkFrames / 2)})
	for i, s := range state {
		n.Output(n.Name(next[i], "new_"+s.Name), s.Type, s.Shape...)
	}
}

// The parts of the state that matter: the caches of convolutions. Two hold the frames
// before the chunk, one what stood out in the model's last.
const (
	keepLevel    = 4
	keepContrast = 5
	keepSounded  = 10
)

// state declares the inputs that carry state from chunk to chunk, in the runtime's
// order: six for each layer, then what the front end keeps, then the number of frames
// so far. It returns them and their names.
func (n net) state() (all []onnx.Value, names []string) {
	pieces, batch := len(n.Pieces), onnx.Any("N")
	for i := range layers {
		at := "_" + strconv.Itoa(i)
		for _, s := range []struct {
			name  string
			shape []onnx.Dim
		}{
			{"cached_key", []onnx.Dim{onnx.Size(attended), batch, onnx.Size(heads * keys)}},
			{"cached_nonlin_attn", []onnx.Dim{onnx.Size(1), batch, onnx.Size(attended), onnx.Size(3 * pieces / 4)}},
			{"cached_val1", []onnx.Dim{onnx.Size(attended), batch, onnx.Size(heads * values)}},
			{"cached_val2", []onnx.Dim{onnx.Size(attended), batch, onnx.Size(heads * values)}},
			{"cached_conv1", []onnx.Dim{batch, onnx.Size(pieces), onnx.Size(kept)}},
			{"cached_conv2", []onnx.Dim{batch, onnx.Size(pieces), onnx.Size(kept)}},
		} {
			all = append(all, onnx.Value{Name: s.name + at, Type: onnx.Float, Shape: s.shape})
		}
	}
	all = append(all,
		onnx.Value{Name: "embed_states", Type: onnx.Float, Shape: []onnx.Dim{batch, onnx.Size(128), onnx.Size(3),
			onnx.Size(embedded)}},
		onnx.Value{Name: "processed_lens", Type: onnx.Int64, Shape: []onnx.Dim{batch}})
	for _, s := range all {
		names = append(names, n.Input(s.Name, s.Type, s.Shape...))
	}
	return all, names
}

func (n net) streaming(kind string) onnxwriter.Model {
	number := strconv.Itoa
	return onnxwriter.Model{Graph: n.Graph, Opset: 17, Producer: maker, Metadata: map[string]string{
		"model_type":         kind,
		"version":            "1",
		"model_author":       maker,
		"comment":            "tones for tests, not speech",
		"decode_chunk_len":   number(chunkFrames),
		"T":                  number(chunkLooks),
		"num_encoder_layers": number(layers),
		"encoder_dims":       number(len(n.Pieces)),
		"cnn_module_kernels": number(kernel),
		"left_context_len":   number(attended),
		"query_head_dims":    number(keys),
		"value_head_dims":    number(values),
		"num_heads":          number(heads),
	}}
}
