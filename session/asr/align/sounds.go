package align

import (
	"hash/crc32"
	"strings"
	"sync"

	"steno/session/asr/sphinx/g2p"
	"steno/session/asr/sphinx/pronounce"
)

// maxLetters is the length of the longest letters that are pronounced.
const maxLetters = 32

// maxSounds is how many pronunciations of a word an aligner knows.
const maxSounds = 8

// clitics are the pronunciations of what follows an apostrophe.
var clitics = []struct{ letters, phones string }{
	{"'ve", "V"}, {"'ll", "AH L"}, {"'d", "D"}, {"'re", "ER"}, {"n't", "AH N T"}, {"'m", "M"},
}

// sounds returns the pronunciations of a word of letters in lower case: those of the dictionary, of
// its stem in the dictionary, or what its spelling suggests.
func (s speaker) sounds(word string) []string {
	out := s.dict.All(word)
	if len(out) == 0 {
		out = s.inflected(word)
	}
	if len(out) == 0 {
		out = s.guesses.of(word)
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

// Bounds of the guesses: words that are remembered, pronunciations of a word, and the share of the
// dictionary's words that they are learned from. A rough guess finds where a word lies as well as a
// good one.
const (
	maxRemembered = 5000
	maxGuesses    = 2
	learnedFrom   = 4 // one word in so many
)

// guesses are the pronunciations that the spelling of words suggests.
type guesses struct {
	model func() *g2p.Model // learned at the first call

	mu         sync.Mutex
	remembered map[string][]string // finding out takes a millisecond
}

func newGuesses(d *pronounce.Dictionary) *guesses {
	return &guesses{model: sync.OnceValue(func() *g2p.Model {
		some := map[string]string{}
		for word := range d.Words() {
			if crc32.ChecksumIEEE([]byte(word))%learnedFrom == 0 {
				some[word] = d.First(word)
			}
		}
		return g2p.Learn(some)
	})}
}

func (g *guesses) of(word string) []string {
	g.mu.Lock()
	out, ok := g.remembered[word]
	g.mu.Unlock()
	if ok {
		return out
	}
	for _, p := range g.model().Pronounce(strings.ReplaceAll(word, "'", ""), maxGuesses) {
		out = append(out, p.Phones)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.remembered == nil || len(g.remembered) >= maxRemembered {
		g.remembered = map[string][]string{}
	}
	g.remembered[word] = out
	return out
}
