package audio_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"steno/audio"
	"steno/messages"
)

// TestRequestsKnowTheEncodings compares the names and bit depths that requests permit with those
// that package audio declares. Package messages imports nothing.
func TestRequestsKnowTheEncodings(t *testing.T) {
	field, _ := reflect.TypeFor[messages.LiveRequest]().FieldByName("Encoding")
	if want := strings.Join(audio.EncodingNames(), ","); field.Tag.Get("enum") != want {
		t.Errorf("requests allow %s, and audio has %s", field.Tag.Get("enum"), want)
	}
	for _, name := range audio.EncodingNames() {
		for _, depth := range []int{8, 16, 24, 32} {
			body, err := json.Marshal(map[string]any{"encoding": name, "bit_depth": depth})
			if err != nil {
				t.Fatal(err)
			}
			r, problem := messages.ParseLive(body)
			if problem != nil {
				t.Fatal(problem)
			}
			f := audio.Format{BitDepth: r.BitDepth, SampleRate: r.SampleRate, Channels: r.Channels}
			known := false
			if f.Encoding, known = audio.EncodingNamed(name); known == r.Container() || known && f.Validate() != nil {
				t.Errorf("%s of %d bit: %v, a container: %v", name, depth, f, r.Container())
			}
		}
	}
}
