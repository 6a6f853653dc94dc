package sphinx

import (
	"slices"
	"strings"

	"steno/session/asr/sphinx/pronounce"
)

// dictionary returns the pronunciations of words, and knows the words of the language model. Any
// goroutine may use it once its models are loaded.
type dictionary struct {
	*pronounce.Dictionary
	languageModelWords map[string]bool // no search finds an entry that is not among them
}

// sounds returns the pronunciations of a word: of its respellings, or else of its letters. There
// are none if it cannot be pronounced, or the model lacks one of its phones.
func (d *dictionary) sounds(w addedWord) []string {
	var out []string
	for _, text := range w.respellings {
		out = append(out, d.Pronounce(text)...)
	}
	if len(out) == 0 {
		out = d.Pronounce(w.text)
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return out[:min(len(out), maxSounds)]
}

// known reports whether decoders without a vocabulary can recognize a word.
func (d *dictionary) known(text string) bool {
	word := strings.ToLower(text)
	return d.Has(word) && d.languageModelWords[word]
}
