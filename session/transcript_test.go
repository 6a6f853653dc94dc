package session

import (
	"slices"
	"testing"

	"steno/session/asr"
)

// Every word has a time of its own within the speech of its utterance, in the order of the words, wherever in the audio the
// recognizer has heard it.
func TestWordTimes(t *testing.T) {
	u := &utterance{from: 1000, onset: 5000, until: 25000, length: 28000, ended: true}
	for name, c := range map[string]struct{ heard, want []wordTime }{
		"within":               {[]wordTime{{5000, 9000}, {9000, 20000}}, []wordTime{{6000, 10000}, {10000, 21000}}},
		"reaching out":         {[]wordTime{{0, 9000}, {9000, 28000}}, []wordTime{{5000, 10000}, {10000, 25000}}},
		"before":               {[]wordTime{{0, 3000}, {3000, 9000}, {9000, 20000}}, []wordTime{{5000, 7500}, {7500, 10000}, {10000, 21000}}},
		"hardly within":        {[]wordTime{{0, 4008}, {4008, 9000}, {9000, 20000}}, []wordTime{{5000, 7500}, {7500, 10000}, {10000, 21000}}},
		"behind":               {[]wordTime{{5000, 9000}, {9000, 25000}, {25000, 27000}}, []wordTime{{6000, 10000}, {10000, 17500}, {17500, 25000}}},
		"one before and after": {[]wordTime{{0, 3000}, {5000, 9000}, {25000, 27000}}, []wordTime{{5000, 11666}, {11666, 18333}, {18333, 25000}}},
		"none within":          {[]wordTime{{0, 3000}, {25000, 27000}}, []wordTime{{5000, 15000}, {15000, 25000}}},
		"all before":           {[]wordTime{{0, 1000}, {1000, 3000}}, []wordTime{{5000, 15000}, {15000, 25000}}},
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
