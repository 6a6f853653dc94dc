//go:build linux && cgo && (amd64 || arm64 || arm)

package capabilities

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"steno/session/asr"
	"steno/session/asr/sherpa/folder"
	"steno/session/asr/sherpa/internal/onnxwriter"
	"steno/session/asr/sherpa/onnx"
)

// The models made here have the shapes of real ones, and weights whose effect a test can check:
// they recognize low and high tones, and a handful of words.

const (
	low, high = 300, 3000 // Hz
)

// write puts a model into a folder.
func write(t testing.TB, dir, name string, g *onnxwriter.Graph, metadata map[string]string) {
	t.Helper()
	m := onnxwriter.Model{Graph: g, Opset: 17, Producer: "steno", Metadata: metadata}
	if err := m.WriteFile(filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
}

// put writes a file of text.
func put(t testing.TB, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// named makes a folder of a name below a temporary one.
func named(t testing.TB, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func read(t testing.TB, dir string) folder.Model {
	t.Helper()
	m, err := folder.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// tone is a sine of so many samples, at a tenth of full scale.
func tone(hertz, samples int) []int16 {
	made := make([]int16, samples)
	for i := range made {
		made[i] = int16(3276 * math.Sin(2*math.Pi*float64(hertz)*float64(i)/asr.Rate))
	}
	return made
}

func silence(samples int) []int16 { return make([]int16, samples) }

func join(parts ...[]int16) []int16 {
	var all []int16
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

// whisper is a model for which low tones are English, high ones German, and silence Yiddish.
func whisper(t testing.TB) folder.Model {
	dir := named(t, "whisper")
	const bins, vocab = 80, 10
	g := onnxwriter.NewGraph("encoder")
	mel := g.Input("mel", onnx.Float, onnx.Any("N"), onnx.Size(bins), onnx.Any("T"))
	mean := g.Node("ReduceMax", []string{mel}, onnxwriter.Ints("axes", 2), onnxwriter.Int("keepdims", 1))
	rows := g.Node("Unsqueeze", []string{g.Node("Transpose", []string{mean}, onnxwriter.Ints("perm", 0, 2, 1)),
		g.Vector(0)})
	for _, name := range []string{"n_layer_cross_k", "n_layer_cross_v"} {
		g.Name(rows, name)
		g.Output(name, onnx.Float, onnx.Size(1), onnx.Any("N"), onnx.Any("T"), onnx.Size(bins))
	}
	write(t, dir, "tiny-encoder.onnx", g, map[string]string{
		"model_type": "whisper-tiny", "n_mels": "80", "n_text_layer": "1", "n_text_ctx": "4", "n_text_state": "80",
		"n_vocab": "10", "sot": "1", "eot": "2", "blank_id": "0", "translate": "3", "transcribe": "4",
		"is_multilingual": "1",
		"no_timestamps":   "8", "no_speech": "9", "sot_sequence": "1,5,4", "all_language_tokens": "5,6,7",
		"all_language_codes": "en,de,yi",
	})

	weights, bias := make([]float32, bins*vocab), make([]float32, vocab)
	for b := range bins {
		weights[b*vocab+5+b/40] = 1
	}
	bias[7] = 5
	d := onnxwriter.NewGraph("decoder")
	cache := []onnx.Dim{onnx.Size(1), onnx.Any("N"), onnx.Any("C"), onnx.Size(bins)}
	d.Input("tokens", onnx.Int64, onnx.Any("N"), onnx.Any("L"))
	d.Input("in_k", onnx.Float, cache...)
	d.Input("in_v", onnx.Float, cache...)
	d.Input("n_layer_cross_k", onnx.Float, cache...)
	d.Input("n_layer_cross_v", onnx.Float, cache...)
	d.Input("offset", onnx.Int64, onnx.Size(1))
	heard := d.Node("Squeeze", []string{"n_layer_cross_k", d.Vector(0)})
	scores := d.Node("MatMul", []string{heard, d.Floats(weights, bins, vocab)})
	d.Name(d.Node("Add", []string{scores, d.Floats(bias, vocab)}), "logits")
	d.Name("in_k", "out_k")
	d.Name("in_v", "out_v")
	d.Output("logits", onnx.Float, onnx.Any("N"), onnx.Any("L"), onnx.Size(vocab))
	d.Output("out_k", onnx.Float, cache...)
	d.Output("out_v", onnx.Float, cache...)
	write(t, dir, "tiny-decoder.onnx", d, nil)
	put(t, dir, "tiny-tokens.txt", "IQ== 0\nIg== 1\n")
	return read(t, dir)
}

// table is a matrix with a row for each word, and a one in the word's column.
func table(columns int, rows ...int) []float32 {
	values := make([]float32, len(rows)*columns)
	for i, column := range rows {
		values[i*columns+column] = 1
	}
	return values
}

// ctTransformer puts a comma after "hello" and "好", a question mark after "you", and nothing else.
func ctTransformer(t testing.TB) folder.Model {
	dir := named(t, "punct-en-zh")
	tokens := []string{"<unk>", "hello", "you", "好", "world"}
	marks := []string{"<unk>", "_", "，", "。", "？", "、"}
	g := onnxwriter.NewGraph("punctuation")
	ids := g.Input("inputs", onnx.Int32, onnx.Any("N"), onnx.Any("T"))
	g.Input("text_lengths", onnx.Int32, onnx.Any("N"))
	g.Name(g.Node("Gather", []string{g.Floats(table(6, 1, 2, 4, 2, 1), 5, 6), ids}), "logits")
	g.Output("logits", onnx.Float, onnx.Any("N"), onnx.Any("T"), onnx.Size(6))
	write(t, dir, "model.onnx", g, map[string]string{
		"tokens": strings.Join(tokens, "|"), "vocab_size": "5", "punctuations": strings.Join(marks, "|"),
		"unk_symbol": "<unk>",
	})
	return read(t, dir)
}

// cnnBiLSTM puts a capital and a comma to "hello", only capitals and a full stop to "nasa", and
// nothing else.
func cnnBiLSTM(t testing.TB) folder.Model {
	dir := named(t, "online-punct-en")
	g := onnxwriter.NewGraph("punctuation")
	shape := []onnx.Dim{onnx.Any("N"), onnx.Size(200)}
	ids := g.Input("token_ids", onnx.Int32, shape...)
	valid := g.Input("valid_ids", onnx.Int32, shape...)
	g.Input("label_lens", onnx.Int32, onnx.Any("N"))
	wide := g.Node("Cast", []string{ids}, onnxwriter.Int("to", int64(onnx.Int64)))
	words := g.Node("Mul", []string{
		g.Node("Cast", []string{g.Node("Greater", []string{wide, g.Vector(2)})},
			onnxwriter.Int("to", int64(onnx.Int32))), valid,
	})
	places := g.Node("Transpose", []string{g.Node("NonZero", []string{words})})
	active := g.Node("GatherND", []string{wide, places}) // the first piece of every word
	for i, rows := range [][]int{{0, 0, 0, 2, 1, 0, 0}, {0, 0, 0, 1, 2, 0, 0}} {
		name := []string{"case_logits", "punct_logits"}[i]
		g.Name(g.Node("Gather", []string{g.Floats(table(4, rows...), 7, 4), active}), name)
		g.Output(name, onnx.Float, onnx.Any("W"), onnx.Size(4))
	}
	write(t, dir, "model.onnx", g, map[string]string{
		"COMMA": "1", "PERIOD": "2", "QUESTION": "3", "UPPER": "1", "CAP": "2", "MIX_CASE": "3",
	})
	put(t, dir, "bpe.vocab", "<unk>\t0\n<s>\t0\n</s>\t0\n▁hello\t-1\n▁nasa\t-1\n▁\t-3\no\t-3\n")
	return read(t, dir)
}

// Of the segmentation made here.
const (
	window  = 32000 // samples
	stride  = 270
	kernel  = 320
	classes = 7
)

// segmentation finds one speaker in low tones and another in high ones.
func segmentation(t testing.TB, dir, name string) {
	g := onnxwriter.NewGraph("segmentation")
	x := g.Input("x", onnx.Float, onnx.Any("N"), onnx.Size(1), onnx.Any("T"))
	waves := make([]float32, 4*kernel) // cosines and sines of both tones
	for i := range waves {
		hertz := []float64{low, high}[i/kernel/2]
		phase := 2 * math.Pi * hertz * float64(i%kernel) / asr.Rate
		if i/kernel%2 == 0 {
			waves[i] = float32(math.Cos(phase))
		} else {
			waves[i] = float32(math.Sin(phase))
		}
	}
	heard := g.Node("Conv", []string{x, g.Floats(waves, 4, 1, kernel)}, onnxwriter.Ints("strides", stride))
	power := g.Node("Transpose", []string{g.Node("Mul", []string{heard, heard})}, onnxwriter.Ints("perm", 0, 2, 1))
	weights, bias := make([]float32, 4*classes), []float32{1, 0, 0, 0, -9, -9, -9}
	for i := range 4 {
		weights[i*classes+1+i/2] = 1
	}
	g.Name(g.Node("Add", []string{g.Node("MatMul", []string{power, g.Floats(weights, 4, classes)}),
		g.Floats(bias, classes)}), "y")
	g.Output("y", onnx.Float, onnx.Any("N"), onnx.Any("F"), onnx.Size(classes))
	write(t, dir, name, g, map[string]string{
		"model_type": "pyannote-segmentation-3.0", "sample_rate": "16000", "window_size": "32000", "num_speakers": "3",
		"receptive_field_size": "320", "receptive_field_shift": "270", "powerset_max_classes": "2", "num_classes": "7",
	})
}

// embedding distinguishes voices by their spectra.
func embedding(t testing.TB, dir, name string) {
	g := onnxwriter.NewGraph("embedding")
	x := g.Input("x", onnx.Float, onnx.Any("N"), onnx.Any("T"), onnx.Size(80))
	mean := g.Node("ReduceMean", []string{x}, onnxwriter.Ints("axes", 1), onnxwriter.Int("keepdims", 0))
	level := g.Node("ReduceMean", []string{mean}, onnxwriter.Ints("axes", 1), onnxwriter.Int("keepdims", 1))
	g.Name(g.Node("Sub", []string{mean, level}), "embedding")
	g.Output("embedding", onnx.Float, onnx.Any("N"), onnx.Size(80))
	write(t, dir, name, g, map[string]string{
		"framework": "wespeaker", "language": "English", "output_dim": "80", "sample_rate": "16000",
		"normalize_samples": "1",
	})
}

// gtcrn takes away all that is above 1.5 kHz.
func gtcrn(t testing.TB) folder.Model {
	dir := named(t, "gtcrn")
	g := onnxwriter.NewGraph("denoiser")
	const bins = 257
	mask := make([]float32, bins)
	for i := range 48 {
		mask[i] = 1
	}
	x := g.Input("mix", onnx.Float, onnx.Size(1), onnx.Size(bins), onnx.Size(1), onnx.Size(2))
	caches := []string{"conv_cache", "tra_cache", "inter_cache"}
	for _, name := range caches {
		g.Input(name, onnx.Float, onnx.Size(2), onnx.Size(1))
	}
	g.Name(g.Node("Mul", []string{x, g.Floats(mask, 1, bins, 1, 1)}), "enh")
	g.Output("enh", onnx.Float, onnx.Size(1), onnx.Size(bins), onnx.Size(1), onnx.Size(2))
	for _, name := range caches {
		g.Name(name, name+"_out")
		g.Output(name+"_out", onnx.Float, onnx.Size(2), onnx.Size(1))
	}
	write(t, dir, "gtcrn_simple.onnx", g, map[string]string{
		"model_type": "gtcrn", "version": "1", "sample_rate": "16000", "n_fft": "512", "hop_length": "256",
		"window_length": "512",
		"window_type":   "hann_sqrt", "conv_cache_shape": "2,1", "tra_cache_shape": "2,1", "inter_cache_shape": "2,1",
	})
	return read(t, dir)
}
