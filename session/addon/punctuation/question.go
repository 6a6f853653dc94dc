package punctuation

import (
	"strings"

	"steno/messages"
)

// asks tells whether an English sentence begins like a question: with a question word and a verb, or a verb and who does it.
func asks(words []messages.Word) bool {
	var ws []string
	for _, w := range words[:min(len(words), 5)] {
		if text := strings.Trim(strings.ToLower(strings.TrimSpace(w.Word)), ",.?!"); !leadIn(text) {
			ws = append(ws, text)
		}
	}
	if len(ws) == 0 {
		return false
	}
	second := ""
	if len(ws) > 1 {
		second = ws[1]
	}
	switch ws[0] {
	case "what", "where", "when", "why", "who", "whom", "whose", "which", "how":
		return second == "" || auxiliary(second) || completes(ws[0], second)
	case "what's", "where's", "who's", "how's", "why's", "what're":
		return true
	}
	return auxiliary(ws[0]) && subject(second)
}

// leadIn is for words before a question.
func leadIn(word string) bool {
	switch word {
	case "so", "and", "but", "well", "okay", "ok", "um", "uh", "now", "then", "yeah":
		return true
	}
	return false
}

func auxiliary(word string) bool {
	switch word {
	case "is", "are", "am", "was", "were", "do", "does", "did", "can", "could", "will", "would", "shall", "should", "have", "has", "had", "may", "might",
		"isn't", "aren't", "wasn't", "weren't", "don't", "doesn't", "didn't", "can't", "couldn't", "won't", "wouldn't", "shouldn't", "haven't", "hasn't", "hadn't":
		return true
	}
	return false
}

func subject(word string) bool {
	switch word {
	case "i", "you", "he", "she", "it", "we", "they", "there", "this", "that", "these", "those", "anyone", "anybody", "someone", "somebody", "everyone", "everybody":
		return true
	}
	return false
}

// completes is for pairs that only questions begin with.
func completes(first, second string) bool {
	switch first {
	case "how":
		switch second {
		case "much", "many", "long", "old", "far", "about", "come", "often":
			return true
		}
	case "what":
		return second == "about" || second == "time" || second == "kind" || second == "else"
	case "why":
		return second == "not"
	}
	return false
}
