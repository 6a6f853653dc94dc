package summary

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"steno/session/addon/sentences"
)

// finish joins words to a written sentence of bounded length that begins with a capital and ends
// with a full stop or question mark.
func finish(words []string, language string) string {
	cut := len(words) > mostWords
	if cut {
		words = words[:mostWords]
	}
	text := strings.Join(words, " ")
	if english(language) {
		text = joinEnglish(words)
	}
	if len(text) > mostBytes {
		text, cut = strings.ToValidUTF8(text[:mostBytes], ""), true
	}
	return capital(ended(text, words, language, cut))
}

// joinEnglish joins words and writes "I" as a capital.
func joinEnglish(words []string) string {
	written := make([]string, len(words))
	for i, w := range words {
		written[i] = w
		if p := plain(w); p == "i" || strings.HasPrefix(p, "i'") {
			written[i] = strings.Replace(w, "i", "I", 1)
		}
	}
	return strings.Join(written, " ")
}

func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToTitle(first)) + text[size:]
}

// ended adds the mark at the end of a sentence if it has none.
func ended(text string, words []string, language string, cut bool) string {
	text = strings.TrimRight(text, ",;:-–— ")
	last, _ := utf8.DecodeLastRuneInString(text)
	switch {
	case cut:
		return strings.TrimRight(text, ".…") + "…"
	case strings.ContainsRune(".!?…。？！।؟།။។\"”»)", last):
		return text
	case asks(words, language):
		return text + "?"
	}
	return text + sentences.FullStop(base(language))
}

// asks reports whether a sentence is a question: by its mark, in English also by its first words.
func asks(words []string, language string) bool {
	last, _ := utf8.DecodeLastRuneInString(words[len(words)-1])
	if strings.ContainsRune("?？؟", last) {
		return true
	}
	if !english(language) || len(words) < 3 || unicode.IsPunct(last) {
		return false
	}
	a, b := plain(words[0]), plain(words[1])
	switch a {
	case "who", "what", "when", "where", "why", "how", "which", "whose":
		return verb(b) && a != "when" || a == "when" && verb(b) && b != "have" && b != "has" || a == "how" &&
			(b == "many" || b == "much" || b == "long" || b == "often")
	}
	return verb(a) && subject(b)
}

func verb(w string) bool {
	switch w {
	case "do", "does", "did", "is", "are", "was", "were", "can", "could", "would", "will", "should", "have", "has",
		"isn't", "aren't",
		"don't", "doesn't", "didn't", "can't", "couldn't", "won't", "wouldn't", "shall", "what's", "who's":
		return true
	}
	return false
}

func subject(w string) bool {
	switch w {
	case "i", "you", "he", "she", "it", "we", "they", "there", "this", "that", "these", "those", "the", "a", "an",
		"my", "your", "our",
		"their", "his", "her", "anyone", "anybody", "everyone", "everybody", "someone", "somebody":
		return true
	}
	return false
}
