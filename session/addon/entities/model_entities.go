package entities

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"steno/session/addon/llm"
)

// ModelEntity is a thing that a transcript names.
type ModelEntity struct {
	Type       string
	Sentence   int // index in the transcript
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

// FromModel finds what a transcript names of the types, in order. The model's answers must occur in
// it, word for word; what does not is left out.
func FromModel(ctx context.Context, c *llm.Client, t llm.Transcript, types []string) ([]ModelEntity, error) {
	if len(types) == 0 || len(types) > maxTypes {
		return nil, c.Fault(http.StatusBadRequest, "BadTypes", fmt.Sprintf("needs 1 to %d types of entities",
			maxTypes), nil)
	}
	pieces, err := c.ShortPieces(t.Sentences)
	if err != nil {
		return nil, err
	}
	parts, err := llm.Gather(ctx, c, pieces, func(ctx context.Context, p llm.Piece) ([]ModelEntity, error) {
		return pieceEntities(ctx, c, types, p)
	})
	if err != nil {
		return nil, err
	}
	return slices.Concat(parts...), nil
}

func pieceEntities(ctx context.Context, c *llm.Client, types []string, p llm.Piece) ([]ModelEntity, error) {
	said := &llm.Task{Name: "entities", Says: "Find everything in the sentences that is of one of these types: " +
		strings.Join(types, ", ") +
		". For each tell the number n of the sentence, the type, and its text exactly as it stands there, without " +
		"words that do not belong to it. None if there is none.",
		Schema: llm.Fields(llm.Object{"entities": llm.List(llm.Fields(llm.Object{"n": llm.Number(0, len(p)-1),
			"type": llm.OneOf(types), "text": llm.Text()}), maxEntities)})}
	var found []ModelEntity
	_, err := llm.Do(ctx, c, said, llm.Object{"sentences": p}, func(a *struct{ Entities []quote }) error {
		found = quotePlaces(p, a.Entities)
		if len(a.Entities) > 0 && len(found) == 0 {
			return errors.New("the texts must occur in their sentences, letter by letter")
		}
		return nil
	})
	return found, err
}

// quotePlaces finds where the quotes stand, each the first time that is not taken by an earlier
// quote.
func quotePlaces(p llm.Piece, quotes []quote) []ModelEntity {
	var found []ModelEntity
	taken := make(map[[2]int][]ModelEntity) // by sentence and offset of the item
	for _, q := range quotes {
		it := p[q.N]
		key := [2]int{it.Sentence, it.Offset}
		free := func(start, end int) bool {
			return !slices.ContainsFunc(taken[key], func(e ModelEntity) bool {
				return start < e.End-it.Offset &&
					e.Start-it.Offset < end
			})
		}
		start := llm.Occurrence(it.Text, q.Text, free)
		if start < 0 {
			continue
		}
		e := ModelEntity{Type: q.Type, Sentence: it.Sentence, Start: it.Offset + start, End: it.Offset + start +
			len(q.Text), Text: q.Text}
		taken[key] = append(taken[key], e)
		found = append(found, e)
	}
	slices.SortStableFunc(found, func(a, b ModelEntity) int {
		return cmp.Or(cmp.Compare(a.Sentence, b.Sentence), cmp.Compare(a.Start, b.Start))
	})
	return found
}
