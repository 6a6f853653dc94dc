package openai

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"steno/session/asr"
)

// maxWords bounds the words of an answer: ten times the fastest speech in the longest utterance.
const maxWords = 4096

// words returns the words of an answer about that many samples, and whether they have times. It takes the words' own
// times if there are any, else it spreads the words of each segment over it.
func (a *answer) words(samples int) (words []asr.Word, timed bool, err error) {
	parts := a.spoken()
	if len(parts) > maxWords {
		return nil, false, &failure{text: "the answer has too many words", own: true}
	}
	if len(parts) == 0 && !slices.ContainsFunc(a.Segments, func(s segment) bool { return s.silent() }) {
		parts = split(a.text())
		if len(parts) > maxWords {
			return nil, false, &failure{text: "the answer has too many words", own: true}
		}
	}
	timed = slices.ContainsFunc(parts, func(s spoken) bool { return s.End > 0 })
	for _, s := range parts {
		w := asr.Word{Text: s.Word}
		if s.Probability != nil {
			w.Confidence = clamped(*s.Probability)
		}
		words = append(words, w)
	}
	if timed {
		place(words, parts, samples)
	}
	return words, timed, nil
}

func (a *answer) text() string {
	if a.Text == nil {
		return ""
	}
	return *a.Text
}

// place sets the words' times: within the audio, and none before the previous word's.
func place(words []asr.Word, parts []spoken, samples int) {
	at := 0
	for i := range words {
		words[i].Start = within(parts[i].Start, at, samples)
		words[i].End = within(parts[i].End, words[i].Start, samples)
		at = words[i].Start
	}
}

// within converts seconds to samples between two bounds. What is not a number is the lower one.
func within(seconds float64, low, high int) int {
	at := math.Round(seconds * asr.Rate)
	if !(at > float64(low)) {
		return low
	}
	return int(min(at, float64(high)))
}

// spoken returns the words of an answer that have times, each with a probability if one is known.
func (a *answer) spoken() (parts []spoken) {
	inSegments := slices.ContainsFunc(a.Segments, func(s segment) bool { return len(s.Words) > 0 })
	if len(a.Words) > 0 && !inSegments {
		return a.topLevel()
	}
	for _, s := range a.Segments {
		if s.silent() {
			continue
		}
		of := restoreText(joinParts(s.Words), s.Text)
		if len(of) == 0 {
			of = s.spread()
		}
		parts = append(parts, withSegmentConfidence(of, &s)...)
	}
	return parts
}

// topLevel returns the words that the answer has beside its segments, without those of silent segments.
func (a *answer) topLevel() (parts []spoken) {
	words := restoreText(joinParts(a.Words), a.text())
	for _, w := range words {
		s := a.segmentAt((w.Start + w.End) / 2)
		switch {
		case s == nil:
			parts = append(parts, w)
		case !s.silent():
			parts = append(parts, withSegmentConfidence([]spoken{w}, s)...)
		}
	}
	return parts
}

// segmentAt returns the segment that contains a time, nil if none does.
func (a *answer) segmentAt(seconds float64) *segment {
	for i := range a.Segments {
		if s := &a.Segments[i]; seconds >= s.Start && seconds <= s.End {
			return s
		}
	}
	return nil
}

// withSegmentConfidence gives words without a probability that of their segment.
func withSegmentConfidence(words []spoken, s *segment) []spoken {
	for i := range words {
		if c := s.confidence(); words[i].Probability == nil && c > 0 {
			words[i].Probability = &c
		}
	}
	return words
}

// joinParts joins parts of words, which some servers send: if some begin with a space, those that do not continue the
// word before.
func joinParts(parts []spoken) (words []spoken) {
	spaced := func(p spoken) bool { return strings.HasPrefix(p.Word, " ") }
	joined := len(parts) > 1 && slices.ContainsFunc(parts[1:], spaced)
	for _, p := range parts {
		if text := strings.TrimSpace(p.Word); text == "" {
			continue
		} else if n := len(words); joined && n > 0 && !spaced(p) {
			last := &words[n-1]
			last.Word += text
			last.End = max(last.End, p.End)
			if last.Probability != nil && p.Probability != nil && *p.Probability < *last.Probability {
				last.Probability = p.Probability
			}
		} else {
			p.Word = text
			words = append(words, p)
		}
	}
	return words
}

// restoreText gives words the punctuation and capitals that they have in the text, if it consists of the same words:
// OpenAI's words have none.
func restoreText(words []spoken, text string) []spoken {
	fields := strings.Fields(text)
	if len(fields) != len(words) {
		return words
	}
	for i, field := range fields {
		if letters(field) != letters(words[i].Word) {
			return words
		}
	}
	for i, field := range fields {
		words[i].Word = field
	}
	return words
}

// letters returns the letters and digits of a word in lower case.
func letters(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, word)
}

// spread gives each word of a segment a part of its time, by length.
func (s *segment) spread() []spoken {
	words := split(s.Text)
	total, before := 0, 0
	for _, w := range words {
		total += utf8.RuneCountInString(w.Word)
	}
	for i := range words {
		words[i].Start = s.Start + (s.End-s.Start)*float64(before)/float64(total)
		before += utf8.RuneCountInString(words[i].Word)
		words[i].End = s.Start + (s.End-s.Start)*float64(before)/float64(total)
	}
	return words
}

func split(text string) (words []spoken) {
	for _, field := range strings.Fields(text) {
		words = append(words, spoken{Word: field})
	}
	return words
}
