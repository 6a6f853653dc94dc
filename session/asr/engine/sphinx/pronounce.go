package sphinx

import (
	"fmt"
	"os"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// dictionary knows how words sound: by the engine's own dictionary, and by rules where that does not have them.
// It is not changed once made, and may be used from any goroutine.
type dictionary struct {
	entries map[string]string // first pronunciation of a lower-case word, phones with blanks between
	phones  map[string]bool   // of all entries
	letters *letters
}

func readDictionary(file string) (*dictionary, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("dictionary: %w", err)
	}
	d := &dictionary{
		entries: map[string]string{}, phones: map[string]bool{}, letters: newLetters(),
	}
	for line := range strings.Lines(string(b)) {
		word, phones, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || strings.HasSuffix(word, ")") {
			continue
		}
		d.entries[word] = strings.TrimSpace(phones)
		for p := range strings.FieldsSeq(phones) {
			d.phones[p] = true
		}
	}
	return d, nil
}

// say returns how a word or a respelling sounds, empty where that cannot be told or the model lacks a phone of it.
func (d *dictionary) say(text string) string {
	var out []string
	for _, piece := range fragments(text) {
		out = append(out, strings.Fields(d.piece(piece))...)
	}
	for _, p := range out {
		if !d.phones[p] {
			return ""
		}
	}
	return strings.Join(out, " ")
}

// piece says letters of one case, capitals where it may be an abbreviation, or one digit.
func (d *dictionary) piece(text string) string {
	if c := text[0]; c >= '0' && c <= '9' {
		return d.entries[digitNames[c-'0']]
	}
	word := strings.ToLower(text)
	if phones, ok := d.entries[word]; ok {
		return phones
	}
	if text != word && text == strings.ToUpper(text) && (len(word) < 4 || !strings.ContainsAny(word, "aeiouy")) {
		return spelled(word)
	}
	for i := 4; i+4 <= len(word); i++ { // a compound
		if d.entries[word[:i]] != "" && d.entries[word[i:]] != "" {
			return d.entries[word[:i]] + " " + d.entries[word[i:]]
		}
	}
	return d.letters.phones(word)
}

// fragments cuts a text at whatever is no letter of a to z (apostrophes and accents vanish), at each digit, and before a
// capital that follows a small letter.
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
