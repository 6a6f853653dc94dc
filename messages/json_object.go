package messages

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

var (
	errTooDeep   = errors.New("the JSON is nested too deeply")
	errNotObject = errors.New("the body must be a JSON object")
)

// parseObject reads a JSON object as a tree of map[string]any, []any, string, json.Number, bool and
// nil. Of a key given twice the last counts; bytes that are not UTF-8 become U+FFFD.
func parseObject(body []byte) (map[string]any, *Problem) {
	if NestedDeeper(body, maxDepth) {
		return nil, malformed(errTooDeep.Error(), errTooDeep)
	}
	var tree any
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(&tree); err != nil {
		return nil, malformed("the body must be valid JSON"+syntaxPosition(err), err)
	}
	if len(bytes.TrimLeft(body[d.InputOffset():], " \t\r\n")) > 0 {
		return nil, malformed("the body must be one JSON object and nothing after it", errNotObject)
	}
	object, ok := tree.(map[string]any)
	if !ok {
		return nil, malformed(errNotObject.Error(), errNotObject)
	}
	return object, nil
}

// syntaxPosition tells the position of a syntax error, where it is known.
func syntaxPosition(err error) string {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return ""
	}
	return fmt.Sprintf(": wrong at byte %d", syntax.Offset)
}

func malformed(text string, cause error) *Problem {
	return &Problem{
		Status: http.StatusBadRequest, Message: "Malformed JSON",
		ValidationErrors: []string{text}, Err: cause,
	}
}

// NestedDeeper reports whether arrays and objects stand more than limit deep within each other. It
// need not be exact for text that is no JSON.
func NestedDeeper(text []byte, limit int) bool {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			if depth++; depth > limit {
				return true
			}
		case '}', ']':
			depth--
		case '"':
			i = endOfString(text, i)
		}
	}
	return false
}

// endOfString is the index of the quote that closes the string opened at i, or the length of the
// text.
func endOfString(text []byte, i int) int {
	for i++; i < len(text); i++ {
		next := bytes.IndexAny(text[i:], `"\`)
		if next < 0 {
			return len(text)
		}
		if i += next; text[i] == '"' {
			return i
		}
		i++ // what the backslash escapes
	}
	return len(text)
}
