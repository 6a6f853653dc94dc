package config

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// bounds are the least and the greatest value of a number or a duration, as the tag bounds of a
// field of [Config] has them: 1..32, 10ms.., or 0 or 1m.., where 0 is allowed beside them.
type bounds struct {
	least, most string // most: empty where there is none
	zero        bool   // 0 is allowed as well
}

// boundsOf reads the tag bounds.
func boundsOf(f reflect.StructField) (b bounds, ok bool) {
	text, ok := f.Tag.Lookup("bounds")
	if !ok {
		return b, false
	}
	text, b.zero = strings.CutPrefix(text, "0 or ")
	b.least, b.most, _ = strings.Cut(text, "..")
	return b, true
}

// String describes what the bounds allow, as in "must be …".
func (b bounds) String() string {
	text := "at least " + b.least
	if b.most != "" {
		text = b.least + " to " + b.most
	}
	if b.zero {
		text = "0 or " + text
	}
	return text
}

// allow reports whether a number or a duration lies within the bounds.
func (b bounds) allow(v reflect.Value) bool {
	n := numberOf(v)
	return b.zero && n == 0 || n >= readNumber(v.Type(), b.least) && (b.most == "" || n <= readNumber(v.Type(), b.most))
}

func numberOf(v reflect.Value) float64 {
	if v.CanFloat() {
		return v.Float()
	}
	return float64(v.Int())
}

// readNumber reads a bound of a type. Tags are part of the program: one that cannot be read is a
// fault of it.
func readNumber(t reflect.Type, text string) float64 {
	if t == reflect.TypeFor[time.Duration]() {
		d, err := time.ParseDuration(text)
		if err != nil {
			panic(err)
		}
		return float64(d)
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err)
	}
	return n
}

// choicesOf reads the tag choices: the texts that a field, or each element of its list, may have.
func choicesOf(f reflect.StructField) []string {
	if text := f.Tag.Get("choices"); text != "" {
		return strings.Split(text, ",")
	}
	return nil
}

// checkFields refuses what lies outside the bounds and choices of its field. Prefix is the path of
// the struct, followed by a dot.
func checkFields(v reflect.Value, prefix string, fault faults) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		checkField(v.Field(i), f, prefix+f.Tag.Get("yaml"), fault)
	}
}

func checkField(v reflect.Value, f reflect.StructField, path string, fault faults) {
	if b, ok := boundsOf(f); ok && !b.allow(v) {
		fault("%s must be %s, not %v", path, b, v.Interface())
	}
	checkChoices(v, choicesOf(f), path, fault)
	switch {
	case v.Type() == reflect.TypeFor[time.Time]():
	case v.Kind() == reflect.Struct:
		checkFields(v, path+".", fault)
	case v.Kind() == reflect.Pointer && !v.IsNil():
		checkFields(v.Elem(), path+".", fault)
	case v.Kind() == reflect.Map && f.Type.Elem().Kind() == reflect.Struct:
		named := map[string]reflect.Value{}
		for _, key := range v.MapKeys() {
			named[key.String()] = v.MapIndex(key)
		}
		for _, name := range slices.Sorted(maps.Keys(named)) {
			checkFields(named[name], path+"."+name+".", fault)
		}
	}
}

func checkChoices(v reflect.Value, choices []string, path string, fault faults) {
	if choices == nil {
		return
	}
	values := []string{}
	if v.Kind() == reflect.Slice {
		for i := range v.Len() {
			values = append(values, v.Index(i).String())
		}
	} else {
		values = append(values, v.String())
	}
	for _, value := range values {
		if !slices.Contains(choices, value) {
			fault("%s: %q is none of %s", path, value, strings.Join(choices, ", "))
		}
	}
}

// typeName is the kind of value that a field takes, for people.
func typeName(f reflect.StructField) string {
	switch {
	case f.Type == reflect.TypeFor[time.Duration]():
		return "duration"
	case f.Type == reflect.TypeFor[time.Time]():
		return "time"
	case strings.HasSuffix(f.Tag.Get("yaml"), "_bytes"):
		return "bytes"
	}
	switch f.Type.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64, reflect.Float64:
		return "number"
	case reflect.Slice:
		return "list"
	case reflect.Map:
		return "table"
	case reflect.String:
		return "text"
	}
	panic(fmt.Sprintf("configuration: %s has the type %s", f.Name, f.Type))
}
