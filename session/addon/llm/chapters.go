package llm

import (
	"context"
	"errors"
	"fmt"
)

// Chapter is a part of a talk about one thing.
type Chapter struct {
	// First and Last are the indices of its first and last sentence.
	First, Last int
	Headline    string // a few words
	Gist        string // one sentence
	Summary     string
	Keywords    []string
}

const (
	maxChapters = 40 // in one piece
	maxHeadline = 200
	maxGist     = 600
	maxKeywords = 12
	maxKeyword  = 80
)

// heading is a chapter in the model's answer: the number of its first sentence, its last being the one before the next.
type heading struct {
	First                   int
	Headline, Gist, Summary string
	Keywords                []string
}

const chapterSays = "Divide the conversation into chapters, where the subject changes: few, seldom shorter than ten sentences, one if there is one subject. " +
	"For each tell the number n of its first sentence; the first chapter begins with sentence 0. Give it a headline of a few words, its gist in one sentence, " +
	"a summary of a few sentences and up to six keywords, in the language of the conversation"

// Chapters divides a talk. The chapters follow on each other and hold all sentences; no chapters where there is no text. A
// talk of several pieces has at least one in each.
func (c *Client) Chapters(ctx context.Context, t Talk) ([]Chapter, error) {
	pieces, err := c.pieces(t.Sentences, c.config.MaxInput, maxItems)
	if err != nil || len(pieces) == 0 {
		return nil, err
	}
	parts, err := gather(ctx, c, pieces, func(ctx context.Context, p piece) ([]heading, error) {
		return c.chapters(ctx, t, p)
	})
	if err != nil {
		return nil, err
	}
	var all []Chapter
	for i, part := range parts {
		for _, h := range part {
			first := pieces[i][h.First].sentence
			if len(all) > 0 && all[len(all)-1].First == first {
				continue // a long sentence in two pieces
			}
			all = append(all, Chapter{First: first, Headline: h.Headline, Gist: h.Gist, Summary: h.Summary, Keywords: h.Keywords})
		}
	}
	all[0].First = 0 // sentences without text may come before
	for i := range all[1:] {
		all[i].Last = all[i+1].First - 1
	}
	all[len(all)-1].Last = len(t.Sentences) - 1
	return all, nil
}

func (c *Client) chapters(ctx context.Context, t Talk, p piece) ([]heading, error) {
	said := &task{"chapters", chapterSays + named(t.Language) + ".", fields(object{"chapters": list(fields(object{
		"first": number(0, len(p)-1), "headline": text(), "gist": text(), "summary": text(), "keywords": list(text(), maxKeywords),
	}), maxChapters)})}
	a, err := do(ctx, c, said, object{"sentences": p}, func(a *struct{ Chapters []heading }) error {
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

// tidy checks the texts and puts each but the summary on one line.
func (h *heading) tidy() error {
	h.Headline, h.Gist, h.Summary = line(h.Headline), line(h.Gist), page(h.Summary)
	switch {
	case !within(h.Headline, maxHeadline):
		return fmt.Errorf("headline must have 1 to %d characters", maxHeadline)
	case !within(h.Gist, maxGist):
		return fmt.Errorf("gist must have 1 to %d characters", maxGist)
	case !within(h.Summary, maxSummary):
		return fmt.Errorf("summary must have 1 to %d characters", maxSummary)
	}
	for i, word := range h.Keywords {
		if h.Keywords[i] = line(word); !within(h.Keywords[i], maxKeyword) {
			return fmt.Errorf("each keyword must have 1 to %d characters", maxKeyword)
		}
	}
	return nil
}
