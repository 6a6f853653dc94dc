package config

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

// TestEveryKeyIsDescribed wants each key once on the page, with its flag where it has one.
func TestEveryKeyIsDescribed(t *testing.T) {
	page, err := Reference(map[string]string{"listen": "--of-a-test"})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range keys(reflect.TypeFor[Config](), "") {
		if n := bytes.Count(page, []byte("**`"+path+"`**:")); n != 1 {
			t.Errorf("%s stands %d times on the page", path, n)
		}
	}
	if n := bytes.Count(page, []byte("; `--of-a-test`\n")); n != 1 {
		t.Errorf("a flag stands %d times on the page", n)
	}
}

// TestTablesAreDescribed wants every field of the configuration's tables in the examples of
// steno.yml.
func TestTablesAreDescribed(t *testing.T) {
	for table, of := range map[string]reflect.Type{"  more:": reflect.TypeFor[NamedEngine](),
		"keys:": reflect.TypeFor[ConfiguredKey]()} {
		before, _, _ := strings.Cut(string(Defaults), "\n"+table+" {}")
		example := before[strings.LastIndex(before, "\n\n"):]
		for _, name := range names(of) {
			if !strings.Contains(example, name) {
				t.Errorf("%s is not in the example of %s", name, strings.TrimSpace(table))
			}
		}
	}
}

// names lists the keys of a struct and of the structs in it, but not those of engines that have
// sections of their own.
func names(t reflect.Type) (all []string) {
	for i := range t.NumField() {
		f := t.Field(i)
		all = append(all, f.Tag.Get("yaml"))
		if inner := f.Type; inner.Kind() == reflect.Pointer && (inner.Elem() == reflect.TypeFor[Riva]() ||
			inner.Elem() == reflect.TypeFor[OpenAI]() || inner.Elem() == reflect.TypeFor[Realtime]()) {
			all = append(all, names(inner.Elem())...)
		}
	}
	return all
}
