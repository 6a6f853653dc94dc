// Package terms reduces text to the stems of its content words, in any language: by the language's
// stemmer and stop words where there are some (stop words: en de fr es it), else by the words
// themselves. Scripts that put no gaps between words are read as overlapping pairs of signs.
package terms

import (
	"cmp"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// mostBytes bounds a word: what follows is not read.
const mostBytes = 64

// Term is one word of a text.
type Term struct {
	// Word is in the lower case of its language, without punctuation; Said is as it was said. Both
	// are composed.
	Word, Said string
	// Stem is the same for all forms of a word; empty for a stop word, a number and a single
	// letter.
	Stem string
	// Ends is true if punctuation follows, so that no phrase extends beyond the word.
	Ends bool
	// Hyphen is true if a hyphen joins the word to the word before it.
	Hyphen bool
}

// Reader reads text. It remembers stems: one goroutine at a time uses it.
type Reader struct{ languages map[string]*languageRules }

// New is a reader that has read nothing yet.
func New() *Reader { return &Reader{languages: map[string]*languageRules{}} }

// marker is what redaction puts in the place of words, such as [EMAIL_ADDRESS_1].
var marker = regexp.MustCompile(`\[[A-Z][A-Z0-9_]*\]`)

// Of returns the words of a text in their order. An unknown language is treated as English. A
// marker of redaction is no word, and no phrase extends beyond it.
func (r *Reader) Of(text, language string) []Term {
	t := r.rules(language)
	var all []Term
	for field := range strings.FieldsSeq(marker.ReplaceAllLiteralString(norm.NFC.String(text), "[]")) {
		all = t.field(all, field)
	}
	return all
}

// Stems are the stems of the content words of a text, in their order.
func (r *Reader) Stems(text, language string) []string {
	var stems []string
	for _, t := range r.Of(text, language) {
		if t.Stem != "" {
			stems = append(stems, t.Stem)
		}
	}
	return stems
}

// Base is the language whose words are taken, without a region; one that is not known is taken for
// English.
func Base(language string) string {
	base, _, _ := strings.Cut(strings.ToLower(language), "-")
	return cmp.Or(base, "en")
}

func (r *Reader) rules(language string) *languageRules {
	base := Base(language)
	t := r.languages[base]
	if t == nil {
		t = newLanguageRules(base)
		r.languages[base] = t
	}
	return t
}

// field appends the words between two gaps.
func (t *languageRules) field(all []Term, field string) []Term {
	from, hyphen := -1, -1 // where a word begins, and where one begins after a hyphen
	add := func(word string) {
		n := len(all)
		if all = t.word(all, word); len(all) > n {
			all[n].Hyphen = n > 0 && from == hyphen
		}
		from = -1
	}
	for i, c := range field {
		switch {
		case part(c) && from < 0:
			from = i
		case !part(c) && from >= 0:
			add(field[from:i])
			if c == '-' {
				hyphen = i + 1
			}
		}
	}
	if from >= 0 {
		add(field[from:])
		return all
	}
	if last, _ := utf8.DecodeLastRuneInString(field); len(all) > 0 && last != '\'' && last != '’' {
		all[len(all)-1].Ends = true
	}
	return all
}

// part reports whether a sign is part of a word.
func part(c rune) bool {
	return unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsMark(c) || c == '\'' || c == '’'
}

// word appends a word as its stem, or as pairs of signs.
func (t *languageRules) word(all []Term, w string) []Term {
	if len(w) > mostBytes {
		w = strings.ToValidUTF8(w[:mostBytes], "")
	}
	said := strings.Trim(w, "'’")
	w = t.lower.String(said)
	if first, _ := utf8.DecodeRuneInString(w); gapless(first) {
		return t.pairs(all, w)
	}
	if w == "" {
		return all
	}
	return append(all, Term{Word: w, Said: said, Stem: t.stemOf(t.core(w))})
}

// core is a word without what an apostrophe parts from it. The letter before that of a name belongs
// to it.
func (t *languageRules) core(w string) string {
	w = strings.ReplaceAll(w, "’", "'")
	i := strings.IndexByte(w, '\'')
	if i < 0 {
		return w
	}
	if !t.elision && i == 1 && len(w) > i+3 {
		return w // O'Hara
	}
	if !t.elision {
		return w[:i]
	}
	return w[i+1:]
}

// pairs appends each sign with its next one.
func (t *languageRules) pairs(all []Term, w string) []Term {
	signs := []rune(w)
	if len(signs) == 1 {
		return append(all, Term{Word: w, Said: w})
	}
	for i := range len(signs) - 1 {
		pair := string(signs[i : i+2])
		all = append(all, Term{Word: pair, Said: pair, Stem: pair, Ends: true})
	}
	return all
}

// gapless reports whether a script is written without gaps between words.
func gapless(c rune) bool {
	return unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer,
		unicode.Myanmar, unicode.Tibetan)
}

// telling reports whether a word may have content: two letters at least.
func telling(w string) bool {
	letters := 0
	for _, c := range w {
		if unicode.IsLetter(c) {
			letters++
		}
	}
	return letters > 1
}

// Listed reports whether there is a list of stop words of a language. Where there is none, words
// that are everywhere count too.
func (r *Reader) Listed(language string) bool { return len(r.rules(language).stop) > 0 }
