package dialect

import (
	"bytes"
	"encoding/json"
)

// JSON returns a message as JSON without escapes for HTML. All that dialects write can be encoded:
// strings, finite numbers, and structs of them.
func JSON(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
