package files

import (
	"reflect"
	"testing"
)

// Every field that the description has is read, with brackets after its name and without.
func TestReadForm(t *testing.T) {
	values := map[reflect.Kind]string{reflect.Bool: "true", reflect.Float64: "0.5", reflect.String: "x",
		reflect.Slice: "x"}
	for field := range reflect.TypeFor[form]().Fields() {
		name := field.Tag.Get("json")
		for _, sent := range []string{name, name + "[]"} {
			f, err := readForm(map[string][]string{sent: {"", values[field.Type.Kind()]}, "other": {"x"}})
			if read := !reflect.ValueOf(f).FieldByIndex(field.Index).IsZero(); err != nil || read == (name == "file") {
				t.Errorf("%s was read: %v, %v", sent, read, err)
			}
		}
	}
}
