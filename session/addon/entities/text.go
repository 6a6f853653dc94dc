package entities

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"steno/messages"
	"steno/session/addon/sentences"
)

// text is what the detectors read: words cut into tokens.
type text struct {
	tokens  []token
	count   int // of words
	english bool
	// language is the code without its region.
	language string
	// hiding is true if the text is searched in order to redact it, so that doubtful values count
	// as well.
	hiding bool
	// cased is true if capitals are meaningful, because the text has small letters too.
	cased bool
	small bool // a token begins with a small letter
	// spoken has the number words of the language; nil for English, whose words are read in place,
	// and for unknown languages.
	spoken *numberWords
	runs   []run
	// boundaries are the tokens that begin a further utterance, ascending.
	boundaries []int
}

// token is a word, or a part of one with a hyphen between letters.
type token struct {
	// raw is as written, without punctuation around; low is in lower case, without a possessive
	// ending.
	raw, low string
	word     int  // the index of the word that it begins with
	last     int  // that of the word that it ends with
	after    rune // the punctuation that follows: ',' or '.' for whatever ends a sentence; else 0
	caps     bool // it begins with a capital
	opens    bool // it is the first of a sentence
	joins    bool // a hyphen joins it to the one before
}

// newText reads words, of which some are the first of a further utterance.
func newText(words []messages.Word, begins []int, language string) *text {
	t := &text{count: len(words), english: english(language), language: base(language),
		spoken: numbersOf(base(language))}
	opens := true
	for i, w := range words {
		first := len(t.tokens)
		for len(begins) > 0 && begins[0] <= i {
			opens, begins = true, begins[1:]
			t.boundaries = append(t.boundaries, first)
		}
		for _, field := range strings.Fields(narrow(norm.NFC.String(w.Word))) {
			t.add(field, i, opens)
			opens = len(t.tokens) > 0 && t.tokens[len(t.tokens)-1].after == '.'
		}
	}
	t.cased = t.mixed()
	if t.spoken != nil {
		t.readNumbers(t.spoken)
	}
	if !t.english {
		t.readSigns()
	}
	t.runs = findRuns(t)
	return t
}

// narrow is a text with the decimal digits of all scripts and the full-width forms of letters and
// signs as those of ASCII: "٤" and "４" as "4", "＠" as "@".
func narrow(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '！' && r <= '～':
			return r - '！' + '!'
		case r <= unicode.MaxASCII || !unicode.Is(unicode.Nd, r):
			return r
		}
		zero := r // Unicode has the ten of a script in a row, and some such rows side by side
		for unicode.Is(unicode.Nd, zero-1) {
			zero--
		}
		return '0' + (r-zero)%10
	}, s)
}

func english(language string) bool { return base(language) == "" || base(language) == "en" }

// base is a language's code without its region.
func base(language string) string {
	code, _, _ := strings.Cut(strings.ToLower(language), "-")
	return code
}

// mixed reports whether most tokens begin with a small letter: then capitals mark names.
func (t *text) mixed() bool {
	var small, large int
	for _, k := range t.tokens {
		r, _ := utf8.DecodeRuneInString(k.raw)
		if unicode.IsLower(r) {
			t.small = true
			small++
		} else if k.caps && k.raw != strings.ToUpper(k.raw) {
			large++
		}
	}
	return large > 0 && small > 0 || large > 0 && len(t.tokens) <= 6
}

const (
	before = "\"'([{<«“‘¿¡*_"
	behind = "\"')]}>»”’*,.;:!?…_" + OtherMarks
	// OtherMarks are the commas and stops of scripts that have other ones than Latin.
	OtherMarks = wideCommas + wideStops
	// wideCommas and wideStops are the marks of scripts that have other ones than Latin. They
	// follow words without a space.
	wideCommas = "，、：،"
	wideStops  = "。．！？；।॥؟؛۔։።၊။។"
)

// counted is a number with what it counts: "57-year-old".
var counted = regexp.MustCompile(`^\d{1,4}(?:-[a-z]{2,9}){1,2}$`)

// add cuts a field without white space into tokens.
func (t *text) add(field string, word int, opens bool) {
	core := strings.TrimLeft(field, before)
	bare := strings.TrimRight(core, behind)
	after := ending(core[len(bare):], bare)
	if bare == "" {
		if n := len(t.tokens); n > 0 && after != 0 {
			t.tokens[n-1].after = after
		}
		return
	}
	parts := []string{bare}
	if counted.MatchString(bare) {
		parts = strings.Split(bare, "-")
	} else if strings.ContainsFunc(bare, isHyphen) && !strings.ContainsFunc(bare,
		func(r rune) bool { return unicode.IsDigit(r) || strings.ContainsRune("@/.:_", r) }) {
		parts = strings.FieldsFunc(bare, isHyphen)
	}
	for i, p := range parts {
		k := token{raw: p, low: lower(p), word: word, last: word, caps: capital(p), opens: opens && i == 0,
			joins: i > 0}
		if i == len(parts)-1 {
			k.after = after
		}
		t.tokens = append(t.tokens, k)
	}
}

func isHyphen(r rune) bool { return r == '-' || r == '–' || r == '—' }

