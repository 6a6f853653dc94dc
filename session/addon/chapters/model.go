package chapters

import (
	"context"
	"errors"
	"fmt"

	"steno/session/addon/llm"
)

// Part is a part of a transcript about one subject.
type Part struct {
	// First and Last are the indices of its first and last sentence.
	First, Last int
	Headline    string // a few words
	Gist        string // one sentence
	Summary     string
	Keywords    []string
}

const (
	maxChapters = 40   // in one piece
	maxSummary  = 4000 // characters
	maxHeadline = 200
	maxGist     = 600
	maxKeywords = 12
	maxKeyword  = 80
)

// heading is a chapter in the model's answer: the number of its first sentence, its last being the
// one before the next.
type heading struct {
	First                   int
	Headline, Gist, Summary string
	Keywords                []string
}

const chapterSays = "Divide the conversation into chapters, where the subject changes: few, seldom shorter than " +
	"ten sentences, one if there is one subject. " +
	"For each tell the number n of its first sentence; the first chapter begins with sentence 0. Give it a " +
	"headline of a few words, its gist in one sentence, " +
	"a summary of a few sentences and up to six keywords, in the language of the conversation"

// FromModel divides a transcript. The chapters follow each other and hold all sentences; a talk
// without text has none. A talk of several pieces has at least one chapter in each.
func FromModel(ctx context.Context, c *llm.Client, t llm.Transcript) ([]Part, error) {
	pieces, err := c.Pieces(t.Sentences)
	if err != nil || len(pieces) == 0 {
		return nil, err
	}
	parts, err := llm.Gather(ctx, c, pieces, func(ctx context.Context, p llm.Piece) ([]heading, error) {
		return pieceChapters(ctx, c, t, p)
	})
	if err != nil {
		return nil, err
	}
	var all []Part
	for i, part := range parts {
		for _, h := range part {
			first := pieces[i][h.First].Sentence
			if len(all) > 0 && all[len(all)-1].First == first {
				continue // a long sentence in two pieces
			}
			all = append(all, Part{First: first, Headline: h.Headline, Gist: h.Gist, Summary: h.Summary,
				Keywords: h.Keywords})
		}
	}
	all[0].First = 0 // sentences without text may come before
	for i := range all[1:] {
		all[i].Last = all[i+1].First - 1
	}
	all[len(all)-1].Last = len(t.Sentences) - 1
	return all, nil
}

func pieceChapters(ctx context.Context, c *llm.Client, t llm.Transcript, p llm.Piece) ([]heading, error) {
	said := &llm.Task{Name: "chapters", Says: chapterSays + llm.InLanguage(t.Language) + ".",
		Schema: llm.Fields(llm.Object{"chapters": llm.List(llm.Fields(llm.Object{
			"first": llm.Number(0, len(p)-1), "headline": llm.Text(), "gist": llm.Text(), "summary": llm.Text(),
			"keywords": llm.List(llm.Text(), maxKeywords),
		}), maxChapters)})}
	a, err := llm.Do(ctx, c, said, llm.Object{"sentences": p}, func(a *struct{ Chapters []heading }) error {
		if len(a.Chapters) == 0 || a.Chapters[0].First != 0 {
			return errors.New("the first chapter must begin with sentence 0")
		}
		for i := range a.Chapters {
			if i > 0 && a.Chapters[i].First <= a.Chapters[i-1].First {
				return fmt.Errorf("chapters[%d] must begin after the one before it", i)
			}
			if err := a.Chapters[i].tidy(); err != nil {
				return fmt.Errorf("chapters[%d]: %w", i, err)
			}
		}
		return nil
	})
	return a.Chapters, err
}

// tidy checks the texts and puts all but the summary on one line.
func (h *heading) tidy() error {
	h.Headline, h.Gist, h.Summary = llm.Line(h.Headline), llm.Line(h.Gist), llm.Page(h.Summary)
	switch {
	case !llm.Within(h.Headline, maxHeadline):
		return fmt.Errorf("headline must have 1 to %d characters", maxHeadline)
	case !llm.Within(h.Gist, maxGist):
		return fmt.Errorf("gist must have 1 to %d characters", maxGist)
	case !llm.Within(h.Summary, maxSummary):
		return fmt.Errorf("summary must have 1 to %d characters", maxSummary)
	}
	for i, word := range h.Keywords {
		if h.Keywords[i] = llm.Line(word); !llm.Within(h.Keywords[i], maxKeyword) {
			return fmt.Errorf("each keyword must have 1 to %d characters", maxKeyword)
		}
	}
	return nil
}
