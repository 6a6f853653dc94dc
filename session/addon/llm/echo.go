package llm

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// echoed is the answer to a task that writes each item anew.
type echoed struct {
	Sentences []struct {
		N    int
		Text string
	}
}

// echo is a task that has each item of a piece written anew, told by its number. The answer has one text for each, as check
// leaves it: it may mend a text, and its error says what is wrong with it.
func (c *Client) echo(ctx context.Context, name, says string, with object, p piece, check func(it item, s string) (string, error)) ([]string, error) {
	said := &task{name, says, fields(object{"sentences": list(fields(object{"n": number(0, len(p)-1), "text": text()}), len(p))})}
	data := object{"sentences": p}
	for key, value := range with {
		data[key] = value
	}
	texts := make([]string, len(p))
	_, err := do(ctx, c, said, data, func(a *echoed) error {
		if len(a.Sentences) != len(p) {
			return fmt.Errorf("there must be %d sentences, not %d", len(p), len(a.Sentences))
		}
		seen := make([]bool, len(p))
		for _, s := range a.Sentences {
			if seen[s.N] {
				return fmt.Errorf("sentence %d is there twice", s.N)
			}
			seen[s.N] = true
			out, err := check(p[s.N], line(s.Text))
			if err != nil {
				return fmt.Errorf("sentence %d: %w", s.N, err)
			}
			texts[s.N] = out
		}
		return nil
	})
	return texts, err
}

// echoes does an echo on all sentences. Sentences without text stay so.
func (c *Client) echoes(ctx context.Context, t Talk, task func(ctx context.Context, p piece) ([]string, error)) ([]string, error) {
	pieces, err := c.pieces(t.Sentences, min(c.config.MaxInput, maxEcho), maxEchoItems)
	if err != nil {
		return nil, err
	}
	parts, err := gather(ctx, c, pieces, task)
	if err != nil {
		return nil, err
	}
	all := make([]string, len(t.Sentences))
	for i, p := range pieces {
		for j, it := range p {
			if s := &all[it.sentence]; *s == "" {
				*s = parts[i][j]
			} else {
				*s += " " + parts[i][j]
			}
		}
	}
	return all, nil
}

// Punctuate puts punctuation and capitals into a talk: one text per sentence, with the same words between the same spaces. A
// sentence whose words the model would have changed stays as it was.
func (c *Client) Punctuate(ctx context.Context, t Talk) ([]string, error) {
	return c.echoes(ctx, t, func(ctx context.Context, p piece) ([]string, error) {
		return c.echo(ctx, "punctuation", "Write each sentence again, with its number n, with the punctuation and capital letters that belong there. Change, add, join and leave out no words.",
			nil, p, func(it item, s string) (string, error) {
				was := strings.Join(strings.Fields(it.Text), " ")
				if !sameWords(was, s) {
					return was, nil
				}
				return s, nil
			})
	})
}

// sameWords tells whether two texts differ in nothing but punctuation and case.
func sameWords(a, b string) bool {
	x, y := strings.Fields(a), strings.Fields(b)
	if len(x) != len(y) || utf8.RuneCountInString(b) > 2*utf8.RuneCountInString(a)+8 {
		return false
	}
	for i := range x {
		if !strings.EqualFold(bare(x[i]), bare(y[i])) {
			return false
		}
	}
	return true
}

// bare is a word without punctuation.
func bare(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPunct(r) {
			return -1
		}
		return r
	}, word)
}
