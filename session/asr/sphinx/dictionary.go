package sphinx

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"steno/session/asr/sphinx/g2p"
)

// dictionary gives the pronunciations of words: from the engine's own dictionary, or from a model trained on it. Any
// goroutine may use it once its models are loaded.
type dictionary struct {
	entries            map[string]string // first pronunciation of a lower-case word, phones with blanks between
	phones             map[string]bool   // of all entries
	languageModelWords map[string]bool   // words of the language model; no search finds an entry that is not among them
	others             func() *g2p.Model // of words without an entry, trained at the first call
}

func readDictionary(file string) (*dictionary, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("dictionary: %w", err)
	}
	d := &dictionary{entries: map[string]string{}, phones: map[string]bool{}}
	for line := range strings.Lines(string(b)) {
		words := strings.Fields(line) // between tabs, too
		if len(words) < 2 || strings.HasSuffix(words[0], ")") {
			continue
		}
		phones := words[1:]
		d.entries[words[0]] = strings.Join(phones, " ")
		for _, p := range phones {
			d.phones[p] = true
		}
	}
	d.others = sync.OnceValue(func() *g2p.Model { return g2p.Learn(d.entries) })
	return d, nil
}

// sounds returns the pronunciations of a word: of its respellings, or else of its letters. There are none if it cannot
// be pronounced, or the model lacks one of its phones.
func (d *dictionary) sounds(w addedWord) []string {
	var out []string
	for _, text := range w.respellings {
		out = append(out, d.say(text)...)
	}
	if len(out) == 0 {
		out = d.say(w.text)
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return out[:min(len(out), maxSounds)]
}

// say returns pronunciations of a word or a respelling: the likeliest first, then those with another pronunciation of
// one piece.
func (d *dictionary) say(text string) []string {
	var pieces [][]string
	for _, piece := range fragments(text) {
		ways := d.piece(piece)
		if len(ways) == 0 {
			return nil
		}
		pieces = append(pieces, ways)
	}
	var out []string
	for i, ways := range pieces {
		for j := range ways {
			if phones := joined(pieces, i, j); (i == 0 || j > 0) && d.can(phones) {
				out = append(out, phones)
			}
		}
	}
	return out
}

// joined combines the first pronunciation of each piece, but pronunciation j of piece i.
func joined(pieces [][]string, i, j int) string {
	out := make([]string, len(pieces))
	for k, ways := range pieces {
		out[k] = ways[0]
	}
	out[i] = pieces[i][j]
	return strings.Join(out, " ")
}

// can reports whether the model has all of the phones.
func (d *dictionary) can(phones string) bool {
	lacking := func(p string) bool { return !d.phones[p] }
	return !slices.ContainsFunc(strings.Fields(phones), lacking)
}

// piece returns the pronunciations of letters of one case, capitals if it may be an abbreviation, or of one digit.
func (d *dictionary) piece(text string) []string {
	if c := text[0]; c >= '0' && c <= '9' {
		return d.entry(digitNames[c-'0'])
	}
	word := strings.ToLower(text)
	if d.entries[word] != "" {
		return d.entry(word)
	}
	if text != word && text == strings.ToUpper(text) && (len(word) < 4 || !strings.ContainsAny(word, "aeiouy")) {
		return []string{spelled(word)}
	}
	return d.guesses(word)
}

func (d *dictionary) entry(word string) []string {
	if phones := d.entries[word]; phones != "" {
		return []string{phones}
	}
	return nil
}

// Bounds of the guesses at a word that the dictionary does not have: their number, and how much less probable than the
// best they may be.
const (
	maxGuesses = 2
	muchLess   = 10
)

func (d *dictionary) guesses(word string) []string {
	var out []string
	ways := d.others().Pronounce(word, maxGuesses)
	for _, p := range ways {
		if p.Score > ways[0].Score-math.Log(muchLess) {
			out = append(out, p.Phones)
		}
	}
	return out
}

// letterNames are the phones of the names of a to z; digitNames are the words for 0 to 9.
var (
	letterNames = strings.Split("EY,B IY,S IY,D IY,IY,EH F,JH IY,EY CH,AY,JH EY,K EY,EH L,EH M,EH N,OW,P IY,K Y UW,AA R,EH S,"+
		"T IY,Y UW,V IY,D AH B AH L Y UW,EH K S,W AY,Z IY", ",")
	digitNames = strings.Fields("zero one two three four five six seven eight nine")
)

// spelled returns the phones of the names of the letters, for words that are spelled out.
func spelled(word string) string {
	var out []string
	for _, c := range []byte(word) {
		out = append(out, letterNames[c-'a'])
	}
	return strings.Join(out, " ")
}

// known reports whether decoders without a vocabulary can recognize a word.
func (d *dictionary) known(text string) bool {
	word := strings.ToLower(text)
	return d.entries[word] != "" && d.languageModelWords[word]
}

// fragments splits a text at everything but the letters a to z (apostrophes and accents are dropped), at each digit,
// and before a capital that follows a small letter.
func fragments(text string) []string {
	var out []string
	var now []rune
	cut := func() {
		if len(now) > 0 {
			out = append(out, string(now))
		}
		now = now[:0]
	}
	for _, c := range norm.NFD.String(text) {
		switch {
		case c == '\'' || c == '’' || unicode.Is(unicode.Mn, c):
			continue
		case c >= '0' && c <= '9':
			cut()
			now = append(now, c)
			cut()
			continue
		case c > unicode.MaxASCII || !unicode.IsLetter(c):
			cut()
			continue
		case unicode.IsUpper(c) && len(now) > 0 && unicode.IsLower(now[len(now)-1]):
			cut()
		}
		now = append(now, c)
	}
	cut()
	return out
}
