package messages

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// bodyDecoder fills structs from the JSON tree of a body, following their tags. It collects every
// fault and what the client is to be warned of.
type bodyDecoder struct {
	faults
	given    map[string]bool        // dotted paths of the known fields that are there and not null
	objects  map[string]*bodyObject // of the body, by dotted path
	warnings Warnings
	declared []Declaration // the add-ons beside those of the public API
}

func newBodyDecoder(declared ...Declaration) *bodyDecoder {
	return &bodyDecoder{given: map[string]bool{}, objects: map[string]*bodyObject{}, declared: declared}
}

// object fills the struct that into points to.
func (d *bodyDecoder) object(path string, tree map[string]any, into any) {
	d.fields(path, tree, reflect.ValueOf(into).Elem())
}

func (d *bodyDecoder) fields(path string, tree map[string]any, into reflect.Value) {
	t := into.Type()
	d.visit(path, tree, t)
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous:
			d.fields(path, tree, into.Field(i))
		case f.Type == reflect.TypeFor[Declared]():
			d.addons(path, tree, into.Field(i), ScopeOf(f.Tag))
		case f.IsExported() && name != "":
			d.field(join(path, name), tree[name], into.Field(i), f.Tag)
		}
	}
}

// addons fills the declared add-ons of one place.
func (d *bodyDecoder) addons(path string, tree map[string]any, into reflect.Value, place Scope) {
	asked := Declared{}
	for _, one := range d.declared {
		if !one.Scope.Has(place) {
			continue
		}
		fields := one.Fields()
		d.know(path, fields)
		on, options := reflect.New(reflect.TypeFor[bool]()).Elem(), reflect.Value{}
		for _, f := range fields {
			value := on
			if f.Type.Kind() == reflect.Struct {
				value = reflect.New(f.Type).Elem()
				options = value
			}
			d.field(join(path, jsonName(f)), tree[jsonName(f)], value, f.Tag)
		}
		if on.Bool() {
			asked[one.Name] = nil
			if options.IsValid() {
				asked[one.Name] = options.Interface()
			}
		}
	}
	if len(asked) > 0 {
		into.Set(reflect.ValueOf(asked))
	}
}

// field fills one field, with its default where v is nil.
func (d *bodyDecoder) field(path string, v any, into reflect.Value, tag reflect.StructTag) {
	if v != nil {
		d.given[path] = true
		d.value(path, v, into, tag)
		return
	}
	if def, ok := tag.Lookup("default"); ok {
		d.value(path, defaultTree(def, into.Kind()), into, tag)
		return
	}
	if tag.Get("required") == "true" {
		d.fault(path, "must be given")
	}
	if into.Kind() == reflect.Struct {
		d.fields(path, nil, into)
	}
}

// defaultTree is the value of a default tag: JSON, or a bare string. It is nil where the tag has
// neither.
func defaultTree(def string, kind reflect.Kind) any {
	switch kind {
	case reflect.String:
		return def
	case reflect.Int, reflect.Float64: // most are, and a decoder takes half a kilobyte
		return json.Number(def)
	case reflect.Bool:
		if b, err := strconv.ParseBool(def); err == nil {
			return b
		}
		return nil
	}
	var v any
	dec := json.NewDecoder(strings.NewReader(def))
	dec.UseNumber()
	if dec.Decode(&v) != nil {
		return nil
	}
	return v
}

// value fills one value, never nil.
func (d *bodyDecoder) value(path string, v any, into reflect.Value, tag reflect.StructTag) {
	switch into.Kind() {
	case reflect.Pointer:
		into.Set(reflect.New(into.Type().Elem()))
		d.value(path, v, into.Elem(), tag)
	case reflect.Struct:
		d.structure(path, v, into)
	case reflect.Map:
		d.mapping(path, v, into, tag)
	case reflect.Slice:
		d.array(path, v, into, tag)
	case reflect.Bool:
		if b, ok := v.(bool); ok {
			into.SetBool(b)
		} else {
			d.fault(path, "must be a boolean")
		}
	case reflect.String:
		if into.Type() == reflect.TypeFor[AudioTrack]() {
			d.track(path, v, into)
			return
		}
		d.text(path, v, into, tag)
	case reflect.Int:
		d.integer(path, v, into, tag)
	case reflect.Float64:
		d.number(path, v, into, tag)
	}
}

// structure fills a struct from an object, or its first field from the string that may stand for
// the whole.
func (d *bodyDecoder) structure(path string, v any, into reflect.Value) {
	if tree, ok := v.(map[string]any); ok {
		d.fields(path, tree, into)
		return
	}
	first := into.Type().Field(0)
	if first.Tag.Get("short") != "true" {
		d.fault(path, "must be an object")
		return
	}
	if s, ok := v.(string); ok {
		d.text(path, s, into.Field(0), first.Tag)
		return
	}
	d.fault(path, "must be a string or an object")
}

