package messages

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// checker fills structs from a JSON tree, following their tags, and collects every fault.
type checker struct {
	faults []string
	more   int             // faults beyond those kept
	given  map[string]bool // dotted paths of the known fields that were there and not null

	objects  map[string]*object // of the body, by dotted path
	warnings Warnings
}

func newChecker() *checker { return &checker{given: map[string]bool{}, objects: map[string]*object{}} }

// fault notes that the value at path breaks a rule, told as "must …".
func (c *checker) fault(path, rule string) {
	if len(c.faults) >= maxFaults {
		c.more++
		return
	}
	c.faults = append(c.faults, path+" "+rule)
}

// problem is nil where there was no fault.
func (c *checker) problem() *Problem {
	if len(c.faults) == 0 {
		return nil
	}
	faults := c.faults
	if c.more > 0 {
		faults = append(faults, fmt.Sprintf("and %d more", c.more))
	}
	return &Problem{Status: http.StatusBadRequest, Message: "Validation failed", ValidationErrors: faults}
}

// object fills the struct that into points to.
func (c *checker) object(path string, tree map[string]any, into any) {
	c.fields(path, tree, reflect.ValueOf(into).Elem())
}

func (c *checker) fields(path string, tree map[string]any, into reflect.Value) {
	t := into.Type()
	c.visit(path, tree, t)
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous:
			c.fields(path, tree, into.Field(i))
		case f.IsExported() && name != "":
			c.field(join(path, name), tree[name], into.Field(i), f.Tag)
		}
	}
}

// field fills one field, with its default where v is nil.
func (c *checker) field(path string, v any, into reflect.Value, tag reflect.StructTag) {
	if v != nil {
		c.given[path] = true
		c.value(path, v, into, tag)
		return
	}
	if def, ok := tag.Lookup("default"); ok {
		c.value(path, defaultTree(def, into.Kind()), into, tag)
		return
	}
	if tag.Get("required") == "true" {
		c.fault(path, "must be given")
	}
	if into.Kind() == reflect.Struct {
		c.fields(path, nil, into)
	}
}

// defaultTree is the value of a default tag: JSON, or a bare string.
func defaultTree(def string, kind reflect.Kind) any {
	if kind == reflect.String {
		return def
	}
	var v any
	d := json.NewDecoder(strings.NewReader(def))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// value fills one value, never nil.
func (c *checker) value(path string, v any, into reflect.Value, tag reflect.StructTag) {
	switch into.Kind() {
	case reflect.Pointer:
		into.Set(reflect.New(into.Type().Elem()))
		c.value(path, v, into.Elem(), tag)
	case reflect.Struct:
		c.structure(path, v, into)
	case reflect.Map:
		c.mapping(path, v, into, tag)
	case reflect.Slice:
		c.array(path, v, into, tag)
	case reflect.Bool:
		if b, ok := v.(bool); ok {
			into.SetBool(b)
		} else {
			c.fault(path, "must be a boolean")
		}
	case reflect.String:
		c.text(path, v, into, tag)
	case reflect.Int:
		c.integer(path, v, into, tag)
	case reflect.Float64:
		c.number(path, v, into, tag)
	}
}

// structure fills a struct from an object, or its first field from the string that may stand for the whole.
func (c *checker) structure(path string, v any, into reflect.Value) {
	if tree, ok := v.(map[string]any); ok {
		c.fields(path, tree, into)
		return
	}
	first := into.Type().Field(0)
	if first.Tag.Get("short") != "true" {
		c.fault(path, "must be an object")
		return
	}
	if s, ok := v.(string); ok {
		c.text(path, s, into.Field(0), first.Tag)
		return
	}
	c.fault(path, "must be a string or an object")
}

func (c *checker) array(path string, v any, into reflect.Value, tag reflect.StructTag) {
	items, ok := v.([]any)
	if !ok && tag.Get("single") != "true" {
		c.fault(path, "must be an array")
		return
	}
	if !ok {
		c.lone(path, v, into, tag)
		return
	}
	if !c.count(path, len(items), "Items", "item", tag) {
		return
	}
	out := reflect.MakeSlice(into.Type(), len(items), len(items))
	for i, item := range items {
		c.item(join(path, strconv.Itoa(i)), item, out.Index(i), itemTag(into, tag))
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

// lone makes an array of a value that stands for it.
func (c *checker) lone(path string, v any, into reflect.Value, tag reflect.StructTag) {
	out := reflect.MakeSlice(into.Type(), 1, 1)
	c.value(path, v, out.Index(0), itemTag(into, tag))
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
func (c *checker) item(path string, v any, into reflect.Value, tag reflect.StructTag) {
	if v == nil {
		c.fault(path, "must not be null")
		return
	}
	c.value(path, v, into, tag)
}

func (c *checker) mapping(path string, v any, into reflect.Value, tag reflect.StructTag) {
	tree, ok := v.(map[string]any)
	if !ok {
		c.fault(path, "must be an object")
		return
	}
	if into.Type() == reflect.TypeFor[Object]() {
		into.Set(reflect.ValueOf(Object(tree)))
		return
	}
	if !c.count(path, len(tree), "Properties", "entry", tag) {
		return
	}
	out := reflect.MakeMapWithSize(into.Type(), len(tree))
	for _, key := range sortedKeys(tree) {
		c.key(path, key, tag)
		element := reflect.New(into.Type().Elem()).Elem()
		c.item(join(path, echo(key)), tree[key], element, tag)
		out.SetMapIndex(reflect.ValueOf(key), element)
	}
	into.Set(out)
}

// key checks the name of an entry, which may be as long as the texts in it, and as short.
func (c *checker) key(path, key string, tag reflect.StructTag) {
	if tag.Get("minLength") != "" && strings.TrimSpace(key) == "" {
		c.fault(path, "must not have an entry without a name")
	}
	if limit, ok := intTag(tag, "maxLength"); ok && utf8.RuneCountInString(key) > limit {
		c.fault(join(path, echo(key)), fmt.Sprintf("must not have a name of more than %d characters", limit))
	}
}

func (c *checker) text(path string, v any, into reflect.Value, tag reflect.StructTag) {
	s, ok := v.(string)
	if !ok {
		c.fault(path, "must be a string")
		return
	}
	s = normalise(s, tag)
	into.SetString(s)
	chars := utf8.RuneCountInString(s)
	if tag.Get("minLength") != "" && strings.TrimSpace(s) == "" {
		c.fault(path, "must not be empty")
	}
	if limit, ok := intTag(tag, "maxLength"); ok && chars > limit {
		c.fault(path, fmt.Sprintf("must not be longer than %d characters", limit))
		return
	}
	c.oneOf(path, s, tag)
	if tag.Get("format") == "uri" && !absoluteURL(s) {
		c.fault(path, "must be an absolute http or https URL")
	}
}

func (c *checker) integer(path string, v any, into reflect.Value, tag reflect.StructTag) {
	f, ok := asNumber(v)
	if !ok || f != math.Trunc(f) || math.Abs(f) > maxExactInteger {
		c.fault(path, "must be an integer")
		return
	}
	into.SetInt(int64(f))
	c.bounds(path, f, tag)
	c.oneOf(path, strconv.FormatInt(int64(f), 10), tag)
}

func (c *checker) number(path string, v any, into reflect.Value, tag reflect.StructTag) {
	f, ok := asNumber(v)
	if !ok {
		c.fault(path, "must be a number")
		return
	}
	into.SetFloat(f)
	c.bounds(path, f, tag)
}
