package openapi

import (
	"encoding/json"
	"reflect"
	"strings"

	"steno/messages"
)

// declared makes the descriptions of add-ons beside those of the public API.
type declared struct {
	list  []messages.Declaration
	names map[reflect.Type]string // of the schemas of their types
	// foreign are the types of dialects' operations, which are named after their dialects.
	foreign map[reflect.Type]bool
}

// newDeclared names the types of the declarations after their add-ons, those of several after the
// first.
func newDeclared(list []messages.Declaration) declared {
	d := declared{list, map[reflect.Type]string{}, map[reflect.Type]bool{}}
	for _, one := range list {
		name := camel(one.Name)
		d.name(reflect.TypeOf(one.Options), name+"Config")
		d.name(reflect.TypeOf(one.Item), name+"Item")
		d.name(resultOf(one), "AddonResult"+name)
		d.name(dataOf(one, messages.ScopeFinals), name+"Data")
		d.name(dataOf(one, messages.ScopeSession), "Post"+name+"Data")
	}
	return d
}

// name names a struct that has no name of its own in the descriptions: those of package messages
// have.
func (d declared) name(t reflect.Type, name string) {
	if t == nil || t.Kind() != reflect.Struct || t.PkgPath() == reflect.TypeFor[messages.Entity]().PkgPath() {
		return
	}
	if _, named := d.names[t]; !named {
		d.names[t] = name
	}
}

// nameOwn names the structs of a dialect's operation after the dialect.
func (d declared) nameOwn(o Operation) {
	if o.Dialect == "" {
		return
	}
	d.nameWithin(o.Failure, camel(o.Dialect))
	for _, c := range o.Takes {
		d.nameWithin(c.Type, camel(o.Dialect))
	}
	for _, a := range o.Gives {
		for _, c := range a.Content {
			d.nameWithin(c.Type, camel(o.Dialect))
		}
	}
}

// nameWithin names the structs that a type has, their own names after the prefix.
func (d declared) nameWithin(t reflect.Type, prefix string) {
	if t == nil {
		return
	}
	if of, ok := reflect.Zero(t).Interface().(Raw); ok {
		t = of.ReadAs()
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		d.nameWithin(t.Elem(), prefix)
	case reflect.Struct:
		if _, named := d.names[t]; named {
			return
		}
		d.name(t, prefix+nameOf(t))
		d.foreign[t] = d.names[t] != ""
		for f := range t.Fields() {
			d.nameWithin(f.Type, prefix)
		}
	}
}

// camel is a name as the names of schemas are written.
func camel(name string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(name, "_") {
		if part != "" {
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return b.String()
}

// members are the fields that declarations add to a struct, which has a field of the type with the
// tag.
func (d declared) members(t reflect.Type, tag reflect.StructTag) (all []member) {
	for _, one := range d.list {
		switch {
		case one.Scope&messages.ScopeOf(tag) == 0:
		case t == reflect.TypeFor[messages.Declared]():
			for _, f := range one.Fields() {
				name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				all = append(all, member{name, f.Type, f.Tag, 0})
			}
		case t == reflect.TypeFor[messages.DeclaredResults]():
			all = append(all, member{one.Name, resultOf(one), reflect.StructTag(`json:"` + one.Name +
				`,omitempty"`), 0})
		}
	}
	return all
}

// isDeclared reports whether a field holds what belongs to declared add-ons.
func isDeclared(t reflect.Type) bool {
	return t == reflect.TypeFor[messages.Declared]() || t == reflect.TypeFor[messages.DeclaredResults]()
}

// resultOf is the type of an add-on's result.
func resultOf(d messages.Declaration) reflect.Type {
	var fields []reflect.StructField
	for f := range reflect.TypeFor[messages.AddonResult[json.RawMessage]]().Fields() {
		if f.Name == "Results" {
			f.Type = reflect.SliceOf(reflect.TypeOf(d.Item))
		}
		fields = append(fields, reflect.StructField{Name: f.Name, Type: f.Type, Tag: f.Tag + " " +
			resultNotes["AddonResult."+nameIn(f.Tag)]})
	}
	return unlike(fields, d)
}

// dataOf is the type of the data of an add-on's message.
func dataOf(d messages.Declaration, place messages.Scope) reflect.Type {
	fields := []reflect.StructField{{
		Name: "Results", Type: reflect.SliceOf(reflect.TypeOf(d.Item)), Tag: `json:"results" doc:"What it lists"`,
	}}
	if place == messages.ScopeFinals {
		fields = append([]reflect.StructField{
			{Name: "UtteranceID", Type: reflect.TypeFor[string](),
				Tag: `json:"utterance_id" doc:"That of its final transcript"`},
			{Name: "Utterance", Type: reflect.TypeFor[messages.Utterance](), Tag: `json:"utterance"`},
		}, fields...)
	}
	return unlike(fields, d)
}

// unlike is a struct with the fields that differs from those of other add-ons, which may list items
// of the same type.
func unlike(fields []reflect.StructField, d messages.Declaration) reflect.Type {
	last := &fields[len(fields)-1]
	last.Tag += reflect.StructTag(` addon:"` + d.Name + `"`)
	return reflect.StructOf(fields)
}

// nameIn is the name of a field in JSON.
func nameIn(tag reflect.StructTag) string {
	name, _, _ := strings.Cut(tag.Get("json"), ",")
	return name
}

// events are the messages of the declared add-ons.
func (d declared) events() (all []event) {
	failure := reflect.TypeFor[messages.AddonError]()
	for _, one := range d.list {
		if one.Scope.Has(messages.ScopeFinals) {
			all = append(all, event{
				kind: messages.KindAddonFinal, name: camel(one.Name), summary: one.Doc,
				data:    dataOf(one, messages.ScopeFinals),
				failure: failure, maybe: true, types: one.Name, item: "utterance_id",
			})
		}
		if one.Scope.Has(messages.ScopeSession) {
			all = append(all, event{
				kind: messages.KindAddonSession, name: "Post" + camel(one.Name), summary: one.Doc +
					"; empty where it would be longer than 1 MiB",
				data: dataOf(one, messages.ScopeSession), failure: failure, maybe: true,
				types: messages.PostPrefix + one.Name,
			})
		}
	}
	return all
}
