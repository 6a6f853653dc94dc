// Package redact hides personal data: in the utterances of a job, in what is made of them, and in the recording.
//
// What is hidden is found by package entities. Nothing that is hidden stays in any form that is told: words are replaced,
// texts derived elsewhere are searched for what was found before and anew, and the recording is silent at the words' times.
package redact

import (
	"fmt"
	"strings"
	"unicode"

	"steno/messages"
	"steno/session/addon/entities"
)

// usual are the groups that are hidden where a request names no types: what identifies a person, and what pays.
var usual = [...]string{"GDPR", "PCI"}

// contextWords is how many words before an utterance may tell what a number in it is.
const contextWords = 12

// Span is a stretch of one channel of the recording, in seconds.
type Span struct {
	Channel    int
	Start, End float64
}

// Redactor hides what one job says. It belongs to one goroutine. The same value has the same number wherever it comes.
type Redactor struct {
	types  map[string]bool
	mask   bool
	number map[string]map[string]int // by type and value
	known  phrases
	spans  []Span
	before map[int][]messages.Word // the end of what a channel said
}

// New returns a redactor. Without types it hides the groups GDPR and PCI; without a form it writes markers.
func New(c messages.PIIRedactionConfig) *Redactor {
	names := []string(c.EntityTypes)
	if len(names) == 0 {
		names = usual[:]
	}
	return &Redactor{
		types: entities.Expand(names), mask: c.ProcessedTextType == "MASK",
		number: map[string]map[string]int{}, known: phrases{}, before: map[int][]messages.Word{},
	}
}

// Apply returns the utterance without what must not be told, which is noted for [Redactor.Text] and [Redactor.Silences].
// Utterances of a channel come in their order. A marker is one word over the time of those that it stands for; a mask is
// as many words as there were, their letters and digits made #.
func (r *Redactor) Apply(u messages.Utterance) messages.Utterance {
	found := entities.FindAfter(r.before[u.Channel], u.Words, u.Language, r.types)
	r.remember(u)
	if len(u.Words) == 0 {
		u.Text = r.Text(u.Text)
		return u
	}
	words := make([]messages.Word, 0, len(u.Words))
	next := 0
	for _, f := range found {
		words = append(words, u.Words[next:f.From]...)
		hidden := u.Words[f.From:f.To]
		r.spans = append(r.spans, Span{u.Channel, hidden[0].Start, hidden[len(hidden)-1].End})
		words = append(words, r.instead(f, hidden)...)
		next = f.To
	}
	u.Words = append(words, u.Words[next:]...)
	u.Text = joined(u.Words)
	return u
}

// remember keeps the end of what the channel said.
func (r *Redactor) remember(u messages.Utterance) {
	said := append(r.before[u.Channel], u.Words...)
	r.before[u.Channel] = append([]messages.Word(nil), said[max(0, len(said)-contextWords):]...)
}

// instead is what stands for the words of an entity.
func (r *Redactor) instead(f entities.Found, hidden []messages.Word) []messages.Word {
	sign := r.sign(f.Type, f.Value)
	texts := make([]string, len(hidden))
	for i, w := range hidden {
		texts[i] = w.Word
	}
	r.known.add(texts, sign)
	r.known.add(strings.Fields(f.Value), sign)
	if r.mask {
		out := append([]messages.Word(nil), hidden...)
		for i := range out {
			out[i].Word = masked(out[i].Word)
		}
		return out
	}
	first, last := hidden[0], hidden[len(hidden)-1]
	word := messages.Word{Word: leading(first.Word) + sign + trailing(last.Word), Start: first.Start, End: last.End, Confidence: first.Confidence}
	for _, w := range hidden {
		word.Confidence = min(word.Confidence, w.Confidence)
	}
	return []messages.Word{word}
}

// sign is the marker of a value: its type, and its number among the values of that type.
func (r *Redactor) sign(kind, value string) string {
	numbers := r.number[kind]
	if numbers == nil {
		numbers = map[string]int{}
		r.number[kind] = numbers
	}
	n, ok := numbers[value]
	if !ok {
		n = len(numbers) + 1
		numbers[value] = n
	}
	return fmt.Sprintf("[%s_%d]", kind, n)
}

// Text returns a text that was made of the job's words elsewhere without what must not be told: what was hidden before,
// in the forms it was said and is written, and what is found in it anew.
func (r *Redactor) Text(text string) string {
	words := fields(text)
	words = r.known.replace(words, r.mask)
	found := entities.FindAfter(nil, words, "", r.types)
	var out []messages.Word
	next := 0
	for _, f := range found {
		if strings.Contains(f.Text, "[") { // a marker, taken for something
			continue
		}
		out = append(out, words[next:f.From]...)
		out = append(out, r.instead(f, words[f.From:f.To])...)
		next = f.To
	}
	return joined(append(out, words[next:]...))
}

// Silences are the stretches of the recording that must not be heard, in the order they were found.
func (r *Redactor) Silences() []Span { return append([]Span(nil), r.spans...) }

// fields cuts a text into words, each with the white space before it; joined they are the text.
func fields(text string) []messages.Word {
	var words []messages.Word
	start, inWord := 0, false
	for i, c := range text {
		space := unicode.IsSpace(c)
		if space && inWord {
			words = append(words, messages.Word{Word: text[start:i]})
			start = i
		}
		inWord = !space
	}
	if start < len(text) {
		words = append(words, messages.Word{Word: text[start:]})
	}
	return words
}

func joined(words []messages.Word) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(w.Word)
	}
	return b.String()
}

// leading is the white space before a word, trailing the marks of a sentence after it.
func leading(word string) string { return word[:len(word)-len(strings.TrimLeftFunc(word, unicode.IsSpace))] }

func trailing(word string) string { return word[len(strings.TrimRight(word, ".,!?;:")):] }

// masked makes a word's letters and digits #.
func masked(word string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsMark(c) || c == '@' {
			return '#'
		}
		return c
	}, word)
}
