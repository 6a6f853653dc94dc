package wyoming

import (
	"encoding/json"
	"testing"

	"steno/gateway/dialect/dialecttest"
)

// TestOptions has all that the library wyoming of Python can state of what is to be transcribed.
func TestOptions(t *testing.T) {
	dialecttest.Client{
		Where: "transcribe", Ignored: ignored(),
		Options: map[string]string{"context": `{}`, "language": `"de"`, "name": `"stt-3"`,
			"transcript_names": `["Ada"]`, "transcript_terms": `["lamp"]`, "vad_sensitivity": `"relaxed"`},
		Parse: func(name, value string) (any, error) {
			var s settings
			return &s, read(name, value, &s)
		},
	}.Check(t)
	for _, kind := range []string{"audio-start", "audio-chunk"} {
		dialecttest.Client{
			Where: kind, Ignored: ignored(),
			Options: map[string]string{"channels": `2`, "rate": `8000`, "timestamp": `5`, "width": `2`},
			Parse: func(name, value string) (any, error) {
				var f format
				return &f, read(name, value, &f)
			},
		}.Check(t)
	}
}

// read reads the data of an event with a member.
func read(name, value string, into any) error {
	e := event{}
	if name != "" {
		e.data[0] = json.RawMessage(`{"` + name + `":` + value + `}`)
	}
	return e.read(into)
}
