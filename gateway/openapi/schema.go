package openapi

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
)

// Schema is a JSON schema, draft 2020-12. Its zero value allows everything.
type Schema struct {
	Ref         string `json:"$ref,omitempty"`
	Description string `json:"description,omitempty"`
	Deprecated  bool   `json:"deprecated,omitempty"`
	Stability   string `json:"x-stability,omitempty"` // alpha or beta: it may still change
	// the switch of an add-on beside those of the public API
	Addon                bool              `json:"x-addon,omitempty"`
	Type                 Types             `json:"type,omitempty"`
	Format               string            `json:"format,omitempty"`
	Pattern              string            `json:"pattern,omitempty"`
	ContentMediaType     string            `json:"contentMediaType,omitempty"`
	Const                json.RawMessage   `json:"const,omitempty"`
	Enum                 []json.RawMessage `json:"enum,omitempty"`
	Default              json.RawMessage   `json:"default,omitempty"`
	Minimum              json.Number       `json:"minimum,omitempty"`
	Maximum              json.Number       `json:"maximum,omitempty"`
	MinLength            *int              `json:"minLength,omitempty"`
	MaxLength            *int              `json:"maxLength,omitempty"`
	Items                *Schema           `json:"items,omitempty"`
	MinItems             *int              `json:"minItems,omitempty"`
	MaxItems             *int              `json:"maxItems,omitempty"`
	Properties           Ordered[*Schema]  `json:"properties,omitempty"`
	Required             []string          `json:"required,omitempty"`
	PropertyNames        *Schema           `json:"propertyNames,omitempty"`
	AdditionalProperties *Schema           `json:"additionalProperties,omitempty"`
	MaxProperties        *int              `json:"maxProperties,omitempty"`
	AnyOf                []*Schema         `json:"anyOf,omitempty"`

	foreign bool // of a dialect: not on the page
}

// Types are the JSON types a value may have.
type Types []string

// MarshalJSON writes a lone type as a string.
func (t Types) MarshalJSON() ([]byte, error) {
	if len(t) == 1 {
		return json.Marshal(t[0])
	}
	return json.Marshal([]string(t))
}

// Ordered is a JSON object whose members keep their order.
type Ordered[T any] []Member[T]

// Member is one member of an object.
type Member[T any] struct {
	Name  string
	Value T
}

// MarshalJSON writes an object.
func (o Ordered[T]) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(m.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.Value)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// get returns the member of that name.
func (o Ordered[T]) get(name string) (T, bool) {
	for _, m := range o {
		if m.Name == name {
			return m.Value, true
		}
	}
	var none T
	return none, false
}

// set replaces the member of that name or adds one.
func (o *Ordered[T]) set(name string, value T) {
	for i := range *o {
		if (*o)[i].Name == name {
			(*o)[i].Value = value
			return
		}
	}
	*o = append(*o, Member[T]{name, value})
}

// sorted is a copy by name.
func (o Ordered[T]) sorted() Ordered[T] {
	return slices.SortedFunc(slices.Values(o), func(a, b Member[T]) int { return cmp.Compare(a.Name, b.Name) })
}

// options are the schemas one of which is enough.
func (s *Schema) options() []*Schema {
	if len(s.AnyOf) > 0 {
		return s.AnyOf
	}
	return []*Schema{s}
}

// orNull also allows null.
func (s *Schema) orNull() *Schema {
	switch {
	case s.Ref != "" || len(s.AnyOf) > 0 || s.Const != nil || s.Enum != nil:
		return &Schema{AnyOf: []*Schema{s, {Type: Types{"null"}}}}
	case len(s.Type) == 0:
		return s
	}
	wide := *s
	wide.Type = append(Types{}, s.Type...)
	wide.Type = append(wide.Type, "null")
	return &wide
}

// optional also allows null, as what is read does of a field that may be missing. What belongs to
// the field stays in its place.
func (s *Schema) optional() *Schema {
	wide := *s
	null := &Schema{Type: Types{"null"}}
	switch {
	case s.Ref != "":
		return &Schema{AnyOf: []*Schema{{Ref: s.Ref}, null}, Description: s.Description, Deprecated: s.Deprecated,
			Default: s.Default}
	case len(s.AnyOf) > 0:
		wide.AnyOf = append(slices.Clone(s.AnyOf), null)
		return &wide
	case len(s.Type) == 0:
		return s
	case s.Const != nil:
		wide.Enum, wide.Const = []json.RawMessage{s.Const}, nil
	}
	wide.Type = append(slices.Clone(s.Type), "null")
	if len(wide.Enum) > 0 {
		wide.Enum = append(slices.Clone(wide.Enum), json.RawMessage("null"))
	}
	return &wide
}
