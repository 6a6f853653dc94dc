package openai

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestVocabulary(t *testing.T) {
	for prompt, want := range map[string][]string{
		"":                                      nil,
		"Zyntriqix, Digique Plus, CynapseFive":  {"Zyntriqix", "Digique Plus", "CynapseFive"},
		"Names: Ann; Bob":                       {"Ann", "Bob"},
		"Kubernetes":                            {"Kubernetes"},
		"a quiet talk about nothing in general": nil,
		"The transcript is about OpenAI which makes technology like DALL·E, GPT-3, and ChatGPT.": {"OpenAI", "DALL·E",
			"GPT-3", "ChatGPT"},
		"Yesterday we met Doctor Ellen Ripley. She was late. The Nostromo left.": {"Doctor Ellen Ripley", "Nostromo"},
		"Umm, let me think like, hmm...":                                         nil,
	} {
		var got []string
		if v := Vocabulary(prompt); v != nil {
			for _, e := range v.Vocabulary {
				got = append(got, e.Value)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", prompt, got, want)
		}
	}
}

// A vocabulary is bounded, whatever the prompt.
func FuzzVocabulary(f *testing.F) {
	f.Add("A, B, C\nWe met Ann. x", "key")
	f.Add(strings.Repeat("Aa1 b, ", 1000), strings.Repeat("x", 600))
	f.Fuzz(func(t *testing.T, prompt, keyword string) {
		v := Vocabulary(prompt, keyword)
		if v == nil {
			return
		}
		if n := len(v.Vocabulary); n == 0 || n > maxTerms {
			t.Errorf("%d terms", n)
		}
		for _, e := range v.Vocabulary {
			if n := utf8.RuneCountInString(e.Value); n == 0 || n > maxKeyword {
				t.Errorf("term %q", e.Value)
			}
		}
	})
}

func TestLanguages(t *testing.T) {
	list, err := Languages("language", "en-US", "GERMAN", " fr ", "de", "haitian creole", "")
	if want := []string{"en", "de", "fr", "ht"}; err != nil || !slices.Equal(list, want) {
		t.Errorf("%v %v", list, err)
	}
	for code, name := range names {
		if again, err := Languages("language", name); err != nil || again[0] != code {
			t.Errorf("%s is %v: %v", name, again, err)
		}
	}
}
