package tones

import (
	"math"
	"path/filepath"
	"strconv"

	"steno/session/asr/engine/sherpa/onnx"
)

// Chunks of the streaming models, in frames of 10 ms, as those of the published ones:
// 45 frames are looked at, then 32 are done with. What is not yet followed by 13 frames
// is not decoded: that is why the end of an utterance needs padding.
const (
	chunkFrames = 32
	chunkLooks  = 45
)

// Sizes of the state of a zipformer2, besides those that are the size of the
// vocabulary. They are small, and all pass through.
const (
	layers   = 2
	heads    = 4
	keys     = 8 // of a head
	values   = 4 // of a head
	kernel   = 5 // of a convolution: 2 frames are kept
	kept     = kernel / 2
	context  = 16 // frames that attention looks back at
	embedded = 19 // of the convolutional front end
)

const maker = "steno tones"

// WriteStreamingCTC writes a model of the kind zipformer2-ctc to dir: the model,
// tokens.txt, bpe.vocab.
func (a Alphabet) WriteStreamingCTC(dir string) error {
	n := net{onnx.NewGraph("streaming ctc"), a}
	n.stream("log_probs", n.probable)
	if err := n.streaming("zipformer2").WriteFile(filepath.Join(dir, "ctc-epoch-1-avg-1-chunk-16-left-16.onnx")); err != nil {
		return err
	}
	return a.writeTexts(dir)
}

// WriteStreamingTransducer writes a model of the kind zipformer2 to dir: encoder,
// decoder, joiner, tokens.txt, bpe.vocab.
func (a Alphabet) WriteStreamingTransducer(dir string) error {
	n := net{onnx.NewGraph("streaming encoder"), a}
	n.stream("encoder_out", func(logits string) string { return logits })
	if err := n.streaming("zipformer2").WriteFile(filepath.Join(dir, "encoder-epoch-1-avg-1-chunk-16-left-16.onnx")); err != nil {
		return err
	}
	return a.writeSearch(dir, "-epoch-1-avg-1-chunk-16-left-16.onnx")
}

// stream builds the graph: features and state to what finish makes of the logits, called
// output, and the next state.
func (n net) stream(output string, finish func(string) string) {
	v := n.vocabulary()
	batch, frames := onnx.Any("N"), chunkFrames/subsampling
	x := n.Input("x", onnx.Float, batch, onnx.Size(chunkLooks), onnx.Size(Bands))
	state := n.state()
	heard := n.Node("Concat", []string{state[4].name, n.slice(n.contrast(x), 2, 0, chunkFrames)}, onnx.Int("axis", 2))
	used := n.slice(heard, 2, 0, chunkFrames)
	logits, sounded := n.spikes(used, state[5].name, kept)
	n.Output(n.Name(finish(logits), output), onnx.Float, batch, onnx.Size(frames), onnx.Size(v))
	next := make([]string, len(state))
	for i, s := range state {
		next[i] = s.name
	}
	next[4] = n.slice(heard, 2, -kept, math.MaxInt64)
	next[5] = n.slice(sounded, 2, -kept, math.MaxInt64)
	next[len(next)-1] = n.Node("Add", []string{next[len(next)-1], n.Vector(chunkFrames / 2)})
	for i, s := range state {
		n.Output(n.Name(next[i], "new_"+s.name), s.kind, s.shape...)
	}
}

// carried is one tensor of the state.
type carried struct {
	name  string
	kind  onnx.Type
	shape []onnx.Dim
}

// state declares the inputs that carry state from chunk to chunk, in the runtime's
// order: six for each layer, then what the front end keeps, then the number of frames
// so far. The convolution caches of the first layer hold what was heard last.
func (n net) state() []carried {
	v, batch := n.vocabulary(), onnx.Any("N")
	var all []carried
	for i := range layers {
		at := "_" + strconv.Itoa(i)
		all = append(all,
			carried{"cached_key" + at, onnx.Float, []onnx.Dim{onnx.Size(context), batch, onnx.Size(heads * keys)}},
			carried{"cached_nonlin_attn" + at, onnx.Float, []onnx.Dim{onnx.Size(1), batch, onnx.Size(context), onnx.Size(3 * v / 4)}},
			carried{"cached_val1" + at, onnx.Float, []onnx.Dim{onnx.Size(context), batch, onnx.Size(heads * values)}},
			carried{"cached_val2" + at, onnx.Float, []onnx.Dim{onnx.Size(context), batch, onnx.Size(heads * values)}},
			carried{"cached_conv1" + at, onnx.Float, []onnx.Dim{batch, onnx.Size(v), onnx.Size(kept)}},
			carried{"cached_conv2" + at, onnx.Float, []onnx.Dim{batch, onnx.Size(v), onnx.Size(kept)}})
	}
	all = append(all,
		carried{"embed_states", onnx.Float, []onnx.Dim{batch, onnx.Size(128), onnx.Size(3), onnx.Size(embedded)}},
		carried{"processed_lens", onnx.Int64, []onnx.Dim{batch}})
	for _, s := range all {
		n.Input(s.name, s.kind, s.shape...)
	}
	return all
}

func (n net) streaming(kind string) onnx.Model {
	number := strconv.Itoa
	return onnx.Model{Graph: n.Graph, Opset: 17, Producer: maker, Metadata: map[string]string{
		"model_type":         kind,
		"version":            "1",
		"model_author":       maker,
		"comment":            "tones for tests, not speech",
		"decode_chunk_len":   number(chunkFrames),
		"T":                  number(chunkLooks),
		"num_encoder_layers": number(layers),
		"encoder_dims":       number(n.vocabulary()),
		"cnn_module_kernels": number(kernel),
		"left_context_len":   number(context),
		"query_head_dims":    number(keys),
		"value_head_dims":    number(values),
		"num_heads":          number(heads),
	}}
}
