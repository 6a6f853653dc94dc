package messages

import (
	"reflect"
	"slices"
	"strings"
	"sync"
)

// bodyObject is one of a body's objects, with the fields that it may have.
type bodyObject struct {
	tree  map[string]any
	known map[string]bool // names; true: a switch
}

// visit notes which fields the struct for the object at path has.
func (d *bodyDecoder) visit(path string, tree map[string]any, t reflect.Type) {
	if tree == nil {
		return
	}
	o := d.objects[path]
	if o == nil {
		o = &bodyObject{tree: tree, known: map[string]bool{}}
		d.objects[path] = o
	}
	for i := range t.NumField() {
		if name := jsonName(t.Field(i)); name != "" {
			o.known[name] = t.Field(i).Type.Kind() == reflect.Bool
		}
	}
}

// know notes further fields that the object at path has.
func (d *bodyDecoder) know(path string, fields []reflect.StructField) {
	if o := d.objects[path]; o != nil {
		for _, f := range fields {
			o.known[jsonName(f)] = f.Type.Kind() == reflect.Bool
		}
	}
}

// jsonName is a field's name in JSON, empty for one that has none.
func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if !f.IsExported() || name == "-" {
		return ""
	}
	return name
}

// warnUnknown warns of fields of the body that its structs do not have, and of settings that
// nothing uses.
func (d *bodyDecoder) warnUnknown(k *bodyKind) {
	for _, path := range sortedKeys(d.objects) {
		o := d.objects[path]
		for _, name := range sortedKeys(o.tree) {
			if d.warnings.full() {
				return // no more of them are kept
			}
			if _, known := o.known[name]; o.tree[name] != nil && !known {
				d.warnings.Warn(join(path, name), k.describe(o, path, name))
			}
		}
		d.warnUnused(path, o)
	}
}

// warnUnused warns of settings whose switch is missing: clients that send them probably think they
// suffice.
func (d *bodyDecoder) warnUnused(path string, o *bodyObject) {
	for _, name := range sortedKeys(o.tree) {
		flag, ok := strings.CutSuffix(name, "_config")
		if ok && o.tree[name] != nil && o.known[flag] && o.tree[flag] == nil {
			d.warnings.Warn(join(path, name), "is used only where "+join(path, flag)+" is true")
		}
	}
}

// warnQuality warns of a quality of translation that is not available: all translations are made in
// one way.
func (d *bodyDecoder) warnQuality(path string, t *TranslationConfig) {
	if t != nil && t.Model == "enhanced" {
		d.warnings.Warn(path+".model", "enhanced is not done here: all translations are made in one way")
	}
}

// bodyKind is a kind of request body: the fields it may have, and those of the other kind.
type bodyKind struct {
	paths  func() []string
	others func() []string // those of the other kind of request
	other  string          // what the other kind is
}

// notDone are fields of the public API that this service does not support, with the warning for
// each.
var notDone = map[string]string{
	"context_prompt":             "is deprecated and not done: use custom_vocabulary",
	"moderation":                 "is not done here",
	"speaker_reidentification":   "is not done here: use diarization",
	"diarization_enhanced":       "is not done here: use diarization",
	"accurate_words_timestamps":  "is not a switch here: words have their times always",
	"words_accurate_timestamps":  "is not a switch here: words have their times always",
	"skip_channel_deduplication": "is not done here",
}

var (
	liveBody = &bodyKind{
		paths: livePaths, others: recordedPaths,
		other: "is for recorded files (POST /v2/pre-recorded), and not done live",
	}
	recordedBody = &bodyKind{
		paths: recordedPaths, others: livePaths, other: "is for live sessions (POST /v2/live), and not done here",
	}

	livePaths     = sync.OnceValue(func() []string { return pathsOf("", reflect.TypeFor[LiveRequest]()) })
	recordedPaths = sync.OnceValue(func() []string { return pathsOf("", reflect.TypeFor[PreRecordedRequest]()) })
)

// pathsOf lists the dotted paths of all fields in a type, outer ones first; items of arrays and
// entries have their path.
func pathsOf(path string, t reflect.Type) []string {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	var own, within []string
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			own = append(own, pathsOf(path, f.Type)...)
			continue
		}
		if name := jsonName(f); name != "" {
			own = append(own, join(path, name))
			within = append(within, pathsOf(join(path, name), f.Type)...)
		}
	}
	return append(own, within...)
}

// describe is the warning about an unknown field of the object at path, with a suggestion where
// there is a similar name.
func (k *bodyKind) describe(o *bodyObject, path, name string) string {
	if says, ok := notDone[name]; ok {
		return says
	}
	plain := pathWithoutIndices(path)
	slip := 0 // letters by which a field is meant that is here, whatever has that name elsewhere
	if path != "" {
		slip = 1
	}
	if sibling := Nearest(o.known, name, slip); sibling != "" {
		return unknownField + suggest(join(path, sibling))
	}
	if elsewhere := findByName(k.paths(), name); elsewhere != "" {
		return "is not known here" + suggest(elsewhere)
	}
	if slices.Contains(k.others(), join(plain, name)) || plain == "" && findByName(k.others(), name) != "" {
		return k.other
	}
	if sibling := Nearest(o.known, name, 3); sibling != "" {
		return unknownField + suggest(join(path, sibling))
	}
	return unknownField
}

const unknownField = "is not a known field"

func suggest(path string) string { return ": did you mean " + fieldName(path) + "?" }
