package openai

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Reasons for which parts of answers are dropped; see [Recognizer.Dropped].
const (
	DropToken      = "token"      // a model's own marks, such as <|en|>
	DropAnnotation = "annotation" // what is not speech: [BLANK_AUDIO], (music), ♪
	DropLoop       = "loop"       // the repetitions of words that a model could not stop saying
	DropCredit     = "credit"     // credits of films: "Thank you for watching" over silence
	DropFiller     = "filler"     // a lone "you" and its like over what the model does not take for speech
	DropSilence    = "silence"    // segments that the model does not take for speech, and does not trust
	DropTimes      = "times"      // times that cannot be; they are estimated instead
	Resumed        = "resumed"    // nothing: the end of an utterance that the server had left out was asked for again
)

// drops counts by reason what was dropped of one answer.
type drops map[string]int

// reason returns why an answer has no words left; empty: not because any were dropped.
func (d drops) reason() string {
	for _, reason := range []string{DropSilence, DropCredit, DropFiller, DropAnnotation, DropLoop} {
		if d[reason] > 0 {
			return reason
		}
	}
	return ""
}

// clean removes from the words of an answer what nobody has said. quiet says that they may stem from silence.
func clean(words []spoken, quiet bool, dropped drops) []spoken {
	words = withoutTokens(words, dropped)
	words = withoutAnnotations(words, dropped)
	words = withoutLoops(words, dropped)
	switch reason := invented(words, quiet); {
	case reason != "":
		dropped[reason]++
		return nil
	case !slices.ContainsFunc(words, func(w spoken) bool { return letters(w.Word) != "" }):
		return nil // marks alone
	}
	return words
}

var token = regexp.MustCompile(`<\|[^|<>]*\|>`)

// withoutTokens removes a model's own marks from words.
func withoutTokens(words []spoken, dropped drops) []spoken {
	out := words[:0:0]
	for _, w := range words {
		if text := strings.TrimSpace(token.ReplaceAllString(w.Word, "")); text != w.Word {
			dropped[DropToken]++
			w.Word = text
		}
		if w.Word != "" {
			out = append(out, w)
		}
	}
	return out
}

// maxAnnotation is the longest annotation that is looked for, in words.
const maxAnnotation = 6

// withoutAnnotations removes descriptions of sounds. In square brackets all text is such a description, in others what
// consists of known words, or where there is nothing else. Notes are removed, not the words of a song.
func withoutAnnotations(words []spoken, dropped drops) []spoken {
	var out []spoken
	var doubtful []spoken // in brackets, of unknown words
	for i := 0; i < len(words); {
		if text := strings.Trim(words[i].Word, "♪♫♩♬"); text != words[i].Word {
			dropped[DropAnnotation]++
			words[i].Word = text
		}
		switch n := annotated(words[i:]); {
		case words[i].Word == "":
			i++
		case n == 0:
			out = append(out, words[i])
			i++
		default:
			if isSound(words[i : i+n]) {
				dropped[DropAnnotation]++
			} else {
				doubtful = append(doubtful, words[i:i+n]...)
				out = append(out, words[i:i+n]...)
			}
			i += n
		}
	}
	if len(out) == len(doubtful) && len(out) > 0 {
		dropped[DropAnnotation]++
		return nil
	}
	return out
}

// closing are the brackets of descriptions, and what closes them.
var closing = map[rune]string{'[': "]", '(': ")", '*': "*", '{': "}", '【': "】", '（': "）"}

// annotated returns how many words the brackets hold that the first word opens, 0 if it opens none.
func annotated(words []spoken) int {
	opened := []rune(words[0].Word)
	if len(opened) == 0 || closing[opened[0]] == "" {
		return 0
	}
	for n := range min(len(words), maxAnnotation) {
		text := strings.TrimRight(words[n].Word, ".,!?:;。")
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
func isSound(words []spoken) bool {
	if strings.HasPrefix(words[0].Word, "[") {
		return slices.ContainsFunc(words, func(w spoken) bool { return letters(w.Word) != "" && !isNumber(letters(w.Word)) })
	}
	return slices.ContainsFunc(words, func(w spoken) bool { return sounds[letters(w.Word)] })
}

func isNumber(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsDigit(r) })
}

const (
	// longestLoop is the longest period of a loop, in words.
	longestLoop = 24
	// maxRepeats is how often words may follow on themselves: people say "no, no, no, no".
	maxRepeats = 4
	// minLoop is the shortest loop, in words, its first turn included.
	minLoop = 8
)

// withoutLoops removes all but the first of words that are repeated more often than people do. They are compared by their
// letters.
func withoutLoops(words []spoken, dropped drops) []spoken {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = letters(w.Word)
	}
	var out []spoken
	for i := 0; i < len(words); {
		period, n := loop(texts[i:])
		if n == 0 {
			words[i].Word = withoutInnerLoop(words[i].Word, dropped)
			out = append(out, words[i])
			i++
			continue
		}
		dropped[DropLoop]++
		out = append(out, words[i:i+period]...)
		i += n
	}
	return out
}

// loop returns the period of the loop that texts begin with, and its length; 0 if they begin with none.
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

// withoutInnerLoop shortens a text without spaces, as some languages are written, that repeats a part of itself.
func withoutInnerLoop(text string, dropped drops) string {
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
				dropped[DropLoop]++
				return string(runes[:start+p]) + string(runes[start+n:])
			}
		}
	}
	return text
}

// invented returns why words are taken for a model's invention; empty: they are not. Some that nobody says are always,
// others where the audio may be silence.
func invented(words []spoken, quiet bool) string {
	var parts []string
	for _, w := range words {
		if text := letters(w.Word); text != "" {
			parts = append(parts, text)
		}
	}
	text := strings.Join(parts, " ")
	switch {
	case text == "":
	case slices.ContainsFunc(unspoken, func(part string) bool { return strings.Contains(text, part) }) && len(parts) <= maxCredit:
		return DropCredit
	case quiet && credits[text]:
		return DropCredit
	case quiet && fillers[text]:
		return DropFiller
	}
	return ""
}
