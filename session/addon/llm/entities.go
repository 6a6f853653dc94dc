package llm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Entity is a thing that a talk names.
type Entity struct {
	Type       string
	Sentence   int // index in the talk
	Start, End int // its place in the sentence's text, in bytes
	Text       string
}

// quote is an entity in the model's answer.
type quote struct {
	N          int
	Type, Text string
}

const (
	maxEntities = 500 // in one piece
	maxTypes    = 200
)

// Entities finds what a talk names of the types, in order. The model's answers must occur in it, word for word; what does not is
// left out.
func (c *Client) Entities(ctx context.Context, t Talk, types []string) ([]Entity, error) {
	if len(types) == 0 || len(types) > maxTypes {
		return nil, c.caller.Fault(http.StatusBadRequest, "BadTypes", fmt.Sprintf("needs 1 to %d types of entities", maxTypes), nil)
	}
	pieces, err := c.pieces(t.Sentences, min(c.config.MaxInput, maxRewrite), maxRewriteItems)
	if err != nil {
		return nil, err
	}
	parts, err := gather(ctx, c, pieces, func(ctx context.Context, p piece) ([]Entity, error) {
		return c.entities(ctx, types, p)
	})
	if err != nil {
		return nil, err
	}
	return slices.Concat(parts...), nil
}

func (c *Client) entities(ctx context.Context, types []string, p piece) ([]Entity, error) {
	said := &task{"entities", "Find everything in the sentences that is of one of these types: " + strings.Join(types, ", ") +
		". For each tell the number n of the sentence, the type, and its text exactly as it stands there, without words that do not belong to it. None if there is none.",
		fields(object{"entities": list(fields(object{"n": number(0, len(p)-1), "type": oneOf(types), "text": text()}), maxEntities)})}
	var found []Entity
	_, err := do(ctx, c, said, object{"sentences": p}, func(a *struct{ Entities []quote }) error {
		found = p.places(a.Entities)
		if len(a.Entities) > 0 && len(found) == 0 {
			return errors.New("the texts must occur in their sentences, letter by letter")
		}
		return nil
	})
	return found, err
}

// places finds where the quotes stand, each the first time that is not taken by an earlier quote.
func (p piece) places(quotes []quote) []Entity {
	var found []Entity
	taken := make(map[[2]int][]Entity) // by sentence and offset of the item
	for _, q := range quotes {
		it := p[q.N]
		key := [2]int{it.sentence, it.offset}
		free := func(start, end int) bool {
			return !slices.ContainsFunc(taken[key], func(e Entity) bool { return start < e.End-it.offset && e.Start-it.offset < end })
		}
		start := occurrence(it.Text, q.Text, free)
		if start < 0 {
			continue
		}
		e := Entity{Type: q.Type, Sentence: it.sentence, Start: it.offset + start, End: it.offset + start + len(q.Text), Text: q.Text}
		taken[key] = append(taken[key], e)
		found = append(found, e)
	}
	slices.SortStableFunc(found, func(a, b Entity) int {
		return cmp.Or(cmp.Compare(a.Sentence, b.Sentence), cmp.Compare(a.Start, b.Start))
	})
	return found
}

// occurrence is where a quote stands in a text, as whole words and where it may; -1: nowhere.
func occurrence(s, quote string, may func(start, end int) bool) int {
	if strings.TrimSpace(quote) == "" || strings.TrimSpace(quote) != quote {
		return -1
	}
	for from := 0; ; {
		i := strings.Index(s[from:], quote)
		if i < 0 {
			return -1
		}
		start, end := from+i, from+i+len(quote)
		if apart(s, start) && apart(s, end) && may(start, end) {
			return start
		}
		_, size := utf8.DecodeRuneInString(s[start:])
		from = start + size
	}
}

// apart reports whether a word may begin or end at a place of a text.
func apart(s string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	after, _ := utf8.DecodeRuneInString(s[at:])
	return at == 0 || at == len(s) || !joins(before) || !joins(after)
}

// joins reports whether a rune is a part of words between spaces. Scripts without spaces have none.
func joins(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)) && !spaceless(r)
}

func spaceless(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan)
}
