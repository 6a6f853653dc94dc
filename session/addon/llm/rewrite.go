package llm

import (
	"context"
	"fmt"
)

// rewrittenPiece is the answer to a task that rewrites each item.
type rewrittenPiece struct {
	Sentences []struct {
		N    int
		Text string
	}
}

// Rewrite has the model rewrite each item of a piece and returns one text for each. The error of
// check, which is sent to the model, states what is wrong with a text.
func (c *Client) Rewrite(ctx context.Context, name, says string, with Object, p Piece,
	check func(it Item, s string) error) ([]string, error) {
	said := &Task{name, says, Fields(Object{"sentences": List(Fields(Object{"n": Number(0, len(p)-1), "text": Text()}),
		len(p))})}
	data := Object{"sentences": p}
	for key, value := range with {
		data[key] = value
	}
	texts := make([]string, len(p))
	_, err := Do(ctx, c, said, data, func(a *rewrittenPiece) error {
		if len(a.Sentences) != len(p) {
			return fmt.Errorf("there must be %d sentences, not %d", len(p), len(a.Sentences))
		}
		seen := make([]bool, len(p))
		for _, s := range a.Sentences {
			if seen[s.N] {
				return fmt.Errorf("sentence %d is there twice", s.N)
			}
			seen[s.N] = true
			texts[s.N] = Line(s.Text)
			if err := check(p[s.N], texts[s.N]); err != nil {
				return fmt.Errorf("sentence %d: %w", s.N, err)
			}
		}
		return nil
	})
	return texts, err
}

// RewriteAll does a task, which calls [Client.Rewrite], on all sentences of a transcript and
// returns one text for each. The text is empty for sentences without text and, beside the first
// error, for those without a complete answer.
func (c *Client) RewriteAll(ctx context.Context, t Transcript, task func(ctx context.Context, p Piece) ([]string,
	error)) ([]string, error) {
	pieces, err := c.ShortPieces(t.Sentences)
	if err != nil {
		return nil, err
	}
	answers, err := Bisect(ctx, c, pieces, task)
	all, torn := make([]string, len(t.Sentences)), make([]bool, len(t.Sentences))
	for i, p := range pieces {
		for j, it := range p {
			if s := &all[it.Sentence]; *s == "" {
				*s = answers[i][j]
			} else {
				*s += " " + answers[i][j]
			}
			torn[it.Sentence] = torn[it.Sentence] || answers[i][j] == ""
		}
	}
	for i := range all {
		if torn[i] {
			all[i] = ""
		}
	}
	return all, err
}
