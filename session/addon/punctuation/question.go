package punctuation

import (
	"slices"
	"strings"

	"steno/messages"
)

// asks reports whether an English sentence begins like a question: with a question word and a verb,
// or a verb and who does it. A greeting may come before, with the name of who is greeted.
func asks(words []messages.Word) bool {
	var ws []string
	for _, w := range words[:min(len(words), opener)] {
		ws = append(ws, strings.Trim(strings.ToLower(strings.TrimSpace(w.Word)), ",.?!"))
	}
	ws = after(ws, leadIn)
	n := greeting(ws)
	rest := after(ws[n:], leadIn)
	return opens(rest) || n > 0 && len(rest) > 1 && nameable(rest[0]) && opens(rest[1:])
}

// after returns the words that follow the leading ones of some kind.
func after(words []string, kind func(string) bool) []string {
	for len(words) > 0 && kind(words[0]) {
		words = words[1:]
	}
	return words
}

// opens reports whether a question begins with the words.
func opens(words []string) bool {
	if len(words) == 0 {
		return false
	}
	first, second, third := words[0], "", ""
	if len(words) > 1 {
		second = words[1]
	}
	if len(words) > 2 {
		third = words[2]
	}
	return wants(first, second, third) || auxiliary(first) && inverted(first, second)
}

// nameable reports whether a word may be a name: it is none that sentences are built of.
func nameable(word string) bool {
	return !auxiliary(word) && !subject(word) && !determiner(word) && !wants(word, "", "") && !hangs(word, "en") &&
		word != "not"
}

// opener is how many words decide what a sentence is.
const opener = 12

// wants reports whether a sentence begins with a question word that asks.
func wants(first, second, third string) bool {
	switch first {
	case "which", "whom":
		return second == "" || auxiliary(second) && subject(third) || second == "one" // not "which is why"
	case "what", "where", "when", "why", "who", "whose", "how":
		return second == "" || auxiliary(second) || completes(first, second)
	case "what's", "where's", "who's", "how's", "why's", "what're", "how're", "where're", "who're":
		return true
	}
	return false
}

// inverted reports whether a verb stands before who does it. "Do it", "have this" and "had I known"
// are none, nor is "is the", which may be the end of something.
func inverted(verb, who string) bool {
	switch verb {
	case "do", "have":
		switch who {
		case "it", "this", "that", "these", "those":
			return false
		}
	case "had", "were":
		if who == "i" || who == "it" {
			return false
		}
	case "does", "did", "will", "would", "could", "can", "doesn't", "didn't", "won't", "wouldn't", "couldn't", "can't":
		if determiner(who) {
			return true
		}
	}
	return subject(who)
}

func determiner(word string) bool {
	switch word {
	case "the", "my", "your", "his", "her", "its", "our", "their", "any":
		return true
	}
	return false
}

// greeting is how many words at the beginning are a greeting: "good morning everyone", "hello
// there".
func greeting(words []string) int {
	n := 0
	for {
		more := phrase(words[n:], "hello", "hi", "hey", "welcome", "thanks", "thank you", "please", "sorry",
			"excuse me",
			"good morning", "good afternoon", "good evening", "good day")
		if more == 0 {
			break
		}
		n += more
	}
	if n == 0 {
		return 0
	}
	return n + phrase(words[n:], "everyone", "everybody", "there", "all", "folks", "guys", "again", "sir", "madam",
		"ma'am", "friends",
		"ladies and gentlemen")
}

// phrase is how many words the one of the phrases has that the words begin with; 0: they do with
// none.
func phrase(words []string, phrases ...string) int {
	for _, p := range phrases {
		fields := strings.Fields(p)
		if len(words) >= len(fields) && slices.Equal(words[:len(fields)], fields) {
			return len(fields)
		}
	}
	return 0
}

// leadIn is for words before a question.
func leadIn(word string) bool {
	switch word {
	case "so", "and", "but", "well", "okay", "ok", "um", "uh", "now", "then", "yeah", "oh":
		return true
	}
	return false
}

func auxiliary(word string) bool {
	switch word {
	case "is", "are", "am", "was", "were", "do", "does", "did", "can", "could", "will", "would", "shall", "should",
		"have", "has", "had", "may", "might",
		"isn't", "aren't", "wasn't", "weren't", "don't", "doesn't", "didn't", "can't", "couldn't", "won't", "wouldn't",
		"shouldn't", "haven't", "hasn't", "hadn't":
		return true
	}
	return false
}

func subject(word string) bool {
	switch word {
	case "i", "you", "he", "she", "it", "we", "they", "there", "this", "that", "these", "those", "anyone", "anybody",
		"someone", "somebody", "everyone", "everybody":
		return true
	}
	return false
}

// completes reports whether only questions begin with a pair of words.
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
