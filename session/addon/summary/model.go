package summary

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"steno/session/addon/llm"
)

// summaryAnswer is the answer to a summary's task: one of its fields, as the kind asks for.
type summaryAnswer struct {
	Summary string
	Points  []string
}

// modelKind is a kind of summary.
type modelKind struct {
	says  string
	form  llm.Object
	write func(summaryAnswer) (string, error)
}

const (
	maxSummary = 4000 // characters
	maxConcise = 1000
	maxPoints  = 30
	maxPoint   = 600
)

// modelKindOf returns the kind of summary for a type.
func modelKindOf(kind string) (modelKind, bool) {
	switch kind {
	case "", "general":
		return modelKind{"Summarize the conversation in one to three paragraphs: what it is about, what was said, " +
			"what was decided.",
			llm.Object{"summary": llm.Text()}, prose(maxSummary)}, true
	case "concise":
		return modelKind{"Summarize the conversation in one or two sentences.", llm.Object{"summary": llm.Text()},
			prose(maxConcise)}, true
	case "bullet_points":
		return modelKind{"List the points of the conversation that matter, each in one sentence, in order, at most 12.",
			llm.Object{"points": llm.List(llm.Text(), maxPoints)}, bullets}, true
	}
	return modelKind{}, false
}

func prose(most int) func(summaryAnswer) (string, error) {
	return func(t summaryAnswer) (string, error) {
		s := llm.Page(t.Summary)
		if !llm.Within(s, most) {
			return "", fmt.Errorf("the summary must have 1 to %d characters", most)
		}
		return s, nil
	}
}

func bullets(t summaryAnswer) (string, error) {
	var out strings.Builder
	for _, point := range t.Points {
		point = strings.TrimLeft(llm.Line(point), "-*• ")
		if !llm.Within(point, maxPoint) {
			return "", fmt.Errorf("each point must have 1 to %d characters", maxPoint)
		}
		out.WriteString("- " + point + "\n")
	}
	if out.Len() == 0 {
		return "", errors.New("there must be a point")
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}

// FromModel summarizes a talk, in its language. The kind is general, also where it is empty,
// concise, or bullet_points: one a line, each after "- ". A talk without text has an empty summary.
func FromModel(ctx context.Context, c *llm.Client, t llm.Transcript, kind string) (string, error) {
	s, known := modelKindOf(kind)
	if !known {
		return "", fmt.Errorf("summary type %q is not known", llm.Cut(kind, 50))
	}
	says := s.says + " Write in the language of the conversation" + llm.InLanguage(t.Language) + "."
	sentences := t.Sentences
	for {
		pieces, err := c.Pieces(sentences)
		if err != nil || len(pieces) == 0 {
			return "", err
		}
		parts, err := llm.Gather(ctx, c, pieces, func(ctx context.Context, p llm.Piece) (string, error) {
			return pieceSummary(ctx, c, s, says, p)
		})
		if err != nil {
			return "", err
		}
		if len(parts) == 1 {
			return parts[0], nil
		}
		sentences = llm.Partial(parts, c.MaxInput())
		says = s.says + " The data holds summaries of the parts of one conversation, in order: make one of them, " +
			"in their language."
	}
}

func pieceSummary(ctx context.Context, c *llm.Client, s modelKind, says string, p llm.Piece) (string, error) {
	var out string
	_, err := llm.Do(ctx, c, &llm.Task{Name: "summary", Says: says, Schema: llm.Fields(s.form)},
		llm.Object{"sentences": p}, func(a *summaryAnswer) (err error) {
			out, err = s.write(*a)
			return err
		})
	return out, err
}
