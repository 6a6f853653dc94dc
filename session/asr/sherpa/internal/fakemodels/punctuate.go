package fakemodels

import (
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"steno/session/asr/sherpa/internal/onnxwriter"
	"steno/session/asr/sherpa/onnx"
)

// Marks that punctuation models of the kind ct-transformer set.
const (
	Comma    = "，"
	Stop     = "。"
	Question = "？"
)

// WritePunctuator writes a model of the kind ct-transformer to dir, model.onnx, that sets
// the given marks after the given words, lower-case, in ASCII. The library ends every text with a
// stop or question mark.
func WritePunctuator(dir string, after map[string]string) error {
	marks := []string{"<unk>", "_", Comma, Stop, Question, "、"}
	words := append([]string{"<unk>"}, slices.Sorted(maps.Keys(after))...)
	table := make([]float32, len(words)*len(marks))
	for i, word := range words {
		table[i*len(marks)+max(1, slices.Index(marks, after[word]))] = 1
	}
	g := onnxwriter.NewGraph("punctuation")
	batch, length := onnx.Any("N"), onnx.Any("T")
	text := g.Input("inputs", onnx.Int32, batch, length)
	g.Input("text_lengths", onnx.Int32, batch)
	logits := g.Node("Gather", []string{g.Floats(table, len(words), len(marks)), text})
	g.Output(g.Name(logits, "logits"), onnx.Float, batch, length, onnx.Size(len(marks)))
	model := onnxwriter.Model{Graph: g, Opset: 17, Producer: maker, Metadata: map[string]string{
		"model_type": "ct_transformer", "version": "1", "comment": "a table for tests",
		"tokens": strings.Join(words, "|"), "vocab_size": strconv.Itoa(len(words)),
		"punctuations": strings.Join(marks, "|"), "unk_symbol": "<unk>",
	}}
	return model.WriteFile(filepath.Join(dir, "model.onnx"))
}
