package llm

import (
	"context"
	"fmt"
)

// rewrittenPiece is the answer to a task that writes each item anew.
type rewrittenPiece struct {
	Sentences []struct {
		N    int
		Text string
	}
}

// rewrite is a task that has each item of a piece written anew, identified by its number. The answer has one text for each; the
// error of check says what is wrong with one.
func (c *Client) rewrite(ctx context.Context, name, says string, with object, p piece, check func(it item, s string) error) ([]string, error) {
	said := &task{name, says, fields(object{"sentences": list(fields(object{"n": number(0, len(p)-1), "text": text()}), len(p))})}
	data := object{"sentences": p}
	for key, value := range with {
		data[key] = value
	}
	texts := make([]string, len(p))
	_, err := do(ctx, c, said, data, func(a *rewrittenPiece) error {
		if len(a.Sentences) != len(p) {
			return fmt.Errorf("there must be %d sentences, not %d", len(p), len(a.Sentences))
		}
		seen := make([]bool, len(p))
		for _, s := range a.Sentences {
			if seen[s.N] {
				return fmt.Errorf("sentence %d is there twice", s.N)
			}
			seen[s.N] = true
			texts[s.N] = line(s.Text)
			if err := check(p[s.N], texts[s.N]); err != nil {
				return fmt.Errorf("sentence %d: %w", s.N, err)
			}
		}
		return nil
	})
	return texts, err
}

// rewriteAll does an echo on all sentences. Sentences without text stay so; so do those, beside the first error, that the
// server has no whole answer for.
func (c *Client) rewriteAll(ctx context.Context, t Talk, task func(ctx context.Context, p piece) ([]string, error)) ([]string, error) {
	pieces, err := c.pieces(t.Sentences, min(c.config.MaxInput, maxRewrite), maxRewriteItems)
	if err != nil {
		return nil, err
	}
	answers, err := bisect(ctx, c, pieces, task)
	all, torn := make([]string, len(t.Sentences)), make([]bool, len(t.Sentences))
	for i, p := range pieces {
		for j, it := range p {
			if s := &all[it.sentence]; *s == "" {
				*s = answers[i][j]
			} else {
				*s += " " + answers[i][j]
			}
			torn[it.sentence] = torn[it.sentence] || answers[i][j] == ""
		}
	}
	for i := range all {
		if torn[i] {
			all[i] = ""
		}
	}
	return all, err
}