// ending returns what the punctuation after a word means. That of an abbreviation means nothing.
func ending(marks, bare string) rune {
	switch {
	case strings.ContainsAny(marks, "!?;…"+wideStops):
		return '.'
	case strings.Contains(marks, ".") && !abbreviated(bare):
		return '.'
	case strings.ContainsAny(marks, ",:"+wideCommas):
		return ','
	}
	return 0
}

// abbreviated reports whether a full stop after a word may belong to it. A small letter is no
// abbreviation.
func abbreviated(bare string) bool {
	if utf8.RuneCountInString(bare) == 1 {
		return capital(bare)
	}
	return sentences.Abbreviated("en", bare+".") || oneOf(strings.ToLower(bare), "no apt exp tel mar sep")
}

// lower is a word in small letters, straight apostrophes, without a possessive ending; "p.m"
// becomes "pm".
func lower(s string) string {
	s = strings.ReplaceAll(strings.ToLower(s), "’", "'")
	s = strings.TrimSuffix(strings.TrimSuffix(s, "'s"), "'")
	if strings.Contains(s, ".") && len(s) <= 5 && !strings.ContainsAny(s, "0123456789@$€£") {
		s = strings.ReplaceAll(s, ".", "")
	}
	return s
}

func capital(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

// words is the range of words that a candidate touches.
func (t *text) words(c candidate) (from, to int) {
	return t.tokens[c.from].word, t.tokens[c.to-1].last + 1
}

// low is the token at i in lower case; empty beyond the ends.
func (t *text) low(i int) string {
	if i < 0 || i >= len(t.tokens) {
		return ""
	}
	return t.tokens[i].low
}

// at is the token at i; an empty one that ends a sentence beyond the ends.
func (t *text) at(i int) token {
	if i < 0 || i >= len(t.tokens) {
		return token{after: '.'}
	}
	return t.tokens[i]
}

// contracts reports whether the token at i is one of words with "is" in its end: "that's".
func (t *text) contracts(i int, words string) bool {
	return oneOf(t.low(i), words) && possessive(t.at(i).raw)
}

// ends reports whether a sentence, or the text, ends after the token at i.
func (t *text) ends(i int) bool { return t.at(i).after == '.' || i >= len(t.tokens)-1 }

// proper reports whether the token at i has a capital that is not due to its place.
func (t *text) proper(i int) bool { k := t.at(i); return t.cased && k.caps && !k.opens }

// closed reports whether punctuation follows one of the tokens [from,to-1), so that they are hardly
// one thing.
func (t *text) closed(from, to int) bool {
	for i := from; i < to-1 && i < len(t.tokens); i++ {
		if t.tokens[i].after != 0 {
			return true
		}
	}
	return false
}

// normal is the tokens [from,to) in lower case, numbers in digits.
func (t *text) normal(from, to int) string {
	var parts []string
	for i := from; i < to; {
		if v, end, ok := readNumber(t, i); ok && end <= to {
			parts = append(parts, v.String())
			i = end
			continue
		}
		parts = append(parts, t.tokens[i].low)
		i++
	}
	return strings.Join(parts, " ")
}

// phrase is where the longest phrase of the classes that begins at i ends; i where there is none.
func (t *text) phrase(i int, classes class) int {
	l := theWordLists()
	for n := l.longest[t.low(i)]; n > 0; n-- {
		if i+n <= len(t.tokens) && l.classes[t.join(i, i+n)]&classes != 0 && !t.closed(i, i+n) {
			return i + n
		}
	}
	return i
}

// is reports whether the token at i alone stands in one of the classes.
func (t *text) is(i int, classes class) bool {
	return theWordLists().classes[t.low(i)]&classes != 0
}

// join is the tokens [from,to) in lower case.
func (t *text) join(from, to int) string {
	if to == from+1 {
		return t.tokens[from].low
	}
	words := make([]string, 0, to-from)
	for _, k := range t.tokens[from:to] {
		words = append(words, k.low)
	}
	return strings.Join(words, " ")
}

// near reports whether one of the words stands in the n tokens before i.
func (t *text) near(i, n int, words string) bool {
	for k := max(0, i-n); k < i && k < len(t.tokens); k++ {
		if oneOf(t.tokens[k].low, words) {
			return true
		}
	}
	return false
}

// oneOf reports whether a word is among those of a list with single spaces between.
func oneOf(word, list string) bool {
	if word == "" {
		return false
	}
	for from := 0; ; {
		i := strings.Index(list[from:], word)
		if i < 0 {
			return false
		}
		i += from
		from = i + len(word)
		if (i == 0 || list[i-1] == ' ') && (from == len(list) || list[from] == ' ') {
			return true
		}
	}
}

// rebuild replaces the tokens by those that read returns, called with the index of the next one and
// of the first token that is not of the same utterance, and returning where the next token begins.
func (t *text) rebuild(read func(i, limit int) (token, int)) {
	var tokens []token
	boundary := 0
	for i := 0; i < len(t.tokens); {
		for boundary < len(t.boundaries) && t.boundaries[boundary] <= i {
			t.boundaries[boundary] = len(tokens)
			boundary++
		}
		limit := len(t.tokens)
		if boundary < len(t.boundaries) {
			limit = t.boundaries[boundary]
		}
		k, to := read(i, limit)
		tokens = append(tokens, k)
		i = to
	}
	for ; boundary < len(t.boundaries); boundary++ {
		t.boundaries[boundary] = len(tokens)
	}
	t.tokens = tokens
}
