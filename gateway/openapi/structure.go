package openapi

import (
	"reflect"
	"strings"
	"unicode"
)

// null is the type of a value that is always null.
type null struct{}

// either is a value of one of two types.
type either[A, B any] struct{}

func (either[A, B]) options() []reflect.Type {
	return []reflect.Type{reflect.TypeFor[A](), reflect.TypeFor[B]()}
}

// structure refers to the schema of a struct, which is made where it is met first.
func (g *registry) structure(t reflect.Type, d direction) *Schema {
	name, own := g.names[t]
	if !own {
		name = nameOf(t)
	}
	if d == read && !strings.HasSuffix(name, "Request") {
		name += "Input"
	}
	if owner, known := g.owners[name]; known && owner != t {
		g.faults = append(g.faults, "two types are "+name+": "+owner.String()+" and "+t.String())
	} else if !known {
		g.owners[name] = t
		s := new(Schema)
		g.schemas[name] = s // first: types may contain themselves
		*s = *g.contents(t, d)
		s.foreign = g.foreign[t]
	}
	return &Schema{Ref: "#/components/schemas/" + name}
}

func (g *registry) contents(t reflect.Type, d direction) *Schema {
	if of, ok := reflect.Zero(t).Interface().(interface{ options() []reflect.Type }); ok {
		s := new(Schema)
		for _, option := range of.options() {
			s.AnyOf = append(s.AnyOf, g.structure(option, d))
		}
		return s
	}
	s := &Schema{Type: Types{"object"}}
	fields := g.fields(t)
	for _, f := range fields {
		one := g.of(f.kind, f.tag, d)
		if d == read && f.tag.Get("required") != "true" {
			one = one.optional()
		}
		s.Properties = append(s.Properties, Member[*Schema]{f.name, one})
		if d == written && !omitted(f.tag) || d == read && f.tag.Get("required") == "true" {
			s.Required = append(s.Required, f.name)
		}
	}
	if len(fields) > 0 && fields[0].tag.Get("short") == "true" {
		return &Schema{AnyOf: []*Schema{g.bare(fields[0].kind, fields[0].tag, d), s}}
	}
	return s
}

// member is a field as the JSON has it.
type member struct {
	name  string
	kind  reflect.Type
	tag   reflect.StructTag
	depth int
}

// fields are those of a struct and of what is embedded in it; of two of the same name the outer one
// counts.
func (g *registry) fields(t reflect.Type) []member {
	var all []member
	g.collect(t, 0, &all)
	shown := all[:0]
	for _, f := range all {
		if f.kind != reflect.TypeFor[hidden]() {
			shown = append(shown, f)
		}
	}
	return shown
}

func (g *registry) collect(t reflect.Type, depth int, into *[]member) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous:
			g.collect(f.Type, depth+1, into)
		case isDeclared(f.Type):
			for _, m := range g.members(f.Type, f.Tag) {
				m.depth = depth
				add(into, m)
			}
		case f.IsExported() && name != "" && name != "-":
			owner, _, _ := strings.Cut(t.Name(), "[")
			key := owner + "." + name
			g.noted[key] = true
			add(into, member{name, f.Type, f.Tag + " " + g.notes[key], depth})
		}
	}
}

func add(into *[]member, m member) {
	for i, other := range *into {
		if other.name != m.name {
			continue
		}
		if m.depth < other.depth {
			(*into)[i] = m
		}
		return
	}
	*into = append(*into, m)
}

// nameOf is the name of a type's schema. An add-on's wrapper is named after its results.
func nameOf(t reflect.Type) string {
	name, generic, _ := strings.Cut(t.Name(), "[")
	if generic != "" {
		if f, ok := t.FieldByName("Results"); ok {
			name += resultName(f.Type)
		}
	}
	runes := []rune(name)
	runes[0] = unicode.ToUpper(runes[0])
	return string(runes)
}

func resultName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return "Maybe" + resultName(t.Elem())
	case reflect.Slice:
		return resultName(t.Elem()) + "List"
	case reflect.String:
		return "Text"
	default:
		return strings.TrimPrefix(nameOf(t), "AddonResult")
	}
}
