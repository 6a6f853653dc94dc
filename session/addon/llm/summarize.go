package llm

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// summaryAnswer is the answer to a summary's task: one of its fields, as the kind asks for.
type summaryAnswer struct {
	Summary string
	Points  []string
}

// summary is one kind of it.
type summary struct {
	says  string
	form  object
	write func(summaryAnswer) (string, error)
}

const (
	maxSummary = 4000 // characters
	maxConcise = 1000
	maxPoints  = 30
	maxPoint   = 600
)

// summaries by type.
func summaries(kind string) (summary, bool) {
	switch kind {
	case "", "general":
		return summary{"Summarize the conversation in one to three paragraphs: what it is about, what was said, what was decided.",
			object{"summary": text()}, prose(maxSummary)}, true
	case "concise":
		return summary{"Summarize the conversation in one or two sentences.", object{"summary": text()}, prose(maxConcise)}, true
	case "bullet_points":
		return summary{"List the points of the conversation that matter, each in one sentence, in order, at most 12.",
			object{"points": list(text(), maxPoints)}, bullets}, true
	}
	return summary{}, false
}

func prose(most int) func(summaryAnswer) (string, error) {
	return func(t summaryAnswer) (string, error) {
		s := page(t.Summary)
		if !within(s, most) {
			return "", fmt.Errorf("the summary must have 1 to %d characters", most)
		}
		return s, nil
	}
}

func bullets(t summaryAnswer) (string, error) {
	var out strings.Builder
	for _, point := range t.Points {
		point = strings.TrimLeft(line(point), "-*• ")
		if !within(point, maxPoint) {
			return "", fmt.Errorf("each point must have 1 to %d characters", maxPoint)
		}
		out.WriteString("- " + point + "\n")
	}
	if out.Len() == 0 {
		return "", errors.New("there must be a point")
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}

// Summarize summarizes a talk, in its language. The kind is general, also where it is empty, concise, or
// bullet_points: one a line, each after "- ". A talk without text has an empty summary.
func (c *Client) Summarize(ctx context.Context, t Talk, kind string) (string, error) {
	s, known := summaries(kind)
	if !known {
		return "", fmt.Errorf("summary type %q is not known", cut(kind, 50))
	}
	says := s.says + " Write in the language of the conversation" + named(t.Language) + "."
	sentences := t.Sentences
	for {
		pieces, err := c.pieces(sentences, c.config.MaxInput, maxItems)
		if err != nil || len(pieces) == 0 {
			return "", err
		}
		parts, err := gather(ctx, c, pieces, func(ctx context.Context, p piece) (string, error) {
			return c.summarize(ctx, s, says, p)
		})
		if err != nil {
			return "", err
		}
		if len(parts) == 1 {
			return parts[0], nil
		}
		sentences = partial(parts, c.config.MaxInput)
		says = s.says + " The data holds summaries of the parts of one conversation, in order: make one of them, in their language."
	}
}

// partial is a text of summaries. Each is cut so that there are at most half as many pieces of them as before.
func partial(parts []string, characters int) []Sentence {
	sentences := make([]Sentence, len(parts))
	for i, part := range parts {
		sentences[i].Text = part[:cutPoint(part, characters/2)]
	}
	return sentences
}

func (c *Client) summarize(ctx context.Context, s summary, says string, p piece) (string, error) {
	var out string
	_, err := do(ctx, c, &task{"summary", says, fields(s.form)}, object{"sentences": p}, func(a *summaryAnswer) (err error) {
		out, err = s.write(*a)
		return err
	})
	return out, err
}

// named is the part of a prompt that names a language; empty if it is not known.
func named(code string) string {
	if code == "" || len(code) > 8 {
		return ""
	}
	return fmt.Sprintf(", which is %q in ISO 639", code)
}
