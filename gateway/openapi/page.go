package openapi

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"strconv"
	"strings"
)

//go:embed page.html page.css
var pageFiles embed.FS

// NewPage is a page for people that says what both documents say. It needs nothing else: no script, font, image or style
// of elsewhere. The policy is a Content-Security-Policy that lets it show itself and nothing more.
func NewPage(open *OpenAPI, async *AsyncAPI) (page []byte, policy string, err error) {
	style, err := pageFiles.ReadFile("page.css")
	if err != nil {
		return nil, "", fmt.Errorf("read style: %w", err)
	}
	t, err := template.New("page.html").Funcs(template.FuncMap{
		"rules": rules, "choices": choices, "target": target, "anchor": anchor, "pretty": pretty, "required": isRequired, "words": words,
	}).ParseFS(pageFiles, "page.html")
	if err != nil {
		return nil, "", fmt.Errorf("read page: %w", err)
	}
	var b bytes.Buffer
	err = t.Execute(&b, map[string]any{
		"Style": template.CSS(style), "Open": open, "Async": async, "Schemas": merged(open, async), "Groups": grouped(open),
	})
	if err != nil {
		return nil, "", fmt.Errorf("write page: %w", err)
	}
	return b.Bytes(), policyOf(b.Bytes()), nil
}

// policyOf allows the page's own style by its hash.
func policyOf(page []byte) string {
	_, rest, _ := bytes.Cut(page, []byte("<style>"))
	style, _, _ := bytes.Cut(rest, []byte("</style>"))
	sum := sha256.Sum256(style)
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

// group is a heading with its operations.
type group struct {
	Name       string
	Operations []endpoint
}

// endpoint is an operation and its address.
type endpoint struct {
	Method, Path string
	*operation
}

func grouped(open *OpenAPI) []*group {
	var all []*group
	for _, t := range open.Tags {
		g := &group{Name: t.Name}
		for _, path := range open.Paths {
			for _, o := range *path.Value {
				if o.Value.Tags[0] == t.Name {
					g.Operations = append(g.Operations, endpoint{strings.ToUpper(o.Name), path.Name, o.Value})
				}
			}
		}
		all = append(all, g)
	}
	return all
}

// merged are the schemas of both documents by their names. The same name is the same type in both.
func merged(open *OpenAPI, async *AsyncAPI) Ordered[*Schema] {
	all := append(Ordered[*Schema]{}, open.Components.Schemas...)
	for _, m := range async.Components.Schemas {
		all.set(m.Name, m.Value)
	}
	return all.sorted()
}

// target is the name that a reference refers to.
func target(ref string) string {
	parts := strings.Split(strings.TrimSuffix(ref, "/payload"), "/")
	return parts[len(parts)-1]
}

// anchor is the id of the section about what a reference refers to.
func anchor(ref string) string {
	if strings.Contains(ref, "/messages/") {
		return "message-" + target(ref)
	}
	return "schema-" + target(ref)
}

func isRequired(s *Schema, name string) bool {
	for _, r := range s.Required {
		if r == name {
			return true
		}
	}
	return false
}

// shownChoices is how many values of an enumeration are shown at once.
const shownChoices = 12

// valueList are the values a field may have.
type valueList struct {
	Values []string
	Long   bool // too many to be shown at once
}

// choices are nil where any value will do.
func choices(s *Schema) *valueList {
	for s.Items != nil {
		s = s.Items
	}
	if len(s.AnyOf) > 0 && s.AnyOf[0].Items != nil {
		return choices(s.AnyOf[0])
	}
	if len(s.Enum) == 0 {
		return nil
	}
	v := &valueList{Long: len(s.Enum) > shownChoices}
	for _, e := range s.Enum {
		v.Values = append(v.Values, string(e))
	}
	return v
}

// rules are what the value must keep to, each in a few words.
func rules(s *Schema) []string {
	var all []string
	say := func(text, value string) {
		if value != "" {
			all = append(all, text+" "+value)
		}
	}
	count := func(text string, n *int) {
		if n != nil {
			say(text, strconv.Itoa(*n))
		}
	}
	say("default", string(s.Default))
	say("at least", string(s.Minimum))
	say("at most", string(s.Maximum))
	count("characters at least", s.MinLength)
	count("characters at most", s.MaxLength)
	count("items at least", s.MinItems)
	count("items at most", s.MaxItems)
	count("entries at most", s.MaxProperties)
	if s.Items != nil {
		for _, rule := range rules(s.Items) {
			all = append(all, "each "+rule)
		}
	}
	return all
}

func words(list []string) string { return strings.Join(list, " or ") }

// pretty is JSON in lines.
func pretty(v any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return "", fmt.Errorf("encode example: %w", err)
	}
	return strings.TrimSpace(b.String()), nil
}
