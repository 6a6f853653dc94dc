package sherpa

import (
	"math"
	"reflect"
	"testing"

	"steno/session/asr"
)

// texts are the words' texts.
func texts(words []asr.Word) []string {
	var out []string
	for _, w := range words {
		out = append(out, w.Text)
	}
	return out
}

func TestWords(t *testing.T) {
	for name, test := range map[string]struct {
		h    hypothesis
		want []asr.Word
	}{
		"nothing": {hypothesis{text: " "}, nil},
		"pieces": {
			hypothesis{
				text: " alpha no", tokens: []string{" al", "pha", "▁no"}, starts: []float32{0.1, 0.2, 1},
				logs: []float32{0, float32(math.Log(0.25)), float32(math.Log(0.4))},
			},
			[]asr.Word{
				{Text: "alpha", Start: 1600, End: 3200 + lastToken, Confidence: 0.5},
				{Text: "no", Start: 16000, End: 16000 + lastToken, Confidence: 0.4},
			},
		},
		"the next one's start ends a token": {
			hypothesis{text: "a b", tokens: []string{" a", " b"}, starts: []float32{0.1, 0.2}},
			[]asr.Word{{Text: "a", Start: 1600, End: 3200}, {Text: "b", Start: 3200, End: 3200 + lastToken}},
		},
		"durations": {
			hypothesis{text: "a b", tokens: []string{" a", " b"}, starts: []float32{0.1, 0.5},
				durations: []float32{0.3, 0.1}},
			[]asr.Word{{Text: "a", Start: 1600, End: 6400}, {Text: "b", Start: 8000, End: 9600}},
		},
		"beyond the end": {
			hypothesis{text: "a b", tokens: []string{" a", " b"}, starts: []float32{1.9, 2.5}},
			[]asr.Word{{Text: "a", Start: 30400, End: 32000}, {Text: "b", Start: 32000, End: 32000}},
		},
		"times that are none, and go back": {
			hypothesis{
				text: "a b c", tokens: []string{" a", " b", " c"},
				starts: []float32{float32(math.NaN()), 1, 0.5}, logs: []float32{float32(math.NaN()), -1000, 3},
			},
			[]asr.Word{
				{Text: "a", End: lastToken}, {Text: "b", Start: 16000, End: 16000, Confidence: 0.001},
				{Text: "c", Start: 16000, End: 16000, Confidence: 1},
			},
		},
		"fewer probabilities than tokens": {
			hypothesis{text: "a b", tokens: []string{" a", " b"}, logs: []float32{-1}},
			[]asr.Word{{Text: "a"}, {Text: "b"}},
		},
		"continued tokens without spaces": {
			hypothesis{text: "hello 你 好", tokens: []string{"hel@@", "lo", "你", "好"}, starts: []float32{0, 0.1, 0.2,
				0.3}},
			[]asr.Word{
				{Text: "hello", End: 3200}, {Text: "你", Start: 3200, End: 4800},
				{Text: "好", Start: 4800, End: 4800 + lastToken},
			},
		},
		"bytes": {
			hypothesis{text: " 你", tokens: []string{"▁", "<0xE4>", "<0xBD>", "<0xA0>"}, starts: []float32{0, 0.1, 0.1,
				0.2}},
			[]asr.Word{{Text: "你", Start: 1600, End: 3200 + lastToken}},
		},
		"half a character": {
			hypothesis{text: " \xe4\xbd", tokens: []string{"<0xE4>", "<0xBD>"}, starts: []float32{0.1, 0.1}},
			[]asr.Word{{Text: "\uFFFD", Start: 1600, End: 1600 + lastToken}},
		},
		"rewritten text": {
			hypothesis{text: "20 $", tokens: []string{" twenty", " dollars"}, starts: []float32{0, 1},
				logs: []float32{0, 0}},
			[]asr.Word{{Text: "20"}, {Text: "$"}},
		},
		"no tokens": {hypothesis{text: "one two"}, []asr.Word{{Text: "one"}, {Text: "two"}}},
	} {
		got, timed := words(test.h, 2*asr.Rate)
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
		if want := len(test.h.starts) > 0 && name != "rewritten text"; timed != want {
			t.Errorf("%s: timed %v", name, timed)
		}
	}
}

// FuzzWords expects words within the audio, whatever the library returns.
func FuzzWords(f *testing.F) {
	f.Add("▁a b", "▁a", " b", float32(0.1), float32(-1))
	f.Add("\xff你", "<0xFF>", "你", float32(-1), float32(7))
	f.Add("", "", "@@", float32(math.Inf(1)), float32(math.NaN()))
	f.Fuzz(func(t *testing.T, text, first, second string, start, log float32) {
		h := hypothesis{text: text, tokens: []string{first, second}, starts: []float32{start, -start},
			logs: []float32{log, log}}
		if len(text)%2 == 0 {
			h.text = first + second
		}
		const n = asr.Rate
		got, _ := words(h, n)
		before := 0
		for _, w := range got {
			if w.Text == "" || w.Start < before || w.End < w.Start || w.End > n ||
				!(w.Confidence >= 0 && w.Confidence <= 1) {
				t.Errorf("%q %q %q: %+v", text, first, second, got)
			}
			before = w.Start
		}
	})
}

func TestList(t *testing.T) {
	text := `{ "text": "\"ys_probs\": [9]", "tokens": ["a"], "ys_probs": [-0.5, -1.25], "lm_probs": [], "x": [b] }`
	if got := list(text, "ys_probs"); !reflect.DeepEqual(got, []float32{-0.5, -1.25}) {
		t.Errorf("numbers %v", got)
	}
	for _, key := range []string{"lm_probs", "x", "nowhere"} {
		if got := list(text, key); got != nil {
			t.Errorf("%s: %v", key, got)
		}
	}
}

func TestCode(t *testing.T) {
	for label, want := range map[string]string{"<|en|>": "en", "zh-CN": "zh", "": "", "<|nospeech|>": "", "e1": ""} {
		if got := code(label); got != want {
			t.Errorf("%q: %q, want %q", label, got, want)
		}
	}
}
