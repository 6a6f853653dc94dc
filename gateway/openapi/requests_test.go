package openapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"steno/messages"
)

// TestRequests tries, for each field of each request, values on both sides of every rule that is
// described, and of the wrong type: the parser must agree with the description.
func TestRequests(t *testing.T) {
	for _, tc := range []struct {
		name  string
		takes Content
		base  map[string]any
		parse func([]byte) *messages.Problem
	}{
		{"live", JSON[LiveRequest](), map[string]any{}, func(b []byte) *messages.Problem {
			_,
				p := messages.ParseLive(b)
			return p
		}},
		{"pre-recorded", JSON[PreRecordedRequest](), map[string]any{"audio_url": "https://example.com/a"},
			func(b []byte) *messages.Problem { _, p := messages.ParsePreRecorded(b); return p }},
		{"upload", JSON[messages.UploadRequest](), map[string]any{"audio_url": "https://example.com/a"},
			func(b []byte) *messages.Problem { _, p := messages.ParseUpload(b); return p }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			doc, err := NewOpenAPI(info(),
				[]Operation{{Method: "POST", Path: "/x", Details: Details{Takes: Body(tc.takes)}}})
			if err != nil {
				t.Fatal(err)
			}
			c := compiler(t, tree(t, doc))
			p := prober{
				t: t, doc: doc, base: tc.base, parse: tc.parse,
				schema: compile(t, c, "/paths/~1x/post/requestBody/content/application~1json/schema"),
			}
			root := &Schema{Ref: "#/components/schemas/" + strings.TrimPrefix(p.root(), "#/components/schemas/")}
			p.agree(tc.base)
			p.probe(root, func(v any) any { return v }, 0)
			if p.tried < 10 {
				t.Errorf("only %d values tried", p.tried)
			}
			t.Logf("%d values tried, %d of them good", p.tried, p.good)
		})
	}
}

// TestExamples sees that the examples of requests are good ones.
func TestExamples(t *testing.T) {
	parsers := map[string]func([]byte) *messages.Problem{
		"live":         func(b []byte) *messages.Problem { _, p := messages.ParseLive(b); return p },
		"pre-recorded": func(b []byte) *messages.Problem { _, p := messages.ParsePreRecorded(b); return p },
		"token":        func(b []byte) *messages.Problem { _, p := messages.ParseToken(b); return p },
		"subscriber":   func(b []byte) *messages.Problem { _, p := messages.ParseSubscriber(b); return p },
		"metadata":     func(b []byte) *messages.Problem { _, p := messages.ParsePatch(b); return p },
	}
	for name, x := range map[string]any{
		"live": ExampleLive(), "pre-recorded": ExamplePreRecorded(), "token": ExampleToken(),
		"subscriber": ExampleSubscriber(), "metadata": ExampleMetadata(),
	} {
		if problem := parsers[name](encoded(x)); problem != nil {
			t.Errorf("%s: %v", name, problem)
		}
	}
}

// prober tries values of fields.
type prober struct {
	t           *testing.T
	doc         *OpenAPI
	base        map[string]any
	parse       func([]byte) *messages.Problem
	schema      *jsonschema.Schema
	tried, good int
}

func (p *prober) root() string {
	item, _ := p.doc.Paths.get("/x")
	op, _ := item.get("post")
	m, _ := op.RequestBody.Content.get("application/json")
	return m.Schema.Ref
}

func (p *prober) resolve(s *Schema) *Schema {
	if s.Ref == "" {
		return s
	}
	named, _ := p.doc.Components.Schemas.get(target(s.Ref))
	return named
}

// probe tries values of a field; in puts a value of the field into what holds it.
func (p *prober) probe(s *Schema, in func(any) any, depth int) {
	s = p.resolve(s)
	for _, option := range s.AnyOf {
		p.probe(option, in, depth)
	}
	for _, f := range s.Properties {
		p.probe(f.Value, func(v any) any {
			object := map[string]any{}
			for _, name := range s.Required {
				object[name] = "https://example.com/a"
			}
			object[f.Name] = v
			return in(object)
		}, depth+1)
	}
	if s.Items != nil {
		p.probe(s.Items, func(v any) any { return in([]any{v}) }, depth+1)
	}
	if depth == 0 {
		return
	}
	for _, v := range p.values(s) {
		body, ok := in(v).(map[string]any)
		if !ok {
			p.t.Fatalf("%v is no body", body)
		}
		body = merge(p.base, body)
		p.agree(body)
	}
}

func merge(base, over map[string]any) map[string]any {
	all := maps.Clone(base)
	maps.Copy(all, over)
	return all
}

// values are good and bad ones for a schema.
func (p *prober) values(s *Schema) []any {
	var all []any
	for _, e := range s.Enum {
		all = append(all, e)
	}
	for _, n := range []json.Number{s.Minimum, s.Maximum} {
		if f, err := strconv.ParseFloat(string(n), 64); err == nil {
			all = append(all, f, f-1, f+1, f+0.25, f-0.25)
		}
	}
	for _, n := range []*int{s.MinLength, s.MaxLength} {
		if n != nil {
			all = append(all, strings.Repeat("é", max(0, *n-1)), strings.Repeat("é", *n), strings.Repeat("é", *n+1))
		}
	}
	for _, n := range []*int{s.MinItems, s.MaxItems} {
		if n != nil {
			item := p.sample(s.Items)
			all = append(all, slices.Repeat([]any{item}, max(0, *n-1)), slices.Repeat([]any{item}, *n),
				slices.Repeat([]any{item}, *n+1))
		}
	}
	if s.AdditionalProperties != nil && s.MaxProperties != nil {
		all = append(all, entries(*s.MaxProperties), entries(*s.MaxProperties+1), map[string]any{"a": []any{1}},
			map[string]any{"a": "b"})
	}
	if s.PropertyNames != nil {
		for _, n := range []int{0, 1, *s.PropertyNames.MaxLength, *s.PropertyNames.MaxLength + 1} {
			all = append(all, map[string]any{strings.Repeat("é", n): []any{"x"}})
		}
	}
	if slices.Contains(s.Type, "boolean") {
		all = append(all, false) // true may need more than itself
	}
	return append(all, "no such value", 7.0, 0.125, -1, []any{}, []any{[]any{}}, map[string]any{}, "")
}

func entries(n int) map[string]any {
	all := map[string]any{}
	for i := range n {
		all[fmt.Sprint(i)] = []any{"x"}
	}
	return all
}

// sample is a good value of a schema.
func (p *prober) sample(s *Schema) any {
	s = p.resolve(s)
	switch {
	case len(s.AnyOf) > 0:
		return p.sample(s.AnyOf[0])
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.Items != nil:
		return []any{}
	default:
		return "x"
	}
}

// agree sees that the parser thinks of a body as its description does. What is refused by its
// meaning is well formed.
func (p *prober) agree(body map[string]any) {
	p.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		p.t.Fatal(err)
	}
	p.tried++
	fault := p.parse(text)
	parsed := fault == nil || fault.Status == 422
	said := p.schema.Validate(tree(p.t, body))
	if parsed {
		p.good++
	}
	if parsed != (said == nil) {
		p.t.Errorf("%.300s: the parser says %v, the description %v", text, fault, said)
	}
}
