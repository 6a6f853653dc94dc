package sphinx

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"steno/session/asr"
)

func smallDictionary(t testing.TB) *dictionary {
	t.Helper()
	file := filepath.Join(t.TempDir(), "dict")
	text := "day D EY\ncooper K UW P ER\nnetties N EH T IY Z\nhub HH AH B\nhub(2) HH UW B\ncat K AE T\ngood G UH D\nfour F AO R\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := readDictionary(file)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestPronunciations(t *testing.T) {
	d := smallDictionary(t)
	for text, want := range map[string]string{
		"cooper netties": "K UW P ER N EH T IY Z", "GoodHub": "G UH D HH AH B", "goodfour": "G UH D F AO R", "PTK-4": "P IY T IY K EY F AO R",
		"kätt": "K AE T", "teddy": "T EH D IY", "vv": "", "東京": "", "": "",
	} {
		if got := d.say(text); got != want {
			t.Errorf("%q sounds %q, want %q", text, got, want)
		}
	}
}

func TestLexicon(t *testing.T) {
	d := smallDictionary(t)
	terms := []asr.Term{
		{Text: "Kubernetties Cat", Intensity: .52, Pronunciations: []string{"cooper netties"}}, // of neither word
		{Text: "Hubcat", Intensity: .5, Pronunciations: []string{"hub cat", "hub"}},
		{Text: "cooper", Intensity: 1},
		{Text: "Naught", Intensity: .04}, {Text: "Nan", Intensity: math.NaN()},
	}
	l := d.lexicon(terms)
	if len(l.words) != 2 || l.words[0].text != "Hubcat" || l.words[1].text != "Kubernetties" ||
		!slices.Equal(l.words[0].sounds, []string{"HH AH B", "HH AH B K AE T"}) || l.words[1].tenths != 5 {
		t.Errorf("%+v", l.words)
	}
	slices.Reverse(terms)
	if other := d.lexicon(append(terms, terms[3])); other.key != l.key {
		t.Errorf("another order:\n%s\nwant\n%s", other.key, l.key)
	}
	terms[3].Intensity = .9
	if other := d.lexicon(terms); other.key == l.key {
		t.Error("another intensity has the same key")
	}
	if none := d.lexicon([]asr.Term{{Text: "Cat", Intensity: 1}}); none.key != "" {
		t.Errorf("a known word makes the key %q", none.key)
	}
}
