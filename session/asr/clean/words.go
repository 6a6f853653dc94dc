package clean

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Reasons for which parts of answers are dropped.
const (
	Token      = "token"      // a model's own marks, such as <|en|>
	Annotation = "annotation" // what is not speech: [BLANK_AUDIO], (music), ♪
	Loop       = "loop"       // the repetitions of words that a model could not stop saying
	Credit     = "credit"     // credits of films: "Thank you for watching" over silence
	Filler     = "filler"     // a lone "you" and its like over what is not taken for speech
	Silence    = "silence"    // what the model itself does not take for speech, and does not trust
	Times      = "times"      // times that cannot be; they are estimated instead
)

// Drops counts by reason what was dropped of one answer.
type Drops map[string]int

// Reason returns why an answer has no words left; empty: not because any were dropped.
func (d Drops) Reason() string {
	for _, reason := range []string{Silence, Credit, Filler, Annotation, Loop} {
		if d[reason] > 0 {
			return reason
		}
	}
	return ""
}

// Texts removes from the words of an answer what nobody has said, and counts it in dropped. text
// returns the text of a word, which may be changed; words that are left keep their order. If quiet,
// the words may stem from silence.
func Texts[W any](words []W, text func(*W) *string, quiet bool, dropped Drops) []W {
	c := cleaner[W]{text, dropped}
	words = c.withoutTokens(words)
	words = c.withoutAnnotations(words)
	words = c.withoutLoops(words)
	switch reason := c.invented(words, quiet); {
	case reason != "":
		dropped[reason]++
		return nil
	case !slices.ContainsFunc(words, func(w W) bool { return Letters(*text(&w)) != "" }):
		return nil // marks alone
	}
	return words
}

// cleaner cleans words of one answer.
type cleaner[W any] struct {
	text    func(*W) *string
	dropped Drops
}

// Letters returns the letters and digits of a word in lower case.
func Letters(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, word)
}

var token = regexp.MustCompile(`<\|[^|<>]*\|>`)

// withoutTokens removes a model's own marks from words.
func (c cleaner[W]) withoutTokens(words []W) []W {
	out := words[:0:0]
	for _, w := range words {
		text := c.text(&w)
		if bare := strings.TrimSpace(token.ReplaceAllString(*text, "")); bare != *text {
			c.dropped[Token]++
			*text = bare
		}
		if *text != "" {
			out = append(out, w)
		}
	}
	return out
}

// maxAnnotation is the longest annotation that is looked for, in words.
const maxAnnotation = 6

// withoutAnnotations removes descriptions of sounds. In square brackets all text is such a
// description, in others what consists of known words, or where there is nothing else. Notes are
// removed, not the words of a song.
func (c cleaner[W]) withoutAnnotations(words []W) []W {
	var out []W
	var doubtful []W // in brackets, of unknown words
	for i := 0; i < len(words); {
		text := c.text(&words[i])
		if bare := strings.Trim(*text, "♪♫♩♬"); bare != *text {
			c.dropped[Annotation]++
			*text = bare
		}
		switch n := c.annotated(words[i:]); {
		case *text == "":
			i++
		case n == 0:
			out = append(out, words[i])
			i++
		default:
			if c.isSound(words[i : i+n]) {
				c.dropped[Annotation]++
			} else {
				doubtful = append(doubtful, words[i:i+n]...)
				out = append(out, words[i:i+n]...)
			}
			i += n
		}
	}
	if len(out) == len(doubtful) && len(out) > 0 {
		c.dropped[Annotation]++
		return nil
	}
	return out
}

// closing are the brackets of descriptions, and what closes them.
var closing = map[rune]string{'[': "]", '(': ")", '*': "*", '{': "}", '【': "】", '（': "）"}

// annotated returns how many words the brackets hold that the first word opens, 0 if it opens none.
func (c cleaner[W]) annotated(words []W) int {
	opened := []rune(*c.text(&words[0]))
	if len(opened) == 0 || closing[opened[0]] == "" {
		return 0
	}
	for n := range min(len(words), maxAnnotation) {
		text := strings.TrimRight(*c.text(&words[n]), ".,!?:;。")
		if n == 0 {
			text = strings.TrimPrefix(text, string(opened[0]))
		}
		if strings.HasSuffix(text, closing[opened[0]]) {
			return n + 1
		}
	}
	return 0
}

// isSound reports whether words in brackets describe a sound.
func (c cleaner[W]) isSound(words []W) bool {
	if strings.HasPrefix(*c.text(&words[0]), "[") {
		return slices.ContainsFunc(words, func(w W) bool {
			text := Letters(*c.text(&w))
			return text != "" &&
				!isNumber(text)
		})
	}
	return slices.ContainsFunc(words, func(w W) bool { return sounds[Letters(*c.text(&w))] })
}

func isNumber(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsDigit(r) })
}

const (
	// longestLoop is the longest period of a loop, in words.
	longestLoop = 24
	// maxRepeats is how often words may follow on themselves: "no, no, no, no" is common speech.
	maxRepeats = 4
	// minLoop is the shortest loop, in words, its first turn included.
	minLoop = 8
)

// withoutLoops removes all but the first of words that are repeated more often than people do. They
// are compared by their letters.
func (c cleaner[W]) withoutLoops(words []W) []W {
	texts := make([]string, len(words))
	for i := range words {
		texts[i] = Letters(*c.text(&words[i]))
	}
	var out []W
	for i := 0; i < len(words); {
		period, n := loop(texts[i:])
		if n == 0 {
			text := c.text(&words[i])
			*text = withoutInnerLoop(*text, c.dropped)
			out = append(out, words[i])
			i++
			continue
		}
		c.dropped[Loop]++
		out = append(out, words[i:i+period]...)
		i += n
	}
	return out
}

// loop returns the period of the loop that texts begin with, and its length; 0 if they begin with
// none.
func loop(texts []string) (period, length int) {
	for p := 1; p <= min(longestLoop, len(texts)/2); p++ {
		n := p
		for n < len(texts) && texts[n] == texts[n-p] {
			n++
		}
		if n/p > maxRepeats && n >= minLoop {
			return p, n
		}
	}
	return 0, 0
}

// withoutInnerLoop shortens a text without spaces, as some languages are written, that repeats a
// part of itself.
func withoutInnerLoop(text string, dropped Drops) string {
	runes := []rune(text)
	if len(runes) <= longestLoop {
		return text
	}
	for start := range runes {
		for p := 1; p <= min(longestLoop, (len(runes)-start)/2); p++ {
			n := p
			for start+n < len(runes) && runes[start+n] == runes[start+n-p] {
				n++
			}
			if n/p > maxRepeats && n > longestLoop {
				dropped[Loop]++
				return string(runes[:start+p]) + string(runes[start+n:])
			}
		}
	}
	return text
}

// invented returns why words are taken for a model's invention; empty: they are not. Words that are
// never spoken are always taken for one, others where the audio may be silence.
func (c cleaner[W]) invented(words []W, quiet bool) string {
	var parts []string
	for i := range words {
		if text := Letters(*c.text(&words[i])); text != "" {
			parts = append(parts, text)
		}
	}
	text := strings.Join(parts, " ")
	switch {
	case text == "":
	case len(parts) <= maxCredit &&
		(slices.ContainsFunc(unspoken, func(part string) bool { return strings.Contains(text, part) }) ||
			slices.ContainsFunc(headings, func(part string) bool { return strings.HasPrefix(text, part) })):
		return Credit
	case quiet && credits[text]:
		return Credit
	case quiet && fillers[text]:
		return Filler
	}
	return ""
}
