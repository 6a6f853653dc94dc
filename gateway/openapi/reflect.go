package openapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"steno/messages"
)

// direction tells which way a value goes: what is read may leave fields out, what is written has
// nearly all of them.
type direction bool

const (
	read    direction = false
	written direction = true
)

// registry makes schemas of types, each named one once.
type registry struct {
	schemas map[string]*Schema
	owners  map[string]reflect.Type
	notes   map[string]reflect.StructTag
	noted   map[string]bool // the fields met, as notes name them
	faults  []string
	declared
}

func newRegistry(list ...messages.Declaration) *registry {
	return &registry{
		schemas: map[string]*Schema{}, owners: map[string]reflect.Type{}, notes: allNotes(), noted: map[string]bool{},
		declared: newDeclared(list),
	}
}

// sorted are all named schemas.
func (g *registry) sorted() Ordered[*Schema] {
	var all Ordered[*Schema]
	for _, name := range slices.Sorted(maps.Keys(g.schemas)) {
		all = append(all, Member[*Schema]{name, g.schemas[name]})
	}
	return all
}

// err returns an error that lists the types that cannot be described.
func (g *registry) err() error {
	if len(g.faults) == 0 {
		return nil
	}
	return fmt.Errorf("describe types: %s", strings.Join(g.faults, "; "))
}

// of is the schema of a type whose field has the tag.
func (g *registry) of(t reflect.Type, tag reflect.StructTag, d direction) *Schema {
	s := g.bare(t, tag, d)
	if note := tag.Get("doc"); note != "" {
		s.Description = note
	}
	s.Deprecated, s.Addon = tag.Get("deprecated") == "true", tag.Get("addon") == "true"
	if s.Stability = tag.Get("stage"); s.Stability != "" {
		s.Description = "[" + strings.ToUpper(s.Stability[:1]) + s.Stability[1:] + "] " + s.Description
	}
	if def, ok := tag.Lookup("default"); ok && d == read {
		s.Default = defaultOf(def, t)
	}
	return s
}

// bare is the schema without what belongs to the field alone.
func (g *registry) bare(t reflect.Type, tag reflect.StructTag, d direction) *Schema {
	if s := special(t); s != nil {
		return s
	}
	if own, ok := reflect.Zero(t).Interface().(interface{ schema(*registry) *Schema }); ok {
		return own.schema(g)
	}
	if raw, ok := reflect.Zero(t).Interface().(Raw); ok {
		return g.bare(raw.ReadAs(), tag, d)
	}
	switch t.Kind() {
	case reflect.Pointer:
		if s := g.bare(t.Elem(), tag, d); d == read || omitted(tag) {
			return s
		} else {
			return s.orNull()
		}
	case reflect.Struct:
		return g.structure(t, d)
	case reflect.Map:
		s := &Schema{
			Type: Types{"object"}, MaxProperties: limit(tag, "maxProperties"), AdditionalProperties: g.bare(t.Elem(),
				tag, d),
		}
		if most := limit(tag, "maxLength"); most != nil {
			s.PropertyNames = &Schema{MinLength: limit(tag, "minLength"), MaxLength: most}
		}
		return s
	case reflect.Slice, reflect.Array:
		return g.array(t, tag, d)
	case reflect.Bool:
		return scalar("boolean", tag, d)
	case reflect.String:
		return scalar("string", tag, d)
	case reflect.Int, reflect.Int8, reflect.Int64:
		return scalar("integer", tag, d)
	case reflect.Float64:
		return scalar("number", tag, d)
	}
	g.faults = append(g.faults, "no schema for "+t.String())
	return &Schema{}
}

// special returns the schema of a type that has one of its own; nil for other types.
func special(t reflect.Type) *Schema {
	switch t {
	case reflect.TypeFor[messages.Timestamp]():
		return &Schema{Type: Types{"string"}, Format: "date-time"}
	case reflect.TypeFor[messages.Status]():
		return &Schema{Type: Types{"string"}, Enum: values("string",
			messages.StatusQueued, messages.StatusProcessing, messages.StatusDone, messages.StatusError)}
	case reflect.TypeFor[messages.JobKind]():
		return &Schema{Type: Types{"string"}, Enum: values("string", messages.JobPreRecorded, messages.JobLive)}
	case reflect.TypeFor[messages.Object](), reflect.TypeFor[map[string]any]():
		return &Schema{Type: Types{"object"}}
	case reflect.TypeFor[messages.AudioTrack]():
		return &Schema{AnyOf: []*Schema{scalar("integer", `minimum:"0" maximum:"999"`, read),
			scalar("string", `enum:"all"`, read)}}
	case reflect.TypeFor[json.RawMessage]():
		return &Schema{}
	case reflect.TypeFor[[]byte]():
		return &Schema{Type: Types{"string"}, ContentMediaType: "application/octet-stream"}
	case reflect.TypeFor[null]():
		return &Schema{Type: Types{"null"}}
	}
	return nil
}

