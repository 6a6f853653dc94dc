// Package spelling replaces spellings by those that a customer wants.
//
// A dictionary maps a target to the spellings it replaces. Text is read from its start; at each
// word the longest spelling that begins there is replaced, and reading continues after it: a
// replacement is never replaced again, and spellings never overlap. Words are those of Unicode (UAX
// 29): "sequel" is not found in "sequels", but is in "sequel,", "sequel's" and "sequel-like", and
// with what other languages join to a word: "l'iphone", "istanbul'da", "삼성에서". Case
// does not matter, by the rules of the text's language, nor which apostrophe is written, nor how a
// letter is composed with its accent, nor whether space or a hyphen is between two words. Where a
// text has a target already, nothing inside it is replaced: with "SQL Server" for "server", "SQL
// server" stays.
//
// A target is written as it is in the dictionary, also in place of a word in capitals. A target in
// lower case gets a capital only where it replaces a word with a capital at the beginning of a
// sentence ("iPhone" and "macOS" stay as they are).
package spelling

import (
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"steno/messages"
)

// Limits of a dictionary; entries beyond them are ignored. The first two are those of the request.
const (
	maxTargets = 1000
	maxSources = 100 // of one target
	maxBytes   = 500 // of a target or a source
	maxTokens  = 31  // of a source: about 16 words and what is between them
)

// Speller replaces spellings. It never changes after New and may be used from any goroutine.
type Speller struct {
	trees func(language string) tree
}

// The languages whose letters have a case of their own.
const (
	turkic = "tr"
	greek  = "el"
)

// New returns a speller for a dictionary. It never fails: entries beyond the limits are ignored,
// and so are a target of white space and a source without a letter or digit. Of two targets for the
// same source the first in the order of bytes is taken.
func New(c messages.CustomSpellingConfig) *Speller {
	usual := treeOf(c, "")
	others := map[string]func() tree{}
	for _, language := range []string{turkic, greek} {
		others[language] = sync.OnceValue(func() tree { return treeOf(c, language) })
	}
	return &Speller{func(language string) tree {
		base, _, _ := strings.Cut(language, "-")
		if base == "az" {
			base = turkic
		}
		if other := others[base]; other != nil {
			return other()
		}
		return usual
	}}
}

// treeOf returns the tree of a dictionary for texts in a language.
func treeOf(c messages.CustomSpellingConfig, language string) tree {
	t := newTree(language)
	for target, sources := range sorted(c.SpellingDictionary) {
		for _, source := range sources[:min(len(sources), maxSources)] {
			t.add(source, target)
		}
	}
	for target := range sorted(c.SpellingDictionary) {
		t.keep(target)
	}
	return t
}

// sorted yields the usable entries of a dictionary, targets trimmed.
func sorted(dictionary map[string][]string) iter.Seq2[string, []string] {
	targets := slices.Sorted(maps.Keys(dictionary))
	return func(yield func(string, []string) bool) {
		for _, target := range targets[:min(len(targets), maxTargets)] {
			trimmed := strings.Join(strings.Fields(target), " ")
			if trimmed == "" || len(trimmed) > maxBytes || !utf8.ValidString(trimmed) {
				continue
			}
			if !yield(trimmed, dictionary[target]) {
				return
			}
		}
	}
}

// Text returns a text in a language with the wanted spellings.
func (s *Speller) Text(text, language string) string {
	var out strings.Builder
	done := 0
	for _, e := range s.trees(language).edits(text, language) {
		out.WriteString(text[done:e.from])
		out.WriteString(e.text)
		done = e.to
	}
	if done == 0 {
		return text
	}
	out.WriteString(text[done:])
	return out.String()
}
