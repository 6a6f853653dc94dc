package embedded

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"steno/session/store"
)

// maxDepth is how deep objects in custom metadata are looked into; deeper ones compare as a whole, by their JSON.
const maxDepth = 16

// metadataValue is one value of a metadata object: its path and its string form. An object within the object has one of its
// own.
type metadataValue struct {
	path  string // JSON array of keys, followed by {} for an object
	value string
}

// flatten lists the values of a JSON object, so that one object contains another if it has all of the other's values.
// Nil has none. The order is not defined.
func flatten(object json.RawMessage) ([]metadataValue, error) {
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
	return flattenObject(nil, nil, top), nil
}

func flattenObject(values []metadataValue, path []string, o map[string]any) []metadataValue {
	for k, v := range o {
		at := append(path[:len(path):len(path)], k)
		inner, isObject := v.(map[string]any)
		if !isObject || len(at) >= maxDepth {
			values = append(values, metadataValue{toJSON(at), stringForm(v)})
			continue
		}
		values = append(values, metadataValue{toJSON(at) + "{}", ""})
		values = flattenObject(values, at, inner)
	}
	return values
}

// stringForm is how a value compares: a string as itself, a number as JavaScript prints it, anything else as JSON.
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
