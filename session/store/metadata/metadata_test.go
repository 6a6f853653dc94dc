package metadata

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"steno/messages"
)

func TestStringForm(t *testing.T) {
	for _, c := range []struct{ json, want string }{
		{`"text"`, "text"}, {`""`, ""}, {`5`, "5"}, {`5.0`, "5"}, {`-0.5`, "-0.5"}, {`1e3`, "1000"}, {`1.50`, "1.5"},
		{`-0.0`, "0"}, {`1E-6`, "0.000001"}, {`2.5e-7`, "2.5e-7"}, {`1e21`, "1e+21"}, {`1e20`, "100000000000000000000"},
		{`123456789012345678901`, "123456789012345678901"}, {`1e400`, "1e400"}, {`true`, "true"}, {`null`, "null"},
		{`[1, "a", {"b": 2}]`, `[1,"a",{"b":2}]`},
	} {
		values, err := Values(json.RawMessage(`{"k":` + c.json + `}`))
		if err != nil || len(values) != 1 || values[0] != (Value{`["k"]`, c.want}) {
			t.Errorf("%s: values are %q, %v", c.json, values, err)
		}
	}
}

// FuzzValues finds that an object contains itself, and that nesting cannot make the values much
// larger than the text.
func FuzzValues(f *testing.F) {
	f.Add([]byte(`{"a":{"b":[1,2.5,null]},"c":"d"}`))
	f.Add([]byte(strings.Repeat(`{"a":`, 100) + `1` + strings.Repeat(`}`, 100)))
	f.Fuzz(func(t *testing.T, text []byte) {
		values, err := Values(text)
		if err != nil {
			return
		}
		size := 0
		for _, m := range values {
			size += len(m.Path) + len(m.Form)
		}
		// A byte of a key takes at most six in JSON, and stands in the path of all that is below
		// it.
		if limit := 6 * (maxDepth + 1) * (len(text) + 8) * maxDepth; size > limit && len(text) < 1000 {
			t.Fatalf("%d bytes make %d of values", len(text), size)
		}
		var object map[string]any
		d := json.NewDecoder(strings.NewReader(string(text)))
		d.UseNumber()
		if err := d.Decode(&object); err != nil {
			t.Fatal(err)
		}
		again, err := Wanted(object)
		if len(values) > messages.MaxFilterValues || err != nil {
			return
		}
		for _, m := range again {
			if !slices.Contains(values, m) {
				t.Fatalf("%q contains %q, but not when asked for", text, m)
			}
		}
	})
}
