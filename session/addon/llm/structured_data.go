package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
)

const (
	maxClasses = 100
	maxClass   = 500 // characters
	maxValues  = 100 // of a class in one piece
	maxValue   = 1000
)

// values is what a talk says of a class, identified by its number.
type values struct {
	Class  int
	Values []string
}

// StructuredData finds what a talk says of some classes of data. It returns the JSON text of an object with an array of
// strings for each class, in the order asked for.
func (c *Client) StructuredData(ctx context.Context, t Talk, classes []string) (string, error) {
	classes = once(classes)
	if len(classes) == 0 || len(classes) > maxClasses || slices.ContainsFunc(classes, func(s string) bool { return !within(s, maxClass) }) {
		return "", c.caller.Fault(http.StatusBadRequest, "BadClasses", fmt.Sprintf("needs 1 to %d classes of 1 to %d characters", maxClasses, maxClass), nil)
	}
	pieces, err := c.pieces(t.Sentences, c.config.MaxInput, maxItems)
	if err != nil {
		return "", err
	}
	parts, err := gather(ctx, c, pieces, func(ctx context.Context, p piece) ([]values, error) {
		return c.data(ctx, classes, p)
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

func (c *Client) data(ctx context.Context, classes []string, p piece) ([]values, error) {
	said := &task{"structured_data", "The data also holds classes of information. For each class, told by its number from 0, list what the conversation says that belongs to it, short and without repetition. Leave out classes of which it says nothing.",
		fields(object{"data": list(fields(object{"class": number(0, len(classes)-1), "values": list(text(), maxValues)}), len(classes))})}
	a, err := do(ctx, c, said, object{"classes": classes, "sentences": p}, func(a *struct{ Data []values }) error {
		for i, d := range a.Data {
			for j, v := range d.Values {
				if d.Values[j] = line(v); !within(d.Values[j], maxValue) {
					return fmt.Errorf("data[%d]: each value must have 1 to %d characters", i, maxValue)
				}
			}
		}
		return nil
	})
	return a.Data, err
}

// ordered is the JSON text of an object, its fields in the order given.
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
