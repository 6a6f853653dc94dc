package fakemodels

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"steno/session/asr/sherpa/internal/onnxwriter"
	"steno/session/asr/sherpa/onnx"
)

// Sizes and tokens of the identifier, which speaks no text.
const (
	cells   = 8  // of the self-attention cache, unused
	started = 0  // the token before everything
	ended   = 1  // the token after everything
	others  = 10 // the number of tokens that are no language
)

// WriteIdentifier writes a model of the kind whisper to dir, tiny-encoder.onnx and
// tiny-decoder.onnx, that identifies the language of most of a recording. As a recognizer it
// returns no text.
func WriteIdentifier(dir string, languages ...Alphabet) error {
	encoder := onnxwriter.Model{Graph: listener(languages), Opset: 17, Producer: maker, Metadata: whisper(languages)}
	if err := encoder.WriteFile(filepath.Join(dir, "tiny-encoder.onnx")); err != nil {
		return err
	}
	decoder := onnxwriter.Model{Graph: teller(len(languages)), Opset: 17, Producer: maker}
	return decoder.WriteFile(filepath.Join(dir, "tiny-decoder.onnx"))
}

func whisper(languages []Alphabet) map[string]string {
	var tokens, codes []string
	for i, a := range languages {
		tokens, codes = append(tokens, strconv.Itoa(others+i)), append(codes, a.Language)
	}
	number := strconv.Itoa
	return map[string]string{
		"model_type": "whisper-tiny", "version": "1", "maintainer": maker, "comment": "tones for tests, not speech",
		"n_mels": number(Bands), "n_text_layer": "1", "n_text_ctx": number(cells),
		"n_text_state": number(len(languages)),
		"n_vocab":      number(others + len(languages)), "sot": number(started), "eot": number(ended),
		"sot_sequence": fmt.Sprintf("%d,%d,%d", started, others, 4), "blank_id": "2", "translate": "3",
		"transcribe": "4", "no_timestamps": "5", "no_speech": "6", "is_multilingual": "1",
		"all_language_tokens": strings.Join(tokens, ","), "all_language_codes": strings.Join(codes, ","),
	}
}

// listener computes how much of a recording is in each of the L languages: features [N, 80, T] to
// cross-attention keys [1, N, 1, L].
func listener(languages []Alphabet) *onnxwriter.Graph {
	g := onnxwriter.NewGraph("identifier's encoder")
	x := g.Input("mel", onnx.Float, onnx.Any("N"), onnx.Size(Bands), onnx.Any("T"))
	var levels []string
	for _, a := range languages {
		var bands []int64
		for _, p := range a.Pieces {
			bands = append(bands, whisperBand(p.Frequency()))
		}
		tones := g.Node("Gather", []string{x, g.Vector(bands...)}, onnxwriter.Int("axis", 1))
		levels = append(levels, g.Node("ReduceMax", []string{tones}, onnxwriter.Ints("axes", 1)))
	}
	all := g.Node("Concat", levels, onnxwriter.Int("axis", 1))
	mean := g.Node("ReduceMean", []string{all}, onnxwriter.Ints("axes", 1))
	above := g.Node("Relu", []string{g.Node("Sub", []string{all, mean})})
	score := g.Node("ReduceMean", []string{above}, onnxwriter.Ints("axes", 2), onnxwriter.Int("keepdims", 0))
	keys := g.Node("Unsqueeze", []string{score, g.Vector(0, 2)})
	shape := []onnx.Dim{onnx.Size(1), onnx.Any("N"), onnx.Size(1), onnx.Size(len(languages))}
	g.Output(g.Name(keys, "n_layer_cross_k"), onnx.Float, shape...)
	g.Output(g.Name(keys, "n_layer_cross_v"), onnx.Float, shape...)
	return g
}

// teller turns the keys into the logits of the languages' tokens, after the first token, and then
// ends.
func teller(languages int) *onnxwriter.Graph {
	g := onnxwriter.NewGraph("identifier's decoder")
	batch, vocabulary := onnx.Any("N"), others+languages
	tokens := g.Input("tokens", onnx.Int64, batch, onnx.Any("L"))
	cache := []onnx.Dim{onnx.Size(1), batch, onnx.Size(cells), onnx.Size(languages)}
	selfKeys := g.Input("in_n_layer_self_k_cache", onnx.Float, cache...)
	selfValues := g.Input("in_n_layer_self_v_cache", onnx.Float, cache...)
	keys := g.Input("n_layer_cross_k", onnx.Float, onnx.Size(1), batch, onnx.Any("T"), onnx.Size(languages))
	g.Input("n_layer_cross_v", onnx.Float, onnx.Size(1), batch, onnx.Any("T"), onnx.Size(languages))
	g.Input("offset", onnx.Int64, onnx.Size(1))

	place := make([]float32, languages*vocabulary)
	for i := range languages {
		place[i*vocabulary+others+i] = 1
	}
	heard := g.Node("Squeeze", []string{keys, g.Vector(0)})
	logits := g.Node("MatMul", []string{heard, g.Floats(place, languages, vocabulary)})
	later := g.Node("Not", []string{g.Node("Equal", []string{tokens, g.Vector(started)})})
	later = g.Node("Cast", []string{later}, onnxwriter.Int("to", int64(onnx.Float)))
	finish := make([]float32, vocabulary)
	finish[ended] = never
	last := g.Node("Mul", []string{g.Node("Unsqueeze", []string{later, g.Vector(2)}), g.Floats(finish, vocabulary)})
	g.Output(g.Name(g.Node("Add", []string{logits, last}), "logits"), onnx.Float, batch, onnx.Any("L"),
		onnx.Size(vocabulary))
	g.Output(g.Name(selfKeys, "out_n_layer_self_k_cache"), onnx.Float, cache...)
	g.Output(g.Name(selfValues, "out_n_layer_self_v_cache"), onnx.Float, cache...)
	return g
}

// whisperBand is the band of Whisper's filter bank nearest to a frequency: 80 triangles
// up to 8 kHz in the mel scale of M. Slaney, "Auditory Toolbox", 1998, linear up to 1 kHz.
func whisperBand(hz float64) int64 {
	slaney := func(hz float64) float64 {
		if hz < 1000 {
			return 3 * hz / 200
		}
		return 15 + 27*math.Log(hz/1000)/math.Log(6.4)
	}
	return int64(math.Round(slaney(hz)/slaney(8000)*(Bands+1))) - 1
}
