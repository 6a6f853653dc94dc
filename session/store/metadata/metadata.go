// Package metadata compares custom metadata: one JSON object contains another if it has all of the
// other's values.
package metadata

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"steno/messages"
	"steno/session/store"
)

// maxDepth is how deep objects in custom metadata are looked into; deeper ones compare as a whole,
// by their JSON.
const maxDepth = 16

// Value is one value of an object. An object within the object has one of its own.
type Value struct {
	Path string // JSON array of keys, followed by {} for an object
	Form string // the value as it compares: a string as itself, a number as JavaScript prints it, anything else as JSON
}

// Wanted lists the values that a record's metadata must have to be found by a filter; nil for a
// filter that is empty. Errors: store.ErrInvalid, store.ErrTooLarge (more than 64 values).
func Wanted(filter map[string]any) ([]Value, error) {
	if len(filter) == 0 {
		return nil, nil
	}
	object, err := json.Marshal(filter)
	if err != nil {
		return nil, fmt.Errorf("metadata filter: %w: %w", store.ErrInvalid, err)
	}
	values, err := Values(object)
	if err != nil {
		return nil, err
	}
	if len(values) > messages.MaxFilterValues {
		return nil, fmt.Errorf("metadata filter: %w: more than %d values", store.ErrTooLarge, messages.MaxFilterValues)
	}
	return values, nil
}

// Values lists the values of a JSON object, in an order that is not defined. Nil has none. Errors:
// store.ErrInvalid.
func Values(object json.RawMessage) ([]Value, error) {
	if object == nil {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(object))
	d.UseNumber()
	var top map[string]any
	if err := d.Decode(&top); err != nil {
		return nil, fmt.Errorf("metadata: %w: no JSON object", store.ErrInvalid)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("metadata: %w: more than a JSON object", store.ErrInvalid)
	}
	return valuesOf(nil, nil, top), nil
}

func valuesOf(values []Value, path []string, o map[string]any) []Value {
	for k, v := range o {
		at := append(path[:len(path):len(path)], k)
		inner, isObject := v.(map[string]any)
		if !isObject || len(at) >= maxDepth {
			values = append(values, Value{toJSON(at), stringForm(v)})
			continue
		}
		values = append(values, Value{toJSON(at) + "{}", ""})
		values = valuesOf(values, at, inner)
	}
	return values
}

// stringForm is how a value compares, see Value.
func stringForm(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return numberForm(v)
	}
	return toJSON(v)
}

func numberForm(n json.Number) string {
	if !strings.ContainsAny(n.String(), ".eE") {
		return n.String()
	}
	f, err := n.Float64()
	if err != nil {
		return n.String()
	}
	return toJSON(f + 0) // which turns -0 into 0, as JavaScript does
}

// toJSON writes what came out of a JSON decoder, which always can be written.
func toJSON(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return ""
	}
	return strings.TrimSuffix(b.String(), "\n")
}
