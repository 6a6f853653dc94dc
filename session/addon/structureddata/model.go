package structureddata

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"steno/session/addon/llm"
)

const (
	maxClasses = 100
	maxClass   = 500 // characters
	maxValues  = 100 // of a class in one piece
	maxValue   = 1000
)

// values are what a transcript contains for a class, which Class identifies by its number.
type values struct {
	Class  int
	Values []string
}

// FromModel finds the values in a transcript for some classes of data. It returns the JSON text of
// an object with an array of strings for each class, in the order asked for.
func FromModel(ctx context.Context, c *llm.Client, t llm.Transcript, classes []string) (string, error) {
	classes = once(classes)
	if len(classes) == 0 || len(classes) > maxClasses || slices.ContainsFunc(classes,
		func(s string) bool { return !llm.Within(s, maxClass) }) {
		return "", c.Fault(http.StatusBadRequest, "BadClasses",
			fmt.Sprintf("needs 1 to %d classes of 1 to %d characters", maxClasses, maxClass), nil)
	}
	pieces, err := c.Pieces(t.Sentences)
	if err != nil {
		return "", err
	}
	parts, err := llm.Gather(ctx, c, pieces, func(ctx context.Context, p llm.Piece) ([]values, error) {
		return pieceData(ctx, c, classes, p)
	})
	if err != nil {
		return "", err
	}
	all := make([][]string, len(classes))
	for _, part := range parts {
		for _, v := range part {
			all[v.Class] = append(all[v.Class], v.Values...)
		}
	}
	return ordered(classes, all)
}

func pieceData(ctx context.Context, c *llm.Client, classes []string, p llm.Piece) ([]values, error) {
	said := &llm.Task{
		Name: "structured_data",
		Says: "The data also holds classes of information. For each class, told by its number from 0, list what " +
			"the conversation says that belongs to it, short and without repetition. Leave out classes of which it " +
			"says nothing.",
		Schema: llm.Fields(llm.Object{"data": llm.List(llm.Fields(llm.Object{"class": llm.Number(0, len(classes)-1),
			"values": llm.List(llm.Text(), maxValues)}), len(classes))})}
	a, err := llm.Do(ctx, c, said, llm.Object{"classes": classes, "sentences": p},
		func(a *struct{ Data []values }) error {
			for i, d := range a.Data {
				for j, v := range d.Values {
					if d.Values[j] = llm.Line(v); !llm.Within(d.Values[j], maxValue) {
						return fmt.Errorf("data[%d]: each value must have 1 to %d characters", i, maxValue)
					}
				}
			}
			return nil
		})
	return a.Data, err
}

// ordered is the JSON text of an Object, its fields in the order given.
func ordered(names []string, all [][]string) (string, error) {
	b := []byte{'{'}
	for i, name := range names {
		if i > 0 {
			b = append(b, ',')
		}
		key, err := json.Marshal(name)
		if err != nil {
			return "", fmt.Errorf("encode class: %w", err)
		}
		list, err := json.Marshal(append([]string{}, once(all[i])...))
		if err != nil {
			return "", fmt.Errorf("encode values: %w", err)
		}
		b = append(append(append(b, key...), ':'), list...)
	}
	return string(append(b, '}')), nil
}

// once is a list without what was there before.
func once(all []string) []string {
	seen := make(map[string]bool, len(all))
	var out []string
	for _, s := range all {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}
