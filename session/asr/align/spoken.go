package align

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"steno/session/asr/sphinx/pronounce"
)

// spoken is how a word of a text is said: parts one after the other.
type spoken struct {
	parts []ways
	// foreign is set if the word or a part of it cannot be pronounced, such as a word in another
	// script. Without it a word of no parts has no sound, such as a dash.
	foreign bool
}

// said are words that are read as others. Those with a dot need it.
var said = map[string]ways{
	"mr": way("mister"), "mrs": way("missus", "misses"), "ms": way("miz", "miss"), "dr": way("doctor", "drive"),
	"st": way("saint", "street"), "jr": way("junior"), "sr": way("senior"), "vs": way("versus"),
	"etc": way("et cetera", "etc"),
	"no.": way("number", "no"), "mt": way("mount"), "ft": way("fort", "feet"), "lt": way("lieutenant"),
	"col": way("colonel"),
	"gen": way("general", "gen"), "sgt": way("sergeant"), "capt": way("captain"), "prof": way("professor"),
	"rev":  way("reverend", "rev"),
	"hon.": way("honorable"), "ave": way("avenue"), "blvd": way("boulevard"), "rd": way("road"),
	"inc":  way("incorporated", "inc"),
	"corp": way("corporation", "corp"), "ltd": way("limited"), "co.": way("company", "co"), "dept": way("department"),
	"approx": way("approximately"), "jan": way("january", "jan"), "feb": way("february"), "aug": way("august"),
	"sept": way("september"), "oct": way("october"), "nov": way("november"), "dec.": way("december"),
	"&": way("and"), "%": way("percent", "per cent"), "+": way("plus"), "=": way("equals"), "@": way("at"),
	"#": way("number", "hash", "pound"),
	"°": way("degrees", "degree"), "€": way("euros", "euro"), "$": way("dollars", "dollar"),
	"£": way("pounds", "pound"),
}

// units are what letters directly after a number stand for.
var units = map[string]ways{
	"k": way("thousand", "k."), "m": way("million", "meters", "m."), "b": way("billion", "b."), "bn": way("billion"),
	"t":  way("trillion", "tons", "t."),
	"km": way("kilometers", "kilometer", "k. m."), "cm": way("centimeters", "centimeter"),
	"mm": way("millimeters", "millimeter"),
	"kg": way("kilograms", "kilogram", "kilos"), "g": way("grams", "gram", "g."), "mg": way("milligrams", "milligram"),
	"lb":  way("pounds", "pound"),
	"lbs": way("pounds", "pound"), "oz": way("ounces", "ounce"), "ft": way("feet", "foot"), "in": way("inches", "inch"),
	"mph": way("miles an hour", "miles per hour", "m. p. h."), "hz": way("hertz"), "khz": way("kilohertz"),
	"mhz": way("megahertz"),
	"ghz": way("gigahertz"), "kb": way("kilobytes", "k. b."), "mb": way("megabytes", "megabyte", "m. b."),
	"gb": way("gigabytes", "gigabyte", "g. b."),
	"tb": way("terabytes", "terabyte", "t. b."), "h": way("hours", "hour", "h."), "hr": way("hours", "hour"),
	"min": way("minutes", "minute"),
	"s":   way("seconds", "second", "s."), "ms": way("milliseconds", "millisecond"), "am": way("a. m."),
	"pm": way("p. m."), "x": way("times", "x."), "c": way("celsius", "c.", "cents"),
}

// currencies are the signs before an amount: the unit, and its hundredth.
var currencies = map[rune][2]string{'$': {"dollar", "cent"}, '£': {"pound", "p"}, '€': {"euro", "cent"},
	'¥': {"yen", ""}}

// speaker finds out how the words of a text are said. Any goroutine may use it.
type speaker struct {
	dict    *pronounce.Dictionary
	guesses *guesses
}

// speak returns how words are said, one for each.
func (s speaker) speak(words []string) []spoken {
	out := make([]spoken, len(words))
	var money string // unit of the amount before
	for i, w := range words {
		out[i] = s.word(w)
		if scale := strings.ToLower(trim(w)); money != "" && slices.Contains(scales, scale) {
			out[i] = spoken{parts: []ways{way(scale, scale+" "+money+"s", scale+" "+money)}}
			money = ""
			continue
		}
		out[i] = s.pronounceable(out[i])
		money = ""
		if r := []rune(trim(w)); len(r) > 0 {
			money = currencies[r[0]][0]
		}
	}
	return out
}

// pronounceable returns a word without the ways that have a word of no pronunciation.
func (s speaker) pronounceable(w spoken) spoken {
	silent := func(word string) bool { return len(s.sounds(word)) == 0 }
	out := spoken{foreign: w.foreign}
	for _, part := range w.parts {
		part = slices.DeleteFunc(slices.Clone(part), func(words []string) bool {
			return len(words) == 0 || slices.ContainsFunc(words, silent)
		})
		if len(part) == 0 {
			out.foreign = true
			continue
		}
		out.parts = append(out.parts, part)
	}
	return out
}

// word returns how one word is said.
func (s speaker) word(text string) spoken {
	text = clean(text)
	bare := trim(text)
	lower := strings.ToLower(bare)
	dotted := lower + "."
	switch full := strings.HasPrefix(strings.ToLower(text[strings.Index(text, bare)+len(bare):]), "."); {
	case bare == "":
		return spoken{}
	case full && said[dotted] != nil:
		return spoken{parts: []ways{said[dotted]}}
	case said[lower] != nil:
		return spoken{parts: []ways{said[lower]}}
	case full && strings.Contains(bare, ".") && s.dict.Has(dotted): // u.s.
		return spoken{parts: []ways{s.entry(bare, dotted)}}
	case s.dict.Has(lower):
		return spoken{parts: []ways{s.entry(bare, lower)}}
	}
	c := scanner{speaker: s, left: []rune(bare)}
	c.scan()
	return c.out
}

// entry returns the ways to pronounce a word of the dictionary: capitals may be letters.
func (s speaker) entry(text, word string) ways {
	out := way(word)
	letters := strings.ReplaceAll(text, ".", "")
	if len(letters) >= 2 && len(letters) <= 5 && isLetters(letters) && letters == strings.ToUpper(letters) {
		out = append(out, spell(letters))
	}
	return out
}

// spell returns the names of letters.
func spell(letters string) []string {
	var out []string
	for _, c := range strings.ToLower(letters) {
		out = append(out, string(c)+".")
	}
	return out
}

func isLetters(text string) bool {
	other := func(c rune) bool { return !isLetter(c) }
	return !strings.ContainsFunc(text, other)
}

func isLetter(c rune) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func isDigit(c rune) bool  { return c >= '0' && c <= '9' }

// clean returns a text in compatible characters and without accents.
func clean(text string) string {
	var b strings.Builder
	for _, c := range norm.NFKD.String(text) {
		switch {
		case unicode.Is(unicode.Mn, c):
		case c == '’' || c == '‘' || c == 'ʼ':
			b.WriteByte('\'')
		case c == '–' || c == '−' || c == '‐' || c == '‑':
			b.WriteByte('-')
		case c == '⁄':
			b.WriteByte('/')
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// trim cuts what has no sound from both ends.
func trim(text string) string {
	silent := func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("$£€¥%&+@#=°", c)
	}
	out := strings.TrimFunc(text, silent)
	if at := strings.Index(text, out); out != "" && isDigit([]rune(out)[0]) && at > 0 &&
		(text[at-1] == '-' || text[at-1] == '.') {
		out = text[at-1:at] + out
	}
	return out
}
