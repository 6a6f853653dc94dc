//go:build linux && amd64

package sphinx

import (
	"reflect"
	"slices"
	"testing"

	"steno/session/asr"
)

// Words of a vocabulary are recognized as they are written, and leave no trace in finals without
// it, nor in those of another: the decoder is the same whichever came first, however the words were
// listed, and after it was freed and loaded again.
func TestVocabularyLeavesNoTrace(t *testing.T) {
	samples := librivox(t, "0870")[:2*asr.Rate] // "and mister John Dashwood ..."
	first := []asr.Term{
		{Text: "Jonny DashWould", Intensity: .5, Pronunciations: []string{"john dashWould"}},
		{Text: "Kubernetes", Intensity: .5},
	}
	second := append(terms(unspoken, .5), asr.Term{Text: "Dashwud", Intensity: .5,
		Pronunciations: []string{"dash would", "dash wood"}})
	backwards := slices.Clone(second)
	slices.Reverse(backwards)
	one := start(t, thinned(t, Config{Slots: 1, Decoders: 1, Vocabularies: 1}))
	two := start(t, thinned(t, Config{Slots: 2, Decoders: 1}))
	want := map[string]asr.Result{}
	for i, x := range []struct {
		name  string
		r     *Recognizer
		terms []asr.Term
	}{
		{"first", one, first}, {"second", one, second}, {"first", one, first},
		{"plain", one, []asr.Term{{Text: "Zorblax"}, {Text: "so respectable", Intensity: 1}}},
		{"second", two, backwards}, {"plain", two, nil}, {"second", two, second},
	} {
		got, _ := recognize(t, x.r, asr.Params{Vocabulary: x.terms}, samples)
		if _, known := want[x.name]; !known {
			want[x.name] = got
		}
		if !reflect.DeepEqual(got, want[x.name]) {
			t.Errorf("step %d, %s:\n got %v\nwant %v", i, x.name, got.Words, want[x.name].Words)
		}
	}
	for name, word := range map[string]string{"plain": "dash", "first": "DashWould", "second": "Dashwud"} {
		if !slices.ContainsFunc(want[name].Words, func(w asr.Word) bool { return w.Text == word }) {
			t.Errorf("%s: %q has no %s", name, text(want[name]), word)
		}
	}
	if n := one.Stats().Vocabularies.Count; n != 3 {
		t.Errorf("one decoder for vocabularies: %d loads, want 3", n)
	}
	if n := two.Stats().Vocabularies.Count; n != 1 {
		t.Errorf("several decoders for vocabularies: %d loads of one vocabulary", n)
	}
}
