package openai

import (
	"slices"
	"strings"

	"steno/session/asr"
	"steno/session/asr/clean"
	"steno/session/asr/remote"
)

// words returns the words of an answer about samples, without what nobody has said, and counts that
// by reason. Each has times: its own, or else an estimate within its segment.
func (a *answer) words(samples []int16, dropped clean.Drops) ([]asr.Word, error) {
	parts := a.spoken(dropped)
	if len(parts) == 0 && dropped[clean.Silence] == 0 {
		parts = split(a.text())
	}
	if len(parts) > remote.MaxWords {
		return nil, &remote.Failure{Text: "the answer has too many words", Own: true}
	}
	parts = clean.Texts(parts, func(w *spoken) *string { return &w.Word }, a.quiet(samples), dropped)
	words := make([]asr.Word, len(parts))
	for i, s := range parts {
		words[i].Text = s.Word
		if s.Probability != nil {
			words[i].Confidence = clamped(float64(*s.Probability))
		}
	}
	place(words, parts, samples, dropped)
	return words, nil
}

// spoken returns the words of an answer's segments, or those that it has beside them, each with a
// probability if one is known.
func (a *answer) spoken(dropped clean.Drops) (parts []spoken) {
	inSegments := slices.ContainsFunc(a.Segments, func(s segment) bool { return len(s.Words) > 0 })
	if len(a.Words) > 0 && !inSegments {
		return a.topLevel(dropped)
	}
	for i := range a.Segments {
		s := &a.Segments[i]
		if s.silent() {
			dropped[clean.Silence]++
			continue
		}
		of := restoreText(joinParts(s.Words), s.Text)
		if len(of) == 0 {
			of = split(s.Text)
		}
		parts = append(parts, inSegment(of, s)...)
	}
	return parts
}

// topLevel returns the words that the answer has beside its segments, without those of silent
// segments.
func (a *answer) topLevel(dropped clean.Drops) (parts []spoken) {
	words := restoreText(joinParts(a.Words), a.text())
	for _, w := range words {
		s := a.segmentAt((w.Start + w.End) / 2)
		switch {
		case s == nil:
			parts = append(parts, w)
		case s.silent():
			dropped[clean.Silence]++
		default:
			parts = append(parts, inSegment([]spoken{w}, s)...)
		}
	}
	return parts
}

// segmentAt returns the segment that contains a time, nil if none does.
func (a *answer) segmentAt(seconds number) *segment {
	for i := range a.Segments {
		if s := &a.Segments[i]; seconds >= s.Start && seconds <= s.End {
			return s
		}
	}
	return nil
}

// inSegment notes the segment of words. Those without a probability get that of the segment.
func inSegment(words []spoken, s *segment) []spoken {
	for i := range words {
		words[i].of = s
		if c := number(s.confidence()); words[i].Probability == nil && c > 0 {
			words[i].Probability = &c
		}
	}
	return words
}

// joinParts joins parts of words, which some servers send: if some begin with a space, those that
// do not continue the word before.
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

// restoreText adds to words the punctuation and capitals that they have in the text, if it consists
// of the same words: OpenAI's words have none.
func restoreText(words []spoken, text string) []spoken {
	fields := strings.Fields(text)
	if len(fields) != len(words) {
		return words
	}
	for i, field := range fields {
		if clean.Letters(field) != clean.Letters(words[i].Word) {
			return words
		}
	}
	for i, field := range fields {
		words[i].Word = field
	}
	return words
}

func split(text string) (words []spoken) {
	for _, field := range strings.Fields(text) {
		words = append(words, spoken{Word: field})
	}
	return words
}
