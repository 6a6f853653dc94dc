package vocabulary

import (
	_ "embed"
	"strings"
)

// ordinaryWords are common English words, without their forms with one of the endings below.
//
//go:embed ordinary.txt
var ordinaryWords string

// ordinary is a set of common words.
type ordinary map[string]bool

func newOrdinary() ordinary {
	o := ordinary{}
	for _, w := range strings.Fields(ordinaryWords) {
		o[w] = true
	}
	return o
}

// endings are those with which a common word is still a common word.
var endings = strings.Fields("'s s' s es d ed ing ings ly r er ers est st ness ful less able ment ments y al ally " +
	"ies ied ier iest ily")

// has reports whether a word in lower case is common, with or without an ending.
func (o ordinary) has(word string) bool {
	if o[word] {
		return true
	}
	for _, ending := range endings {
		stem, found := strings.CutSuffix(word, ending)
		if n := len(stem); found && n > 1 && (o[stem] || o[stem+"e"] ||
			ending[0] == 'i' && o[stem+"y"] || n > 2 && stem[n-1] == stem[n-2] && o[stem[:n-1]]) {
			return true
		}
	}
	return false
}
