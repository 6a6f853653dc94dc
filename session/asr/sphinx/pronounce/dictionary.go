// Package pronounce finds the pronunciations of English words: from a dictionary in PocketSphinx's
// format, and for other words from a model trained on it.
package pronounce

import (
	"bytes"
	"fmt"
	"iter"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unsafe"

	"golang.org/x/text/unicode/norm"

	"steno/session/asr/sphinx/g2p"
)

// Dictionary holds the file and an index of it. Any goroutine may use it.
type Dictionary struct {
	text   string            // the file
	lines  map[string]int32  // by word, where its first line begins
	phones map[string]bool   // of all entries
	others func() *g2p.Model // of words without an entry, trained at the first call
}

// Read reads a file. Each line is a word in lower case and its phones; further pronunciations of a
// word follow it, as "word(2)".
func Read(file string) (*Dictionary, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("dictionary: %w", err)
	}
	return Parse(b), nil
}

// Parse makes a dictionary of the text of such a file, and takes over the file's bytes.
func Parse(b []byte) *Dictionary {
	d := &Dictionary{
		text:   unsafe.String(unsafe.SliceData(b), len(b)),
		lines:  make(map[string]int32, bytes.Count(b, []byte("\n"))),
		phones: map[string]bool{},
	}
	at := 0
	for line := range strings.Lines(d.text) {
		if word, phones := cut(line); phones != "" && !strings.HasSuffix(word, ")") {
			d.lines[word] = int32(at)
			for p := range strings.FieldsSeq(phones) {
				d.phones[p] = true
			}
		}
		at += len(line)
	}
	d.others = sync.OnceValue(func() *g2p.Model { return g2p.Learn(d.firsts()) })
	return d
}

// cut splits a line into the word and its phones, which are empty if it has none.
func cut(line string) (word, phones string) {
	line = strings.TrimSpace(line)
	at := strings.IndexAny(line, " \t")
	if at < 0 {
		return line, ""
	}
	return line[:at], strings.TrimSpace(line[at:])
}

// firsts returns the first pronunciations of all words.
func (d *Dictionary) firsts() map[string]string {
	out := make(map[string]string, len(d.lines))
	for word := range d.lines {
		out[word] = d.First(word)
	}
	return out
}

// Words iterates over the words, in no particular order.
func (d *Dictionary) Words() iter.Seq[string] {
	return func(yield func(string) bool) {
		for word := range d.lines {
			if !yield(word) {
				return
			}
		}
	}
}

// Has reports whether a word in lower case has an entry.
func (d *Dictionary) Has(word string) bool {
	_, ok := d.lines[word]
	return ok
}

// First returns the first pronunciation of a word in lower case, phones with blanks between; "" if
// it has no entry.
func (d *Dictionary) First(word string) string {
	at, ok := d.lines[word]
	if !ok {
		return ""
	}
	line, _, _ := strings.Cut(d.text[at:], "\n")
	_, phones := cut(line)
	return strings.Join(strings.Fields(phones), " ")
}

// All returns all pronunciations that the file has of a word in lower case.
func (d *Dictionary) All(word string) []string {
	at, ok := d.lines[word]
	if !ok {
		return nil
	}
	var out []string
	for line := range strings.Lines(d.text[at:]) {
		name, phones := cut(line)
		if len(out) > 0 && !variant(name, word) {
			break
		}
		out = append(out, strings.Join(strings.Fields(phones), " "))
	}
	return out
}

// variant reports whether a name is that of a further pronunciation of a word.
func variant(name, word string) bool {
	rest, ok := strings.CutPrefix(name, word)
	return ok && strings.HasPrefix(rest, "(")
}

// Pronounce returns pronunciations of a word or a phrase that need not be in the dictionary: the
// likeliest first, then those with another pronunciation of one piece. There are none if it cannot
// be pronounced, or if the model lacks one of its phones.
func (d *Dictionary) Pronounce(text string) []string {
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
func (d *Dictionary) can(phones string) bool {
	lacking := func(p string) bool { return !d.phones[p] }
	return !slices.ContainsFunc(strings.Fields(phones), lacking)
}

// piece returns the pronunciations of letters of one case, capitals if it may be an abbreviation,
// or of one digit.
func (d *Dictionary) piece(text string) []string {
	if c := text[0]; c >= '0' && c <= '9' {
		return d.entry(digitNames[c-'0'])
	}
	word := strings.ToLower(text)
	if d.Has(word) {
		return d.entry(word)
	}
	if text != word && text == strings.ToUpper(text) && (len(word) < 4 || !strings.ContainsAny(word, "aeiouy")) {
		return []string{spelled(word)}
	}
	return d.guesses(word)
}

func (d *Dictionary) entry(word string) []string {
	if phones := d.First(word); phones != "" {
		return []string{phones}
	}
	return nil
}

// Bounds of the guesses at a word that the dictionary does not have: their number, and how much
// less probable than the best they may be.
const (
	maxGuesses = 2
	muchLess   = 10
)

func (d *Dictionary) guesses(word string) []string {
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
	letterNames = strings.Split("EY,B IY,S IY,D IY,IY,EH F,JH IY,EY CH,AY,JH EY,K EY,EH L,EH M,EH N,OW,P IY,K Y "+
		"UW,AA R,EH S,"+
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

// fragments splits a text at everything but the letters a to z (apostrophes and accents are
// dropped), at each digit, and before a capital that follows a small letter.
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
