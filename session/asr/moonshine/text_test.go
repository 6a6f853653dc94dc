package moonshine

import (
	"encoding/base64"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"steno/session/asr"
)

func TestTokens(t *testing.T) {
	long := strings.Repeat("x", 200)
	binary := "\x00\x01a\x00" + strings.Repeat("\x00", 256) + "\x04▁b" + string([]byte{200&127 | 128, 200 >> 7}) + long
	got, err := parseTokenizer([]byte(binary))
	if err != nil || len(got) != 261 || string(got[259]) != " b" || string(got[260]) != long || got[1] != nil {
		t.Errorf("tokenizer.bin: %d tokens, %v", len(got), err)
	}
	var list strings.Builder
	for i := range 261 {
		fmt.Fprintf(&list, "%s %d\n", base64.StdEncoding.EncodeToString([]byte(fmt.Sprint("▁", i))), i)
	}
	if got, err := parseList(list.String()); err != nil || string(got[260]) != " 260" || got[2] != nil {
		t.Errorf("tokens.txt: %d tokens, %v", len(got), err)
	}
	for name, bad := range map[string]func() (tokens, error){
		"cut short":   func() (tokens, error) { return parseTokenizer([]byte{5, 'a'}) },
		"not base64":  func() (tokens, error) { return parseList("? 0\n") },
		"out of turn": func() (tokens, error) { return parseList("YQ== 1\n") },
	} {
		if _, err := bad(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func FuzzTokenizer(f *testing.F) {
	f.Add([]byte{1, 'a', 0, 129, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		all, err := parseTokenizer(b)
		if err == nil && len(all) > len(b) {
			t.Errorf("%d tokens of %d bytes", len(all), len(b))
		}
	})
}

func TestWords(t *testing.T) {
	half := math.Log(0.5)
	h := hypothesis{ids: append(spelled(" ab c."), 3+0xE4), logs: []float64{0, half, half, math.Log(0.01), 0}}
	want := []asr.Word{{Text: "ab", Confidence: 0.75}, {Text: "c.", Confidence: 0.5}}
	withBytes := append(tokens{}, alphabet...)
	withBytes[3+0xE4] = []byte{0xE4} // a text that was stopped within a character
	if got := withBytes.words(h); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := alphabet.words(hypothesis{}); got != nil {
		t.Errorf("words of nothing: %v", got)
	}
}

// Where a piece ends in speech no sentence ends, and none begins where the next one does.
func TestJoin(t *testing.T) {
	text := func(s string, open bool) outcome {
		var o outcome
		for _, w := range strings.Fields(s) {
			o.words = append(o.words, asr.Word{Text: w})
		}
		o.open = open
		return o
	}
	for _, tc := range []struct{ a, b, open, ended string }{
		{"He came to.", "The house.", "He came to the house.", "He came to. The house."},
		{"He and.", "I'm here.", "He and I'm here.", "He and. I'm here."},
		{"In the U.S.", "Army men.", "In the U.S. army men.", "In the U.S. Army men."},
		{"At the", "NATO base.", "At the NATO base.", "At the NATO base."},
		{"Really?", "Yes.", "Really? yes.", "Really? Yes."},
		{"", "Yes.", "Yes.", "Yes."},
		{"So.", "", "So.", "So."},
	} {
		if got := strings.TrimSpace(joined(text(tc.a, true).join(text(tc.b, false)).words)); got != tc.open {
			t.Errorf("%q, %q in speech: %q, want %q", tc.a, tc.b, got, tc.open)
		}
		if got := strings.TrimSpace(joined(text(tc.a, false).join(text(tc.b, false)).words)); got != tc.ended {
			t.Errorf("%q, %q after a pause: %q, want %q", tc.a, tc.b, got, tc.ended)
		}
	}
	dropped := outcome{dropped: DropNoise}
	if got := dropped.join(text("Yes.", false)); got.dropped != "" || len(got.words) != 1 {
		t.Errorf("noise before words: %+v", got)
	}
	if got := dropped.join(outcome{}); got.dropped != DropNoise {
		t.Errorf("noise before nothing: %+v", got)
	}
}

func TestStretch(t *testing.T) {
	tone := make([]float32, rate)
	for i := range tone {
		tone[i] = float32(math.Sin(2 * math.Pi * 440 * float64(i) / rate))
	}
	for _, speed := range []float64{14. / 15, 15. / 14} {
		got := stretch(tone, speed)
		if want := int(rate / speed); len(got) != want {
			t.Errorf("speed %.3f: %d samples, want %d", speed, len(got), want)
		}
		worst := 0.0
		for i := 100; i < len(got)-100; i++ {
			want := math.Sin(2 * math.Pi * 440 * speed * float64(i) / rate)
			worst = max(worst, math.Abs(want-float64(got[i])))
		}
		if worst > 0.01 {
			t.Errorf("speed %.3f: off by %.3f", speed, worst)
		}
	}
}

// Words that another text has too keep their confidence, whatever their case and punctuation.
func TestDistrust(t *testing.T) {
	for _, tc := range []struct{ words, other, less string }{
		{"I saw a cat.", "I saw the cat", "a"},
		{"I saw a cat.", "i SAW, a cat", ""},
		{"so it goes", "", "so it goes"},
		{"so it goes on", "it goes so on", "so"},
		{"", "so it goes", ""},
		{"one two two three", "two three", "one two"},
	} {
		var texts [2][]asr.Word
		for i, text := range []string{tc.words, tc.other} {
			for _, w := range strings.Fields(text) {
				texts[i] = append(texts[i], asr.Word{Text: w, Confidence: 0.9})
			}
		}
		distrust(texts[0], texts[1], 0.5)
		var less []string
		for _, w := range texts[0] {
			if w.Confidence == 0.45 {
				less = append(less, w.Text)
			} else if w.Confidence != 0.9 {
				t.Errorf("%q has %v", w.Text, w.Confidence)
			}
		}
		if got := strings.Join(less, " "); got != tc.less {
			t.Errorf("%q beside %q: less trust in %q, want %q", tc.words, tc.other, got, tc.less)
		}
	}
}
