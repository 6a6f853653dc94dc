package entities

import (
	"embed"
	"strings"
	"sync"
)

// class is a set of word lists.
type class uint64

const (
	given class = 1 << iota
	givenUnsure
	family
	familyUnsure
	city
	cityUnsure
	state
	country
	countryUnsure
	tongue
	origin
	tongueOrigin
	religion
	politics
	occupation
	occupationUnsure
	drug
	condition
	procedure
	body
	company
	common
	gender
	sexuality
	marital
	zodiac
	street
)

// files names the class of each word list.
var files = map[string]class{
	"given": given, "given_unsure": givenUnsure, "family": family, "family_unsure": familyUnsure, "city": city,
	"city_unsure": cityUnsure, "state": state, "country": country, "country_unsure": countryUnsure, "language": tongue,
	"origin": origin, "language_origin": tongueOrigin, "religion": religion, "politics": politics,
	"occupation": occupation, "occupation_unsure": occupationUnsure, "drug": drug, "condition": condition,
	"procedure": procedure, "body": body, "company": company, "common": common, "gender": gender,
	"sexuality": sexuality, "marital": marital, "zodiac": zodiac, "street": street,
}

//go:embed lexicon/*.txt
var lists embed.FS

// lexicon holds phrases by their tokens, joined with single spaces.
type lexicon struct {
	classes map[string]class
	cues    map[string]cue
	// longest is how many tokens the longest phrase has that begins with a token.
	longest map[string]int
}

var theLexicon = sync.OnceValue(func() *lexicon {
	l := &lexicon{classes: map[string]class{}, cues: map[string]cue{}, longest: map[string]int{}}
	for name, c := range files {
		for line := range strings.Lines(read(name)) {
			for _, phrase := range strings.Split(line, ",") {
				if key := l.key(phrase); key != "" {
					l.classes[key] |= c
				}
			}
		}
	}
	l.readCues(read("cues"))
	return l
})

// read is a list without its comments. The names are all in the embedded directory.
func read(name string) string {
	b, err := lists.ReadFile("lexicon/" + name + ".txt")
	if err != nil {
		return ""
	}
	var kept strings.Builder
	for line := range strings.Lines(string(b)) {
		if !strings.HasPrefix(line, "#") {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// key is a phrase as it is looked up, and remembers its length.
func (l *lexicon) key(phrase string) string {
	words := strings.Fields(strings.ReplaceAll(phrase, "-", " "))
	for i, w := range words {
		words[i] = lower(w)
	}
	if len(words) == 0 {
		return ""
	}
	l.longest[words[0]] = max(l.longest[words[0]], len(words))
	return strings.Join(words, " ")
}

// phrase is where the longest phrase of the classes that begins at i ends; i where there is none.
func (t *text) phrase(i int, classes class) int {
	l := theLexicon()
	for n := l.longest[t.low(i)]; n > 0; n-- {
		if i+n <= len(t.tokens) && l.classes[t.join(i, i+n)]&classes != 0 && !t.closed(i, i+n) {
			return i + n
		}
	}
	return i
}

// is says whether the token at i alone stands in one of the classes.
func (t *text) is(i int, classes class) bool {
	return theLexicon().classes[t.low(i)]&classes != 0
}

// join is the tokens [from,to) in lower case.
func (t *text) join(from, to int) string {
	if to == from+1 {
		return t.tokens[from].low
	}
	words := make([]string, 0, to-from)
	for _, k := range t.tokens[from:to] {
		words = append(words, k.low)
	}
	return strings.Join(words, " ")
}

// one says whether a word is among those of a list with single spaces between.
func one(word, list string) bool {
	if word == "" {
		return false
	}
	for from := 0; ; {
		i := strings.Index(list[from:], word)
		if i < 0 {
			return false
		}
		i += from
		from = i + len(word)
		if (i == 0 || list[i-1] == ' ') && (from == len(list) || list[from] == ' ') {
			return true
		}
	}
}

// Common says whether a word is one of ordinary speech, so that it is hardly a name by itself.
func Common(word string) bool {
	return theLexicon().classes[lower(word)]&(common|givenUnsure|familyUnsure|cityUnsure) != 0
}
