package messages

import (
	"bytes"
	"encoding/json"
)

// WithoutChapters is a post_final_transcript message, as it was written, without its chapters.
// Everything else stays byte for byte. A message that has none is returned as it is.
func WithoutChapters(message []byte) []byte {
	var outer struct{ Data json.RawMessage }
	if json.Unmarshal(message, &outer) != nil || !bytes.HasSuffix(message, append(bytes.Clone(outer.Data), '}')) {
		return message
	}
	data := ResultWithoutChapters(outer.Data)
	return append(append(bytes.Clone(message[:len(message)-1-len(outer.Data)]), data...), '}')
}

// ResultWithoutChapters is a job's result without its chapters. Everything else stays byte for
// byte. A result that has none is returned as it is.
func ResultWithoutChapters(result []byte) []byte {
	from, to, ok := member(result, "chapterization")
	if !ok {
		return result
	}
	return append(bytes.Clone(result[:from]), result[to:]...)
}

// member finds a member of an object, with the comma that goes with it.
func member(object []byte, name string) (from, to int, ok bool) {
	d := json.NewDecoder(bytes.NewReader(object))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return 0, 0, false
	}
	first := int(d.InputOffset())
	for d.More() {
		from = int(d.InputOffset())
		key, err := d.Token()
		if err != nil {
			return 0, 0, false
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return 0, 0, false
		}
		if key == name {
			to = int(d.InputOffset())
			if from == first && to < len(object) && object[to] == ',' {
				to++
			}
			return from, to, true
		}
	}
	return 0, 0, false
}