func (g *registry) array(t reflect.Type, tag reflect.StructTag, d direction) *Schema {
	inner := tag
	if t.Elem().Kind() == reflect.Slice {
		inner = reflect.StructTag(tag.Get("inner"))
	}
	s := &Schema{Type: Types{"array"}, MinItems: limit(tag, "minItems"), MaxItems: limit(tag, "maxItems")}
	s.Items = g.bare(t.Elem(), inner, d)
	if t.Kind() == reflect.Array {
		n := t.Len()
		s.MinItems, s.MaxItems = &n, &n
	}
	if tag.Get("single") == "true" && d == read || tag.Get("lone") == "true" {
		return &Schema{AnyOf: append([]*Schema{s}, alone(s.Items)...)}
	}
	never := t.Kind() == reflect.Array || t.Implements(reflect.TypeFor[json.Marshaler]())
	if d == read || never || omitted(tag) {
		return s
	}
	return s.orNull()
}

// alone are the forms in which an item may stand for an array of one: any but an array, which would
// be the whole.
func alone(item *Schema) []*Schema {
	switch {
	case item.Items != nil:
		return nil
	case len(item.AnyOf) > 0 && item.AnyOf[0].Items != nil:
		return item.AnyOf[1:]
	default:
		return []*Schema{item}
	}
}

// webAddress is the pattern of addresses that are taken.
const webAddress = "^[Hh][Tt][Tt][Pp][Ss]?://"

// scalar is the schema of one value with the rules of its tag.
func scalar(kind string, tag reflect.StructTag, d direction) *Schema {
	s := &Schema{
		Type: Types{kind}, Format: tag.Get("format"),
		Minimum: json.Number(tag.Get("minimum")), Maximum: json.Number(tag.Get("maximum")),
		MinLength: limit(tag, "minLength"), MaxLength: limit(tag, "maxLength"),
	}
	if list := tag.Get("enum"); list != "" {
		s.Enum = values(kind, strings.Split(list, ",")...)
	}
	if fixed := tag.Get("const"); fixed != "" {
		s.Enum = values(kind, fixed)
	}
	if d == read && s.Format == "uri" {
		s.Pattern = webAddress
	}
	if d == read {
		s.Enum = append(s.Enum, values(kind, spellings(tag)...)...)
	}
	if len(s.Enum) == 1 {
		s.Const, s.Enum = s.Enum[0], nil
	}
	return s
}

// spellings are the other ways to write a value.
func spellings(tag reflect.StructTag) []string {
	var all []string
	for pair := range strings.SplitSeq(tag.Get("alias"), ",") {
		from, _, ok := strings.Cut(pair, "=")
		if !ok {
			continue
		}
		all = append(all, from)
		if upper := strings.ToUpper(from); tag.Get("fold") == "true" && upper != from {
			all = append(all, upper)
		}
	}
	return all
}

// values are the JSON of values given as text.
func values[S ~string](kind string, texts ...S) []json.RawMessage {
	var all []json.RawMessage
	for _, text := range texts {
		value := json.RawMessage(text)
		if kind == "string" {
			value = json.RawMessage(strconv.Quote(string(text)))
		}
		all = append(all, value)
	}
	return all
}

// defaultOf is the JSON of a default tag.
func defaultOf(def string, t reflect.Type) json.RawMessage {
	if t.Kind() == reflect.String {
		return json.RawMessage(strconv.Quote(def))
	}
	return json.RawMessage(def)
}

func limit(tag reflect.StructTag, name string) *int {
	n, err := strconv.Atoi(tag.Get(name))
	if err != nil {
		return nil
	}
	return &n
}

// omitted reports whether the field is left out where it has no value.
func omitted(tag reflect.StructTag) bool {
	_, options, _ := strings.Cut(tag.Get("json"), ",")
	return options == "omitempty" || options == "omitzero"
}
