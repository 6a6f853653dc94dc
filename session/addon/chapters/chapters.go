// Package chapters divides a transcript where its subject changes, without a model.
//
// The division is the one in which the words are most probable, if each part has its own word
// counts with a common prior (Eisenstein and Barzilay 2008), so that words are alike within the
// parts and differ between them. One search over the whole transcript finds it, as in Utiyama and
// Isahara (2001). The first words about a subject count too, and so do pauses: phrases such as
// "moving on to", and words that need what was said before (Passonneau and Litman 1997), in the
// languages that have a list in openings. See [Split] for its bounds.
//
// Measured on talks in testdata, of one to five subjects of about five sentences each, by one
// speaker and by two, cuts within a sentence of the right place: of 41 in talks that the constants
// were chosen with, precision 0.95, recall 0.85; without capitals and marks the same; with one word
// in eight misheard 0.89 and 0.61. In talks that were written afterwards, with 9 cuts: 0.86 and
// 0.67. Subjects that are discussed at greater length are found more often.
//
// All functions are pure: the same utterances always produce the same chapters. Time and memory are
// bounded for hours of speech.
package chapters

import (
	"strings"

	"steno/messages"
	"steno/session/addon/sentences"
	"steno/session/addon/summary"
	"steno/session/addon/summary/terms"
)

// Split returns the chapters in order; none for a transcript without words. Each sentence is in one
// of them, in the order of [sentences.Split]. The first chapter begins at 0, each ends where the
// next begins, the last at the end of the last word.
//
// No chapter has less than 12 s of speech, unless the transcript has less, and there are at most
// 64.
func Split(us []messages.Utterance) []messages.Chapter {
	said := sentences.Split(us)
	if len(said) == 0 {
		return nil
	}
	reader := terms.New()
	cuts := divide(units(said, reader))
	parts := make([][]sentences.Sentence, len(cuts))
	from := 0
	for i, to := range cuts {
		parts[i], from = said[from:to], to
	}
	return describe(parts, reader, capitalizationOf(said, reader))
}

// describe returns a chapter for each part.
func describe(parts [][]sentences.Sentence, reader *terms.Reader, names capitalization) []messages.Chapter {
	all := make([]messages.Chapter, len(parts))
	words := count(parts, reader)
	for i, part := range parts {
		scores := words.scores(i)
		all[i] = chapter(part)
		all[i].Keywords = keywords(part, reader, names, scores)
		all[i].Headline = headline(all[i].Keywords, part[0].Language)
		all[i].Gist = gist(part, reader, scores)
		if i > 0 {
			all[i].Start = part[0].Start
			all[i-1].End = all[i].Start
		}
	}
	return all
}

// chapter returns the chapter of a part, beginning at 0.
func chapter(part []sentences.Sentence) messages.Chapter {
	var c messages.Chapter
	texts := make([]string, len(part))
	for i, s := range part {
		texts[i] = s.Text
		c.Sentences = append(c.Sentences, messages.ChapterSentence{Sentence: s.Text, Start: s.Start, End: s.End,
			Words: s.Words})
		c.End = max(c.End, s.End)
	}
	c.Text = strings.Join(texts, " ")
	c.Summary, _ = summary.Of(part, summary.General)
	return c
}
