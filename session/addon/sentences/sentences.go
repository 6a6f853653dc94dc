// Package sentences divides a transcript into sentences, and puts simultaneous speech into reading
// order.
//
// In text with punctuation a sentence ends at the marks of its script, except in abbreviations,
// initials, decimals and quotations. Text of engines that write no marks is divided at pauses and
// at the ends of utterances. A sentence has one channel, speaker and language. Functions are pure
// and safe for concurrent use.
package sentences

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"steno/messages"
)

// Sentence is one sentence of one speaker on one channel.
type Sentence struct {
	// Text is the words joined, without the white space around them.
	Text string
	// Start is that of the first word, End the latest of its words, in seconds.
	Start, End float64
	Channel    int
	Speaker    *int
	Language   string
	// Words are those of the utterances, in their order. A word that holds several sentences, which
	// happens in scripts without spaces, is divided, and its time by the lengths of the pieces.
	Words []messages.Word
}

// Split divides utterances, given in any order, into sentences ordered by start, then channel. The
// words of all sentences of a channel joined are those of its utterances ordered by start. An
// utterance with a text but no words counts as having its words evenly spread. What is returned
// shares nothing that the caller could change but Speaker.
func Split(us []messages.Utterance) []Sentence {
	var all []dated[Sentence]
	for _, r := range runs(us) {
		for _, s := range r.sentences() {
			at := s.Start
			if n := len(all); n > 0 && all[n-1].value.Channel == r.channel {
				at = max(at, all[n-1].at) // never before what the channel said earlier
			}
			all = append(all, dated[Sentence]{s, at})
		}
	}
	return inOrder(all)
}

// dated is a value and its time.
type dated[T any] struct {
	value T
	at    float64 // seconds
}

// inOrder returns the values by time; those with the same time stay in their order.
func inOrder[T any](all []dated[T]) []T {
	slices.SortStableFunc(all, func(a, b dated[T]) int { return cmp.Compare(a.at, b.at) })
	values := make([]T, len(all))
	for i, d := range all {
		values[i] = d.value
	}
	return values
}

// sentences returns the sentences of a run, in order.
func (r run) sentences() []Sentence {
	punctuated := slices.ContainsFunc(r.words, func(w word) bool { return marked(w.Word.Word) })
	var all []Sentence
	rest := r.words
	for len(rest) > 0 {
		n := r.next(rest, punctuated)
		for _, piece := range bounded(rest[:n], limit(punctuated)) {
			all = append(all, r.sentence(piece))
		}
		rest = rest[n:]
	}
	return slices.DeleteFunc(all, func(s Sentence) bool { return s.Text == "" })
}

// next returns how many of the words, 1 or more, form the first sentence.
func (r run) next(words []word, punctuated bool) int {
	for i := range words[:len(words)-1] {
		if punctuated && r.endsAt(words, i) || !punctuated && pauseEnds(words[i], words[i+1]) {
			return i + 1
		}
	}
	return len(words)
}

// Ends reports, for each word of a speaker, whether its mark ends a sentence. Words may be pieces
// of such.
func Ends(words []messages.Word, language string) []bool {
	r := run{language: language, words: make([]word, len(words))}
	for i, w := range words {
		r.words[i].Word = w
	}
	ends := make([]bool, len(words))
	for done := 0; done < len(words); {
		done += r.next(r.words[done:], true)
		last, _ := utf8.DecodeLastRuneInString(closed(words[done-1].Word))
		ends[done-1] = done < len(words) || messages.EndsSentence(last)
	}
	return ends
}

func (r run) sentence(words []word) Sentence {
	s := Sentence{Start: words[0].Start, Channel: r.channel, Speaker: r.speaker, Language: r.language}
	var text strings.Builder
	for _, w := range words {
		text.WriteString(w.Word.Word)
		s.Words = append(s.Words, w.Word)
		s.End = max(s.End, w.End)
	}
	s.Text = strings.TrimSpace(text.String())
	return s
}
