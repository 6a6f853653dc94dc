package sphinx

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"steno/session/asr"
	"steno/session/asr/sphinx/pronounce"
)

func smallDictionary() *dictionary {
	text := "day D EY\ncooper\tK UW P ER\nnetties  N EH T IY Z\nhub HH AH B\nhub(2) HH UW B\ncat K AE T\ngood G UH D\nfour F AO R\n"
	d := &dictionary{pronounce.Parse([]byte(text)), map[string]bool{}}
	for word := range d.Words() {
		d.languageModelWords[word] = word != "hub"
	}
	return d
}

// A word sounds as each of its respellings.
func TestSounds(t *testing.T) {
	d := smallDictionary()
	for _, c := range []struct {
		word addedWord
		want []string
	}{
		{addedWord{text: "Hubcat", respellings: []string{"hub cat", "hub", "東京"}},
			[]string{"HH AH B", "HH AH B K AE T"}},
		{addedWord{text: "dayCat"}, []string{"D EY K AE T"}},
		{addedWord{text: "東京"}, nil},
	} {
		if got := d.sounds(c.word); !slices.Equal(got, c.want) {
			t.Errorf("%+v sounds %q, want %q", c.word, got, c.want)
		}
	}
}

func TestLexicon(t *testing.T) {
	d := smallDictionary()
	terms := []asr.Term{
		{Text: "Kubernetties cat", Intensity: .52, Pronunciations: []string{"cooper"}}, // of neither word
		{Text: "Hubcat", Intensity: .5, Pronunciations: []string{"hub cat", "hub"}},
		{Text: "Cooper", Intensity: 1}, {Text: "Hub", Intensity: .1, Pronunciations: []string{"hob",
			strings.Repeat("hub ", 17)}},
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
