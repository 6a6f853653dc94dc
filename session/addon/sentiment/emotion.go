package sentiment

import (
	_ "embed"
	"strings"
)

//go:embed lexicon/emotions.txt
var emotionText string

// side is the mood an emotion goes with.
type side int

const (
	either side = iota
	good
	bad
)

// sideOf maps the emotions that only go with a positive or a negative sentiment to it.
func sideOf(emotion string) side {
	switch emotion {
	case "adoration", "amusement", "awe", "contentment", "desire", "ecstatic", "elation", "positive_surprise",
		"relief", "triumph":
		return good
	case "anger", "contempt", "disappointment", "disgust", "distress", "embarrassment", "fear", "pain", "sadness",
		"negative_surprise":
		return bad
	}
	return either // confusion, interest, realization, sympathy
}

// emotions are the words that show an emotion.
type emotions struct {
	of      map[string][]string // by what is said, in the order of the list
	longest int                 // words
}

func newEmotions() emotions {
	e := emotions{of: map[string][]string{}}
	for line := range lines(emotionText) {
		name, list, _ := strings.Cut(line, ":")
		for said := range strings.SplitSeq(list, ",") {
			said = strings.TrimSpace(said)
			e.of[said] = append(e.of[said], name)
			e.longest = max(e.longest, 1+strings.Count(said, " "))
		}
	}
	return e
}

// find is the emotion most shown among those that go with the mood; among equals the longer phrase
// wins, then the first said.
func (e emotions) find(words []string, mood string) string {
	best, most, score := "neutral", 0, map[string]int{}
	for i := range words {
		for n := min(e.longest, len(words)-i); n > 0; n-- {
			for _, name := range e.of[strings.Join(words[i:i+n], " ")] {
				if !fits(sideOf(name), mood) {
					continue
				}
				if score[name] += 2 + n; score[name] > most {
					best, most = name, score[name]
				}
			}
		}
	}
	return best
}

func fits(s side, mood string) bool {
	switch s {
	case good:
		return mood == Positive || mood == Mixed
	case bad:
		return mood == Negative || mood == Mixed
	}
	return true
}
