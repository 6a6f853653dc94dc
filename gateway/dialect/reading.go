package dialect

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"steno/messages"
)

// Bare returns a text in small letters, without the marks around its words, as clients read it that
// ask for no punctuation. A word of marks alone stays.
func Bare(text string) string {
	if !strings.ContainsFunc(text, unicode.IsSpace) {
		return bareWord(text)
	}
	words := strings.Fields(text)
	for i, word := range words {
		words[i] = bareWord(word)
	}
	return strings.Join(words, " ")
}

func bareWord(word string) string {
	if bare := strings.TrimFunc(word, isMark); bare != "" {
		return strings.ToLower(bare)
	}
	return word
}

// isMark reports whether a sign is no part of a word.
func isMark(r rune) bool { return unicode.IsPunct(r) && !strings.ContainsRune("%#&@", r) }

// Sentences divides utterances where their words have the mark of an end. None has words of two
// utterances.
func Sentences(us []messages.Utterance) (list []messages.Utterance) {
	for _, u := range us {
		words := u.TimedWords()
		from := 0
		for i, w := range words {
			last, _ := utf8.DecodeLastRuneInString(strings.TrimSpace(w.Word))
			if i+1 < len(words) && !messages.EndsSentence(last) {
				continue
			}
			list = append(list, u.Excerpt(words[from:i+1:i+1]))
			from = i + 1
		}
	}
	return list
}

const (
	paragraphPause     = 2.0 // seconds of silence at which one begins
	paragraphSentences = 5   // that one has at most
)

// Paragraphs returns the sentences of utterances in paragraphs: one begins after a long pause, with
// another speaker, and after so many sentences.
func Paragraphs(us []messages.Utterance) (all [][]messages.Utterance) {
	for _, s := range Sentences(us) {
		n := len(all)
		if n == 0 || len(all[n-1]) >= paragraphSentences || begins(all[n-1][len(all[n-1])-1], s) {
			all = append(all, nil)
			n++
		}
		all[n-1] = append(all[n-1], s)
	}
	return all
}

// begins reports whether a paragraph begins with b, which follows a.
func begins(a, b messages.Utterance) bool {
	sameVoice := a.Channel == b.Channel && (a.Speaker == b.Speaker || a.Speaker != nil && b.Speaker != nil &&
		*a.Speaker == *b.Speaker)
	return !sameVoice || b.Start-a.End >= paragraphPause
}
