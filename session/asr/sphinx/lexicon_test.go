package sphinx

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"steno/session/asr"
	"steno/session/asr/sphinx/g2p"
)

func smallDictionary(t testing.TB) *dictionary {
	t.Helper()
	file := filepath.Join(t.TempDir(), "dict")
	text := "day D EY\ncooper\tK UW P ER\nnetties  N EH T IY Z\nhub HH AH B\nhub(2) HH UW B\ncat K AE T\ngood G UH D\nfour F AO R\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := readDictionary(file)
	if err != nil {
		t.Fatal(err)
	}
	d.languageModelWords = map[string]bool{}
	for word := range d.entries {
		d.languageModelWords[word] = word != "hub"
	}
	return d
}

func TestPronunciations(t *testing.T) {
	d := smallDictionary(t)
	for text, want := range map[string]string{
		"cooper netties": "K UW P ER N EH T IY Z", "GoodHub": "G UH D HH AH B", "PTK-4": "P IY T IY K EY F AO R",
		"dät": "D AE T", "kätt": "", "vv": "", "東京": "", "": "",
	} {
		got := ""
		if ways := d.say(text); len(ways) > 0 {
			got = ways[0]
		}
		if got != want {
			t.Errorf("%q sounds %q, want %q", text, got, want)
		}
	}
}

// A word may sound as each of its respellings, or in several ways where there is none.
func TestSounds(t *testing.T) {
	d := smallDictionary(t)
	d.others = sync.OnceValue(func() *g2p.Model {
		return g2p.Learn(map[string]string{"bad": "B AE D", "bade": "B EY D", "dab": "D AE B", "baba": "B AE B EY"})
	})
	d.phones["AE"], d.phones["EY"] = true, true
	for _, c := range []struct {
		word addedWord
		want []string
	}{
		{addedWord{text: "Hubcat", respellings: []string{"hub cat", "hub", "東京"}}, []string{"HH AH B", "HH AH B K AE T"}},
		{addedWord{text: "daBad"}, []string{"D AE B AE D", "D EY B AE D"}},
		{addedWord{text: "東京"}, nil},
	} {
		if got := d.sounds(c.word); !slices.Equal(got, c.want) {
			t.Errorf("%+v sounds %q, want %q", c.word, got, c.want)
		}
	}
}

func TestLexicon(t *testing.T) {
	d := smallDictionary(t)
	terms := []asr.Term{
		{Text: "Kubernetties cat", Intensity: .52, Pronunciations: []string{"cooper"}}, // of neither word
		{Text: "Hubcat", Intensity: .5, Pronunciations: []string{"hub cat", "hub"}},
		{Text: "Cooper", Intensity: 1}, {Text: "Hub", Intensity: .1, Pronunciations: []string{"hob", strings.Repeat("hub ", 17)}},
		{Text: "Naught", Intensity: .04}, {Text: "Nan", Intensity: math.NaN()},
	}
	l := d.lexicon(terms)
	want := []addedWord{
		{text: "Cooper", tenths: 10},
		{text: "Hubcat", tenths: 5, respellings: []string{"hub", "hub cat"}}, {text: "Kubernetties", tenths: 5},
		{text: "Hub", tenths: 1, respellings: []string{"hob"}}, // in the dictionary, not in the language model
	}
	if !reflect.DeepEqual(l.words, want) {
		t.Errorf("%+v, want %+v", l.words, want)
	}
	slices.Reverse(terms)
	if other := d.lexicon(append(terms, terms[3])); other.key != l.key {
		t.Errorf("another order:\n%s\nwant\n%s", other.key, l.key)
	}
	terms[len(terms)-1].Intensity = .9
	if other := d.lexicon(terms); other.key == l.key {
		t.Error("another intensity has the same key")
	}
	if none := d.lexicon([]asr.Term{{Text: "cat day", Intensity: 1}}); none.key != "" {
		t.Errorf("known words together make the key %q", none.key)
	}
}
