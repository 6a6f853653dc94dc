package messages

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// List is a slice that JSON shows as [] where it is nil. A plain slice may be assigned to it and it
// to one.
type List[T any] []T

// MarshalJSON writes an array, never null.
func (l List[T]) MarshalJSON() ([]byte, error) {
	if len(l) == 0 {
		return []byte("[]"), nil
	}
	return marshal([]T(l))
}

// Object is a free JSON object; nil is written as {}. Numbers in it are [json.Number], so that they
// come back as they were written.
type Object map[string]any

// MarshalJSON writes an object, never null.
func (o Object) MarshalJSON() ([]byte, error) {
	if len(o) == 0 {
		return []byte("{}"), nil
	}
	return marshal(map[string]any(o))
}

// UnmarshalJSON reads an object; null makes it nil.
func (o *Object) UnmarshalJSON(b []byte) error {
	var tree map[string]any
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&tree); err != nil {
		return fmt.Errorf("free object: %w", err)
	}
	*o = tree
	return nil
}

// marshal is json.Marshal without the escaping of <, > and &.
func marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}
