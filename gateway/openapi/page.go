package openapi

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

//go:embed page.html page.css page.js article.html
var pageFiles embed.FS

// NewPage returns a page for people with the contents of both documents, with samples and a search.
// It needs nothing else: no script, font, image or style of elsewhere. The policy is a
// Content-Security-Policy that lets it show itself and nothing more.
func NewPage(open *OpenAPI, async *AsyncAPI) (page []byte, policy string, err error) {
	style, err := pageFiles.ReadFile("page.css")
	if err != nil {
		return nil, "", fmt.Errorf("read style: %w", err)
	}
	script, err := pageFiles.ReadFile("page.js")
	if err != nil {
		return nil, "", fmt.Errorf("read script: %w", err)
	}
	guide, err := newGuide()
	if err != nil {
		return nil, "", fmt.Errorf("read samples: %w", err)
	}
	schemas := merged(open, async)
	t, err := template.New("page.html").Funcs(pageFunctions(schemas)).ParseFS(pageFiles, "page.html")
	if err != nil {
		return nil, "", fmt.Errorf("read page: %w", err)
	}
	var b bytes.Buffer
	err = t.Execute(&b, map[string]any{
		"Style": template.CSS(style), "Script": template.JS(script), "Open": open, "Async": async, "Schemas": schemas,
		"Groups": grouped(open), "Guide": guide, "Refusal": indented(exampleRefusal()),
	})
	if err != nil {
		return nil, "", fmt.Errorf("write page: %w", err)
	}
	return b.Bytes(), policyOf(b.Bytes()), nil
}

// pageFunctions are those of the template.
func pageFunctions(schemas Ordered[*Schema]) template.FuncMap {
	return template.FuncMap{
		"rules": rules, "choices": choices, "target": target, "anchor": anchor, "pretty": pretty, "words": words,
		"scopes":      scopesOf,
		"fieldsOf":    func(s *Schema) []fieldView { return fieldsOf(s, schemas, 0) },
		"fieldsBelow": func(s *Schema) []fieldView { return fieldsBelow(s, schemas, fieldDepth) },
		"parameters":  parameterViews,
		"listing": func(text, label, heading, language, sample string) codeBlock {
			return codeBlock{text, label, heading, language, sample}
		},
		"group": func(of string, samples []Sample) sampleGroup { return sampleGroup{of, samples} },
	}
}

// codeBlock is text to copy. The label names it to screen readers, the heading stands above it; a
// Sample names what it is a sample of.
type codeBlock struct{ Text, Label, Heading, Language, Sample string }

// sampleGroup is the samples of one task, an operation's id or a chapter's.
type sampleGroup struct {
	Of      string
	Samples []Sample
}

// policyOf allows the page's own style and script by their hashes.
func policyOf(page []byte) string {
	return "default-src 'none'; style-src '" + hashOf(page, "style") + "'; script-src '" + hashOf(page, "script") +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

// hashOf is the hash, for a policy, of what the page's only element of that name holds.
func hashOf(page []byte, element string) string {
	_, rest, _ := bytes.Cut(page, []byte("<"+element+">"))
	text, _, _ := bytes.Cut(rest, []byte("</"+element+">"))
	sum := sha256.Sum256(text)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
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

// Samples are programs that carry it out.
func (e endpoint) Samples() []Sample { return samplesOf(e) }

// scopesOf are the scopes that an operation needs, with "or" between them; empty: any key will do.
func scopesOf(e endpoint) string { return strings.Join(e.Security[0][keyScheme], " or ") }

func grouped(open *OpenAPI) []*group {
	var all []*group
	for _, t := range open.Tags {
		if t.Name == dialectGroup {
			continue
		}
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

// merged are the schemas of both documents by their names, without those of dialects. The same name
// is the same type in both.
func merged(open *OpenAPI, async *AsyncAPI) Ordered[*Schema] {
	all := slices.DeleteFunc(slices.Clone(open.Components.Schemas),
		func(m Member[*Schema]) bool { return m.Value.foreign })
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

// shownChoices is how many values of an enumeration are shown without a click.
const shownChoices = 12

// valueList are the values a field may have.
type valueList struct {
	Values []string
	Long   bool // too many to be shown without a click
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

// pretty is JSON in lines; what is short and holds no other object stands on one. A text is as it
// is.
func pretty(v any) (string, error) {
	if text, ok := v.(string); ok {
		return strings.TrimSpace(text), nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return "", fmt.Errorf("encode example: %w", err)
	}
	text := strings.TrimSpace(b.String())
	for _, innermost := range []*regexp.Regexp{shortArray, shortObject} {
		text = innermost.ReplaceAllStringFunc(text, onOneLine)
	}
	return text, nil
}

// Arrays and objects of indented JSON that hold no others.
var (
	shortArray  = regexp.MustCompile(`\[\n[^\[\]{}]*\]`)
	shortObject = regexp.MustCompile(`\{\n[^{}]*\}`)
)

// onOneLine joins the lines of indented JSON, unless that is too long.
func onOneLine(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimLeft(lines[i], " ")
	}
	first, last := lines[0], lines[len(lines)-1]
	if joined := first + strings.Join(lines[1:len(lines)-1], " ") + last; len(joined) <= 72 {
		return joined
	}
	return text
}
