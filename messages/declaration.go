package messages

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// Declaration declares an add-on beside those of the public API. Requests are parsed and checked,
// results and messages written, and the interface described by it: nothing else in this package
// names the add-on.
type Declaration struct {
	// Name is the switch of the add-on in requests, its field in results, and the type of its
	// messages on the wire, in a session's closing messages after "post_". It has lower-case
	// letters, digits and underscores.
	Name string
	// Doc is a sentence on what the add-on does. Descriptions show it.
	Doc string
	// Scope is where requests may ask for the add-on.
	Scope Scope
	// Options is a value of the struct that NAME_config is read into, tagged as [LiveRequest] is;
	// nil: there is none.
	Options any
	// Item is a value of what the results list, tagged as [Entity] is.
	Item any
}

// Scope is a set of places where requests may ask for an add-on.
type Scope uint8

// The places, each with where the switch stands.
const (
	// ScopeFinals is realtime_processing of a live session: a message for each final, and a result.
	ScopeFinals Scope = 1 << iota
	// ScopeSession is post_processing of a live session: one message and a result at its end.
	ScopeSession
	// ScopeRecorded is a recorded job: a result.
	ScopeRecorded
)

// Has reports whether the set has a place.
func (s Scope) Has(place Scope) bool { return s&place != 0 }

// scopeNames are the values of the tag scope of a [Declared] field.
var scopeNames = map[string]Scope{"finals": ScopeFinals, "session": ScopeSession, "recorded": ScopeRecorded}

// ScopeOf returns the place of a [Declared] or [DeclaredResults] field, which its tag scope names:
// of several, each with a comma between them.
func ScopeOf(tag reflect.StructTag) (places Scope) {
	for name := range strings.SplitSeq(tag.Get("scope"), ",") {
		places |= scopeNames[name]
	}
	return places
}

var declarableName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// Check returns an error for a declaration that cannot be used: its name is unfit or that of
// another field of a request or a result or the type of a message, its options are no struct, or
// its scope is none or contradicts itself.
func (d *Declaration) Check() error {
	switch options := reflect.TypeOf(d.Options); {
	case !declarableName.MatchString(d.Name):
		return fmt.Errorf("add-on %q: a name has lower-case letters, digits and underscores", d.Name)
	case d.Scope == 0:
		return fmt.Errorf("add-on %s: no request can ask for it without a scope", d.Name)
	case options != nil && options.Kind() != reflect.Struct:
		return fmt.Errorf("add-on %s: its options are %s, not a struct", d.Name, options)
	case d.Item == nil:
		return fmt.Errorf("add-on %s: it does not say what its results list", d.Name)
	case d.Scope.Has(ScopeFinals) && d.Scope.Has(ScopeSession):
		return fmt.Errorf("add-on %s: one result cannot be of the finals and of the session", d.Name)
	case slices.Contains(kindNames[:], d.Name) || slices.Contains(kindNames[:], PostPrefix+d.Name):
		return fmt.Errorf("add-on %s: a message has that type already", d.Name)
	}
	for _, paths := range [][]string{livePaths(), recordedPaths(), pathsOf("", reflect.TypeFor[LiveResult]()),
		pathsOf("", reflect.TypeFor[PreRecordedResult]())} {
		for _, name := range []string{d.Name, d.optionsName()} {
			if taken := findByName(paths, name); taken != "" {
				return fmt.Errorf("add-on %s: %s is a field already", d.Name, taken)
			}
		}
	}
	return nil
}

// optionsName is the name of the object with the options.
func (d *Declaration) optionsName() string { return d.Name + "_config" }

// Fields returns the fields that the declaration adds to the object of requests in which its switch
// stands.
func (d *Declaration) Fields() []reflect.StructField {
	fields := []reflect.StructField{{
		Name: "Switch", Type: reflect.TypeFor[bool](),
		Tag: reflect.StructTag(fmt.Sprintf(`json:"%s,omitempty" default:"false" addon:"true" doc:%q`, d.Name, d.Doc)),
	}}
	if d.Options != nil {
		fields = append(fields, reflect.StructField{
			Name: "Options", Type: reflect.TypeOf(d.Options), Tag: reflect.StructTag(fmt.Sprintf(`json:"%s,omitzero"`,
				d.optionsName())),
		})
	}
	return fields
}

// Declared are the declared add-ons that a request asks for: the options of each by its name, as a
// value of the type of [Declaration.Options] with the defaults filled in, nil where it has none.
type Declared map[string]any

// members are the fields of the request's JSON.
func (d Declared) members() map[string]any {
	all := make(map[string]any, 2*len(d))
	for name, options := range d {
		all[name] = true
		if options != nil {
			all[(&Declaration{Name: name}).optionsName()] = options
		}
	}
	return all
}

// OptionsOf returns the options of a declared add-on, and whether the request asks for it. An
// add-on without options has the zero value.
func OptionsOf[T any](d Declared, name string) (options T, asked bool) {
	value, asked := d[name]
	options, _ = value.(T)
	return options, asked
}

// DeclaredResults are the results of declared add-ons by name.
type DeclaredResults map[string]*AddonResult[json.RawMessage]

// Reserve makes an empty result for an add-on, so that it can be set while others are.
func (r *DeclaredResults) Reserve(name string) {
	if *r == nil {
		*r = DeclaredResults{}
	}
	(*r)[name] = new(AddonResult[json.RawMessage])
}

// Set replaces a result that was reserved. Different results may be set at the same time.
func (r DeclaredResults) Set(name string, result *AddonResult[json.RawMessage]) { *r[name] = *result }

// withoutResults keeps of each whether it succeeded.
func (r DeclaredResults) withoutResults() DeclaredResults {
	if r == nil {
		return nil
	}
	shorter := DeclaredResults{}
	for name, result := range r {
		shorter[name] = withResults(result, func(json.RawMessage) json.RawMessage { return json.RawMessage("[]") })
	}
	return shorter
}

// marshalWith is the JSON of a value that is an object, with more members at its end, by name.
func marshalWith[T any](v any, members map[string]T) ([]byte, error) {
	text, err := marshal(v)
	if err != nil || len(members) == 0 {
		return text, err
	}
	more, err := marshal(members)
	if err != nil {
		return nil, err
	}
	if len(text) > len("{}") {
		more[0] = ','
	} else {
		more = more[1:]
	}
	return append(text[:len(text)-1], more...), nil
}
