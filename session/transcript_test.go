package session

import (
	"slices"
	"testing"

	"steno/messages"
	"steno/session/asr"
)

// No word of a final has the confidence 0: words without one from the engine have the mean of the
// others, or 1.
func TestConfidences(t *testing.T) {
	for _, c := range []struct{ told, want []float64 }{
		{[]float64{0.5, 0.7}, []float64{0.5, 0.7}},
		{[]float64{0.5, 0, 0.7}, []float64{0.5, 0.6, 0.7}},
		{[]float64{0, 0}, []float64{1, 1}},
		{[]float64{0.0001}, []float64{0.001}},
		{[]float64{-1, 3}, []float64{1, 1}},
	} {
		r := asr.Result{Final: true}
		for _, p := range c.told {
			r.Words = append(r.Words, asr.Word{Text: "word", Confidence: p})
		}
		u := &utterance{from: 0, onset: 0, until: 25000, length: 25000, ended: true,
			rewrite: func(u messages.Utterance) messages.Utterance { return u }}
		l := &lane{language: newLanguageLock(messages.LanguageConfig{}), silences: &silenceMarks{}}
		var got []float64
		for _, w := range transcript(l, u, r).Utterance.Words {
			got = append(got, w.Confidence)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("told %v: %v, want %v", c.told, got, c.want)
		}
	}
}

// Every word has a time of its own within the speech of its utterance, in the order of the words,
// wherever in the audio the recognizer has heard it.
func TestWordTimes(t *testing.T) {
	u := &utterance{from: 1000, onset: 5000, until: 25000, length: 28000, ended: true}
	for name, c := range map[string]struct{ heard, want []wordTime }{
		"within":       {[]wordTime{{5000, 9000}, {9000, 20000}}, []wordTime{{6000, 10000}, {10000, 21000}}},
		"reaching out": {[]wordTime{{0, 9000}, {9000, 28000}}, []wordTime{{5000, 10000}, {10000, 25000}}},
		"before": {[]wordTime{{0, 3000}, {3000, 9000}, {9000, 20000}},
			[]wordTime{{5000, 7500}, {7500, 10000}, {10000, 21000}}},
		"hardly within": {[]wordTime{{0, 4008}, {4008, 9000}, {9000, 20000}},
			[]wordTime{{5000, 7500}, {7500, 10000}, {10000, 21000}}},
		"behind": {[]wordTime{{5000, 9000}, {9000, 25000}, {25000, 27000}}, []wordTime{{6000, 10000},
			{10000, 17500}, {17500, 25000}}},
		"one before and after": {[]wordTime{{0, 3000}, {5000, 9000}, {25000, 27000}}, []wordTime{{5000, 11666},
			{11666, 18333}, {18333, 25000}}},
		"none within": {[]wordTime{{0, 3000}, {25000, 27000}}, []wordTime{{5000, 15000}, {15000, 25000}}},
		"no time": {[]wordTime{{5000, 9000}, {9000, 9000}, {9000, 20000}}, []wordTime{{6000, 10000},
			{10000, 10160}, {10160, 21000}}},
		"over each other": {[]wordTime{{5000, 12000}, {9000, 20000}}, []wordTime{{6000, 10000}, {10000, 21000}}},
		"none at the end": {[]wordTime{{5000, 24000}, {24000, 24000}}, []wordTime{{6000, 15500}, {15500, 25000}}},
		"all before":      {[]wordTime{{0, 1000}, {1000, 3000}}, []wordTime{{5000, 15000}, {15000, 25000}}},
	} {
		r := asr.Result{Timed: true}
		for _, w := range c.heard {
			r.Words = append(r.Words, asr.Word{Text: "word", Start: int(w.start), End: int(w.end)})
		}
		if got := wordTimes(u, r); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}