func (d *bodyDecoder) array(path string, v any, into reflect.Value, tag reflect.StructTag) {
	items, ok := v.([]any)
	if !ok && tag.Get("single") != "true" {
		d.fault(path, "must be an array")
		return
	}
	if !ok {
		d.single(path, v, into, tag)
		return
	}
	if !d.count(path, len(items), "Items", "item", tag) {
		return
	}
	out := reflect.MakeSlice(into.Type(), len(items), len(items))
	for i, item := range items {
		d.item(join(path, strconv.Itoa(i)), item, out.Index(i), itemTag(into, tag))
	}
	if tag.Get("unique") == "true" {
		out = distinct(out)
	}
	into.Set(out)
}

// distinct is an array without the items that equal an earlier one.
func distinct(items reflect.Value) reflect.Value {
	kept := reflect.MakeSlice(items.Type(), 0, items.Len())
	seen := map[any]bool{}
	for i := range items.Len() {
		if v := items.Index(i); !seen[v.Interface()] {
			seen[v.Interface()] = true
			kept = reflect.Append(kept, v)
		}
	}
	return kept
}

// single makes an array of a value that stands for its only item.
func (d *bodyDecoder) single(path string, v any, into reflect.Value, tag reflect.StructTag) {
	out := reflect.MakeSlice(into.Type(), 1, 1)
	d.value(path, v, out.Index(0), itemTag(into, tag))
	into.Set(out)
}

// itemTag is the tag for the items of an array: where they are arrays themselves, one of their own.
func itemTag(array reflect.Value, tag reflect.StructTag) reflect.StructTag {
	if array.Type().Elem().Kind() == reflect.Slice {
		return reflect.StructTag(tag.Get("inner"))
	}
	return tag
}

// item fills an element of an array. The bounds of the array itself are not for it.
func (d *bodyDecoder) item(path string, v any, into reflect.Value, tag reflect.StructTag) {
	if v == nil {
		d.fault(path, "must not be null")
		return
	}
	d.value(path, v, into, tag)
}

func (d *bodyDecoder) mapping(path string, v any, into reflect.Value, tag reflect.StructTag) {
	tree, ok := v.(map[string]any)
	if !ok {
		d.fault(path, "must be an object")
		return
	}
	if into.Type() == reflect.TypeFor[Object]() {
		into.Set(reflect.ValueOf(Object(tree)))
		return
	}
	if !d.count(path, len(tree), "Properties", "entry", tag) {
		return
	}
	out := reflect.MakeMapWithSize(into.Type(), len(tree))
	for _, key := range sortedKeys(tree) {
		d.key(path, key, tag)
		element := reflect.New(into.Type().Elem()).Elem()
		d.item(join(path, Excerpt(key)), tree[key], element, tag)
		out.SetMapIndex(reflect.ValueOf(key), element)
	}
	into.Set(out)
}

// key checks the name of an entry, which may be as long as the texts in it, and as short.
func (d *bodyDecoder) key(path, key string, tag reflect.StructTag) {
	if tag.Get("minLength") != "" && strings.TrimSpace(key) == "" {
		d.fault(path, "must not have an entry without a name")
	}
	if limit, ok := intTag(tag, "maxLength"); ok && utf8.RuneCountInString(key) > limit {
		d.fault(join(path, Excerpt(key)), fmt.Sprintf("must not have a name of more than %d characters", limit))
	}
}

func (d *bodyDecoder) track(path string, v any, into reflect.Value) {
	track, ok := parseTrack(v)
	if !ok {
		d.fault(path, "must be an integer from 0 to "+strconv.Itoa(maxTrack)+", or \"all\"")
		return
	}
	into.SetString(string(track))
}

func (d *bodyDecoder) text(path string, v any, into reflect.Value, tag reflect.StructTag) {
	s, ok := v.(string)
	if !ok {
		d.fault(path, "must be a string")
		return
	}
	s = normalise(s, tag)
	into.SetString(s)
	chars := utf8.RuneCountInString(s)
	if tag.Get("minLength") != "" && strings.TrimSpace(s) == "" {
		d.fault(path, "must not be empty")
	}
	if limit, ok := intTag(tag, "maxLength"); ok && chars > limit {
		d.fault(path, fmt.Sprintf("must not be longer than %d characters", limit))
		return
	}
	d.oneOf(path, s, tag)
	if tag.Get("format") == "uri" && !absoluteURL(s) {
		d.fault(path, "must be an absolute http or https URL")
	}
}

func (d *bodyDecoder) integer(path string, v any, into reflect.Value, tag reflect.StructTag) {
	f, ok := asNumber(v)
	if !ok || f != math.Trunc(f) || math.Abs(f) > maxExactInteger {
		d.fault(path, "must be an integer")
		return
	}
	into.SetInt(int64(f))
	d.bounds(path, f, tag)
	d.oneOf(path, strconv.FormatInt(int64(f), 10), tag)
}

func (d *bodyDecoder) number(path string, v any, into reflect.Value, tag reflect.StructTag) {
	f, ok := asNumber(v)
	if !ok {
		d.fault(path, "must be a number")
		return
	}
	into.SetFloat(f)
	d.bounds(path, f, tag)
}
