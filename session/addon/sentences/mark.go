package sentences

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"steno/messages"
)

// isCloser reports whether a rune may follow the mark at the end of a sentence: a closing quote or
// bracket.
func isCloser(r rune) bool {
	return r == '"' || r == '\'' || unicode.In(r, unicode.Pe, unicode.Pf)
}

// isOpener reports whether a rune may precede the first word of a sentence.
func isOpener(r rune) bool {
	return r == '"' || r == '\'' || r == '¿' || r == '¡' || r == '-' || unicode.In(r, unicode.Ps, unicode.Pi,
		unicode.Pd)
}

// marked reports whether a word ends with a mark of punctuation.
func marked(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(closed(text))
	return messages.EndsPart(last)
}

// closed returns a word without the white space around it and the closers after it.
func closed(text string) string { return strings.TrimRightFunc(strings.TrimSpace(text), isCloser) }

// opened returns a word without the white space around it and the openers before it.
func opened(text string) string { return strings.TrimLeftFunc(strings.TrimSpace(text), isOpener) }

// only reports whether a word consists of marks alone, which belong to the word before it.
func only(text string) bool {
	text = strings.TrimSpace(text)
	return strings.TrimLeftFunc(text, func(r rune) bool {
		return isCloser(r) || messages.EndsSentence(r) ||
			strings.ContainsRune(",;:", r)
	}) == "" && text != ""
}

// endsAt reports whether a sentence of punctuated text ends with words[i], which is not the last
// word.
func (r run) endsAt(words []word, i int) bool {
	next := words[i+1].Word.Word
	if only(next) && !words[i].last {
		return false // it belongs to this one
	}
	tail := words[i].Word.Word
	from := i
	for from > max(0, i-3) && strings.TrimRight(closed(tail), ".") == "" { // marks separated from their word
		from--
		tail = strings.TrimSpace(words[from].Word.Word) + strings.TrimSpace(tail)
	}
	body := closed(tail)
	mark, _ := utf8.DecodeLastRuneInString(body)
	pause := words[i+1].Start - words[i].End
	if !messages.EndsSentence(mark) && (mark != ';' || r.language != "el") {
		return words[i].last && breaksOff(mark, next, pause)
	}
	small := lower(next)
	switch {
	case mark == '.' && !strings.HasSuffix(body, ".."):
		return r.stopEnds(opened(strings.TrimSuffix(body, ".")), next, pause, from == 0)
	case mark == '.' || mark == '…':
		return !small
	}
	return !small || body == strings.TrimSpace(tail) // "Really?" she asked.
}

// breaksOff reports whether a sentence without a mark at its end ends with its utterance, although
// many utterances end in the middle of a sentence. last is the last rune, pause is in seconds.
// Engines that write marks begin each utterance with a capital, so after a comma it means nothing.
func breaksOff(last rune, next string, pause float64) bool {
	if first, _ := utf8.DecodeRuneInString(opened(next)); unicode.IsUpper(first) && !speaksOfSelf(next) &&
		!messages.EndsPart(last) {
		return pause >= cutPause
	}
	return pause >= longPause
}

func speaksOfSelf(text string) bool {
	text = closed(opened(text))
	return strings.TrimRight(text, ",.?!;:…") == "I" || strings.HasPrefix(text, "I'") || strings.HasPrefix(text, "I’")
}

// lower reports whether a word begins with a lower-case letter.
func lower(text string) bool {
	first, _ := utf8.DecodeRuneInString(opened(text))
	return unicode.IsLower(first)
}

// FullStop returns the full stop of a language; empty for those that write none.
func FullStop(language string) string {
	switch language {
	case "zh", "ja":
		return "。"
	case "hi", "ne", "bn", "as", "pa", "sa":
		return "।"
	case "ur", "sd", "ps":
		return "۔"
	case "my":
		return "။"
	case "km":
		return "។"
	case "bo":
		return "།"
	case "am":
		return "።"
	case "hy":
		return "։"
	case "th", "lo":
		return ""
	}
	return "."
}
