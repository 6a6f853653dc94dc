package vocabulary

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"steno/messages"
)

// maxPhones bounds the sounds that are compared: about five seconds of speech.
const maxPhones = 60

// foldText returns a text folded for any language, without diacritics and with straight
// apostrophes.
func foldText(text string) string {
	var out strings.Builder
	for _, r := range norm.NFD.String(messages.FoldAny(text)) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case r == '’':
			out.WriteByte('\'')
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

// spelled returns the letters and digits of a text, folded, and the signs that make another name of
// them.
func spelled(text string) string {
	return strings.Map(func(r rune) rune {
		if inName(r) {
			return r
		}
		return -1
	}, foldText(text))
}

// inName reports whether a letter, digit or sign belongs to a name, as in "C++" and "C#", which are
// not "C".
func inName(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || r == '+' || r == '#' }

// sayOptions selects one of several ways to pronounce a text.
type sayOptions struct {
	capitals bool // "AWS" is said letter by letter
	singly   bool // "11" is said one, one
}

// voice converts text to phones. It never changes.
type voice struct {
	english *reader // nil: another language, whose letters are taken for phones
}

// pronounce returns the phones of a text; nil if there are none, or more than maxPhones.
func (v voice) pronounce(text string, h sayOptions) []rune {
	var out strings.Builder
	for _, part := range parts(text) {
		if out.Len() > 4*maxPhones {
			return nil
		}
		if v.english == nil {
			out.WriteString(written(part))
		} else {
			out.WriteString(v.part(part, h))
		}
	}
	phones := []rune(out.String())
	phones = slices.Compact(phones)
	if len(phones) > maxPhones {
		return nil
	}
	return phones
}

// ways returns the different ways an entry may sound.
func (v voice) ways(text string) []way {
	var out []way
	options := []sayOptions{{capitals: true}, {}, {capitals: true, singly: true}, {singly: true}}
	if strings.IndexFunc(text, func(r rune) bool { return unicode.IsUpper(r) || unicode.IsDigit(r) }) < 0 {
		options = options[1:2] // there is only one way to pronounce it
	}
	for _, h := range options {
		phones := v.pronounce(text, h)
		same := func(o way) bool { return slices.Equal(o.phones, phones) }
		if len(phones) > 0 && !slices.ContainsFunc(out, same) {
			out = append(out, way{phones: phones, words: v.entryWords(text, h)})
		}
	}
	return out
}

// parts divides a text into runs of letters (two each in "GitHub" and "PostgreSQL"), runs of
// digits, and signs that are spoken.
func parts(text string) []string {
	var out []string
	var run []rune
	end := func() {
		if len(run) > 0 {
			out = append(out, string(run))
			run = nil
		}
	}
	for _, r := range norm.NFD.String(text) {
		switch {
		case unicode.Is(unicode.Mn, r) || r == '\'' || r == '’':
			continue
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
			if strings.ContainsRune(signs, r) && (r != '#' || len(out) > 0) {
				out = append(out, string(r))
			}
			continue
		case len(run) > 0 && parted(run, r):
			end()
		}
		run = append(run, r)
	}
	end()
	return out
}

// parted reports whether a letter or digit begins a new part.
func parted(run []rune, next rune) bool {
	last := run[len(run)-1]
	return unicode.IsDigit(last) != unicode.IsDigit(next) || unicode.IsLower(last) && unicode.IsUpper(next)
}

// signs are those that are said, where they are parts of a name.
const signs = "+&@%#"

// part returns the phones of a part in English: of letters, digits, or a sign. Other letters than a
// to z are taken for phones.
func (v voice) part(part string, h sayOptions) string {
	lower := strings.ToLower(part)
	sign := strings.Index(signs, part)
	switch {
	case sign >= 0:
		return []string{"pl@s", "and", "at", "p@rsEnt", "SArp"}[sign]
	case numeral(lower):
		return v.number(lower, h.singly)
	case strings.IndexFunc(lower, func(r rune) bool { return r < 'a' || r > 'z' }) >= 0:
		return written(part)
	case !byLetters(part, h):
		return v.english.word(lower)
	}
	var out strings.Builder
	for i := range len(lower) {
		out.WriteString(alphabet[lower[i]-'a'])
	}
	return out.String()
}

// byLetters reports whether a word is an abbreviation that is said letter by letter.
func byLetters(word string, h sayOptions) bool {
	switch {
	case len(word) > 5 || word == "mr" || word == "mrs":
		return false
	case h.capitals && word == strings.ToUpper(word):
		return true
	default:
		return !strings.ContainsAny(strings.ToLower(word), "aeiouy")
	}
}

// teens are the words for ten to nineteen, tens the first words of the numbers from twenty on; "oh"
// is a leading zero.
var (
	teens = strings.Fields("ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen")
	tens  = strings.Fields("oh ten twenty thirty forty fifty sixty seventy eighty ninety")
)

// number returns the phones of digits, said in pairs, or one by one.
func (v voice) number(number string, singly bool) string {
	var out strings.Builder
	for _, word := range numerals(number, singly) {
		out.WriteString(v.english.word(word))
	}
	return out.String()
}

func numeral(part string) bool { return strings.Trim(part, "0123456789") == "" }

// numerals returns the words of a number whose digits are said in pairs, or one by one.
func numerals(number string, singly bool) []string {
	var out []string
	for len(number) > 0 {
		n := 1
		if !singly && len(number)%2 == 0 {
			n = 2
		}
		ten, one := number[0], number[n-1]
		number = number[n:]
		switch {
		case n == 1:
			out = append(out, digits[one-'0'])
		case ten == '1':
			out = append(out, teens[one-'0'])
		default:
			out = append(out, tens[ten-'0'])
			if one > '0' {
				out = append(out, digits[one-'0'])
			}
		}
	}
	return out
}

// likeLatin has the phones of letters, in languages in Latin script, that differ from the letters.
var likeLatin = strings.NewReplacer("sch", "S", "sh", "S", "sz", "S", "ch", "C", "ph", "f", "th", "t", "ck", "k", "qu",
	"kv", "ij", "Y",
	"c", "k", "q", "k", "x", "ks", "y", "i", "e", "E", "w", "v", "h", "h", "ß", "s", "æ", "a", "ø", "o", "œ", "o", "đ",
	"d", "ł", "l")

// written returns the phones of letters that are said about as they are written.
func written(part string) string { return likeLatin.Replace(strings.ToLower(part)) }
