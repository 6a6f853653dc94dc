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
	languageName
	origin
	languageOrOrigin
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
	"city_unsure": cityUnsure, "state": state, "country": country, "country_unsure": countryUnsure,
	"language": languageName,
	"origin":   origin, "language_origin": languageOrOrigin, "religion": religion, "politics": politics,
	"occupation": occupation, "occupation_unsure": occupationUnsure, "drug": drug, "condition": condition,
	"procedure": procedure, "body": body, "company": company, "common": common, "gender": gender,
	"sexuality": sexuality, "marital": marital, "zodiac": zodiac, "street": street,
}

//go:embed wordlists/*.txt
var lists embed.FS

// wordLists holds phrases by their tokens, joined with single spaces.
type wordLists struct {
	classes map[string]class
	cues    map[string]cue
	// longest is the number of tokens of the longest phrase that begins with a token.
	longest map[string]int
}

var theWordLists = sync.OnceValue(func() *wordLists {
	l := &wordLists{classes: map[string]class{}, cues: map[string]cue{}, longest: map[string]int{}}
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

// read returns a list without its comments. All names are in the embedded directory.
func read(name string) string {
	b, err := lists.ReadFile("wordlists/" + name + ".txt")
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

// key returns a phrase in the form in which it is looked up, and records its length.
func (l *wordLists) key(phrase string) string {
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

// Ordinary reports whether a word is a common one and no name of anything.
func Ordinary(word string) bool {
	const names = given | givenUnsure | family | familyUnsure | city | cityUnsure | state | country | countryUnsure |
		company
	classes := theWordLists().classes[lower(word)]
	return classes&common != 0 && classes&names == 0 || oneOf(lower(word), functional)
}

// Common reports whether a word is a common one, which alone is hardly a name.
func Common(word string) bool {
	return theWordLists().classes[lower(word)]&(common|givenUnsure|familyUnsure|cityUnsure) != 0
}
