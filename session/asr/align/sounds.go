package align

import (
	"strings"
	"sync"
)

// maxLetters is the length of the longest letters that are pronounced.
const maxLetters = 32

// maxSounds is how many pronunciations of a word an aligner knows.
const maxSounds = 8

// clitics are the pronunciations of what follows an apostrophe.
var clitics = []struct{ letters, phones string }{
	{"'ve", "V"}, {"'ll", "AH L"}, {"'d", "D"}, {"'re", "ER"}, {"n't", "AH N T"}, {"'m", "M"},
}

// sounds returns the pronunciations of a word of letters in lower case: those of the dictionary, of its stem in the dictionary, or
// what its spelling suggests.
func (s speaker) sounds(word string) []string {
	out := s.dict.All(word)
	if len(out) == 0 {
		out = s.inflected(word)
	}
	if len(out) == 0 {
		out = s.guesses.of(word, s.dict.Say)
	}
	return out[:min(len(out), maxSounds)]
}

// inflected returns the pronunciations of a word with a clitic.
func (s speaker) inflected(word string) []string {
	for _, c := range clitics {
		if stem, ok := strings.CutSuffix(word, c.letters); ok {
			return followed(s.dict.All(stem), func(string) string { return c.phones })
		}
	}
	if stem, ok := strings.CutSuffix(word, "'s"); ok {
		return followed(s.dict.All(stem), sibilant)
	}
	if stem, ok := strings.CutSuffix(word, "in'"); ok {
		return followed(s.dict.All(stem+"ing"), func(string) string { return "" })
	}
	return nil
}

// followed returns pronunciations followed by phones.
func followed(sounds []string, by func(before string) string) []string {
	out := make([]string, len(sounds))
	for i, p := range sounds {
		out[i] = strings.TrimSpace(p + " " + by(p[strings.LastIndexByte(p, ' ')+1:]))
	}
	return out
}

// sibilant returns the phones of an "s" that follows a phone.
func sibilant(phone string) string {
	switch phone {
	case "S", "Z", "SH", "ZH", "CH", "JH":
		return "AH Z"
	case "P", "T", "K", "F", "TH":
		return "S"
	default:
		return "Z"
	}
}

// maxGuesses is how many words are remembered.
const maxGuesses = 5000

// guesses remembers what spellings suggest, which takes a millisecond to find out.
type guesses struct {
	mu   sync.Mutex
	said map[string][]string
}

func (g *guesses) of(word string, say func(string) []string) []string {
	g.mu.Lock()
	out, ok := g.said[word]
	g.mu.Unlock()
	if ok {
		return out
	}
	out = say(word)
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.said == nil || len(g.said) >= maxGuesses {
		g.said = map[string][]string{}
	}
	g.said[word] = out
	return out
}
