package dialect

import (
	"encoding/json"
	"reflect"
)

// Body is what a request or an answer has, of several of one media type any one.
type Body struct {
	Media string
	// Of is a value of the struct whose JSON it is, or whose fields are those of the form; nil:
	// bytes, or a text.
	Of   any
	Note string // about bytes or a text
}

// BodyOf returns a body that is the JSON of a struct.
func BodyOf(v any) Body { return Body{Media: "application/json", Of: v} }

// Raw is a part of a request whose JSON is read later, as a T.
type Raw[T any] struct{ json.RawMessage }

// ReadAs returns what it is read as, for descriptions.
func (Raw[T]) ReadAs() reflect.Type { return reflect.TypeFor[T]() }
