package terms

import (
	"embed"
	"strings"

	snowball "github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/turkish"
	"golang.org/x/text/cases"
	tongue "golang.org/x/text/language"

	"steno/messages"
)

//go:embed stop
var stopFiles embed.FS

// languageRules are how words of one language are stemmed, and its stop words.
type languageRules struct {
	stem    func(*snowball.Env) bool // nil: words are compared as they are, but for case
	stop    map[string]bool
	stems   map[string]string // those found so far
	lower   cases.Caser
	code    string // of the language
	elision bool   // an apostrophe ends a small word before the one that counts, as in French
}

func newLanguageRules(language string) *languageRules {
	return &languageRules{stem: stemmer(language), stop: stopWords(language), stems: map[string]string{},
		lower: cases.Lower(tongue.Make(language)), code: language,
		elision: language == "fr" || language == "it" || language == "ca" || language == "oc"}
}

func stemmer(language string) func(*snowball.Env) bool {
	switch language {
	case "en":
		return english.Stem
	case "de":
		return german.Stem
	case "fr":
		return french.Stem
	case "es":
		return spanish.Stem
	case "it":
		return italian.Stem
	case "pt":
		return portuguese.Stem
	case "nl":
		return dutch.Stem
	case "sv":
		return swedish.Stem
	case "da":
		return danish.Stem
	case "no", "nn":
		return norwegian.Stem
	case "fi":
		return finnish.Stem
	case "hu":
		return hungarian.Stem
	case "ro":
		return romanian.Stem
	case "ru":
		return russian.Stem
	case "tr":
		return turkish.Stem
	}
	return nil
}

// stopWords are empty for a language without a list.
func stopWords(language string) map[string]bool {
	stop := map[string]bool{}
	list, err := stopFiles.ReadFile("stop/" + language + ".txt")
	if err != nil {
		return stop
	}
	for word := range strings.FieldsSeq(string(list)) {
		stop[word] = true
	}
	return stop
}

// stemOf is empty for a word without content. The word is in lower case.
func (t *languageRules) stemOf(word string) string {
	if s, ok := t.stems[word]; ok {
		return s
	}
	s := word
	switch {
	case t.stop[word] || !telling(word):
		s = ""
	case t.stem != nil:
		env := snowball.NewEnv(word)
		t.stem(env)
		s = env.Current()
	default:
		s = messages.Fold(word, t.code)
	}
	t.stems[word] = s
	return s
}
