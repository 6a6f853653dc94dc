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
	samples := librivox(t, "0930")
	samples = samples[len(samples)-3*asr.Rate:] // "... amiable himself"
	first := []asr.Term{
		{Text: "GrandLy Ammyabel", Intensity: .5, Pronunciations: []string{"grandly amiable"}},
		{Text: "Kubernetes", Intensity: .5},
	}
	second := append(terms(unspoken, .5), asr.Term{Text: "Aimable", Intensity: .5, Pronunciations: []string{"amiable",
		"aim able"}})
	backwards := slices.Clone(second)
	slices.Reverse(backwards)
	dict := thinned(t, "he might even have been made amiable himself grandly aim able so")
	one := start(t, Config{Slots: 1, Decoders: 1, Vocabularies: 1, Dict: dict})
	two := start(t, Config{Slots: 2, Decoders: 2, FinalDecoders: 1, Dict: dict})
	want := map[string]asr.Result{}
	for i, x := range []struct {
		name  string
		r     *Recognizer
		terms []asr.Term
	}{
		{"first", one, first}, {"second", one, second}, {"first", one, first},
		{"plain", one, []asr.Term{{Text: "Zorblax"}, {Text: "so amiable", Intensity: 1}}},
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
	for name, word := range map[string]string{"plain": "amiable", "first": "Ammyabel", "second": "Aimable"} {
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
