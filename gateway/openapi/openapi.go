package openapi

import (
	"cmp"
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"steno/messages"
)

// Info is what a description states about the whole interface.
type Info struct {
	Title       string
	Version     string // of the interface
	Description string
	// KeyHeaders are the headers that may carry the API key.
	KeyHeaders []string
	// URL is the address clients use; empty: not known.
	URL string
	// Addons are the add-ons beside those of the public API.
	Addons []messages.Declaration
}

// OpenAPI is a description of the HTTP interface.
type OpenAPI struct {
	OpenAPI    string             `json:"openapi"`
	Info       infoObject         `json:"info"`
	Servers    []server           `json:"servers"`
	Tags       []tag              `json:"tags"`
	Paths      Ordered[*pathItem] `json:"paths"`
	Components components         `json:"components"`
}

type infoObject struct {
	Title       string `json:"title"`
	Version     string `json:"version"`
	Description string `json:"description"`
}

type server struct {
	URL string `json:"url"`
}

type tag struct {
	Name string `json:"name"`
}

type pathItem = Ordered[*operation]

type operation struct {
	ID          string                 `json:"operationId"`
	Tags        []string               `json:"tags"`
	Summary     string                 `json:"summary"`
	Description string                 `json:"description,omitempty"`
	Deprecated  bool                   `json:"deprecated,omitempty"`
	Security    []map[string][]string  `json:"security"`
	Parameters  []parameter            `json:"parameters,omitempty"`
	RequestBody *requestBody           `json:"requestBody,omitempty"`
	Responses   Ordered[*responseBody] `json:"responses"`
}

type parameter struct {
	Name        string  `json:"name"`
	In          string  `json:"in"`
	Description string  `json:"description,omitempty"`
	Required    bool    `json:"required,omitempty"`
	Style       string  `json:"style,omitempty"`
	Explode     bool    `json:"explode,omitempty"`
	Schema      *Schema `json:"schema"`
}

type requestBody struct {
	Required bool                `json:"required"`
	Content  Ordered[*mediaType] `json:"content"`
}

type responseBody struct {
	Description string              `json:"description"`
	Headers     Ordered[header]     `json:"headers,omitempty"`
	Content     Ordered[*mediaType] `json:"content,omitempty"`
}

type header struct {
	Description string  `json:"description"`
	Schema      *Schema `json:"schema"`
}

type mediaType struct {
	Schema  *Schema `json:"schema,omitempty"`
	Example any     `json:"example,omitempty"`
}

type components struct {
	Schemas         Ordered[*Schema]        `json:"schemas"`
	SecuritySchemes Ordered[securityScheme] `json:"securitySchemes"`
}

type securityScheme struct {
	Type        string `json:"type"`
	In          string `json:"in,omitempty"`
	Name        string `json:"name,omitempty"`
	Scheme      string `json:"scheme,omitempty"`
	Description string `json:"description"`
}

// keyScheme and tokenScheme name the security schemes of API keys and tokens. The values they have
// at an operation are the scopes needed.
const (
	keyScheme   = "apiKey"
	tokenScheme = "token"
)

// NewOpenAPI describes the operations, in their order. It fails for a type that cannot be
// described.
func NewOpenAPI(info Info, operations []Operation) (*OpenAPI, error) {
	g := newRegistry(info.Addons...)
	doc := &OpenAPI{
		OpenAPI: "3.1.0", Info: infoObject{info.Title, info.Version, info.Description},
		Servers: []server{{cmp.Or(info.URL, "/")}},
	}
	for _, o := range operations {
		item, _ := doc.Paths.get(o.Path)
		if item == nil {
			item = new(pathItem)
			doc.Paths.set(o.Path, item)
		}
		item.set(strings.ToLower(o.Method), g.operation(o))
		if t := (tag{groupOf(o)}); !slices.Contains(doc.Tags, t) {
			doc.Tags = append(doc.Tags, t)
		}
	}
	doc.Components = components{
		Schemas: g.sorted(), SecuritySchemes: Ordered[securityScheme]{{keyScheme, keyIn(info.KeyHeaders)},
			{tokenScheme, bearer()}},
	}
	return doc, g.err()
}

func keyIn(headers []string) securityScheme {
	s := securityScheme{Type: "apiKey", In: "header", Name: headers[0],
		Description: "The API key goes into this header"}
	if len(headers) > 1 {
		s.Description += "; " + strings.Join(headers[1:], " or ") + " will do as well"
	}
	return s
}

// bearer is the security scheme of tokens.
func bearer() securityScheme {
	return securityScheme{Type: "http", Scheme: "bearer",
		Description: "A token, or the API key. A page of this server may send a token as the cookie steno_token " +
			"instead"}
}

// dialectGroup is the heading of the operations of dialects.
const dialectGroup = "Clients of other services"

// groupOf is the heading an operation stands under.
func groupOf(o Operation) string {
	if o.Dialect != "" {
		return dialectGroup
	}
	for _, g := range []struct{ prefix, name string }{
		{"/v2/live", "Live sessions"}, {"/v2/pre-recorded", "Recorded files"},
		{"/v2/transcription", "Jobs of both kinds"},
		{"/v2/events", "Live sessions"}, {"/v2/sessions", "Live sessions"}, {"/v2/records", "Jobs of both kinds"},
		{"/v2/subjects", "Jobs of both kinds"},
		{"/v2/tokens", "Tokens"}, {"/v2/tickets", "Tokens"}, {"/v2/upload", "Files"}, {"/file/", "Files"},
		{"/v2/bots", "Meeting bots"},
	} {
		if strings.HasPrefix(o.Path, g.prefix) {
			return g.name
		}
	}
	return "Service"
}

func (g *registry) operation(o Operation) *operation {
	g.nameOwn(o)
	op := &operation{
		ID: operationID(o), Tags: []string{groupOf(o)}, Summary: o.Summary, Description: o.Notes,
		Deprecated: o.Deprecated, Security: []map[string][]string{}, Parameters: g.parameters(o),
	}
	if !o.Open {
		scopes := append([]string{}, o.Scopes...)
		op.Security = append(op.Security, map[string][]string{keyScheme: scopes},
			map[string][]string{tokenScheme: scopes})
	}
	if len(o.Takes) > 0 {
		op.RequestBody = &requestBody{Required: !o.Bodiless, Content: g.contentOf(o.Takes, read)}
	}
	for _, a := range o.Gives {
		op.Responses.set(strconv.Itoa(a.Status), &responseBody{
			Description: cmp.Or(http.StatusText(a.Status), "Success"), Content: g.contentOf(a.Content, written),
			Headers: headersOf(a),
		})
	}
	g.refusals(op, o)
	return op
}

// headersOf are the headers of an answer.
func headersOf(a Answer) Ordered[header] {
	var all Ordered[header]
	for _, h := range a.Headers {
		all.set(h.Name, header{h.Note, &Schema{Type: Types{"string"}}})
	}
	return all
}

// refusals adds the answers of failure, ascending.
func (g *registry) refusals(op *operation, o Operation) {
	statuses := append([]int{http.StatusInternalServerError}, o.Refuses...)
	if !o.Open {
		statuses = append(statuses, http.StatusUnauthorized, http.StatusTooManyRequests)
		if len(o.Scopes) > 0 {
			statuses = append(statuses, http.StatusForbidden)
		}
	}
	slices.Sort(statuses)
	body := reflect.TypeFor[messages.ErrorBody]()
	if o.Failure != nil {
		body = o.Failure
	}
	failure := g.structure(body, written)
	for _, status := range slices.Compact(statuses) {
		r := &responseBody{
			Description: http.StatusText(status),
			Content:     Ordered[*mediaType]{{"application/json", &mediaType{Schema: failure}}},
		}
		if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
			least := json.Number("1")
			r.Headers.set("Retry-After", header{"Seconds to wait", &Schema{Type: Types{"integer"}, Minimum: least}})
		}
		op.Responses.set(strconv.Itoa(status), r)
	}
}

// contentOf describes forms of a body: of one media type it is any of them.
func (g *registry) contentOf(forms []Content, d direction) Ordered[*mediaType] {
	var all Ordered[*mediaType]
	for _, c := range forms {
		m := &mediaType{Example: c.Example}
		if c.Type != nil {
			m.Schema = g.bare(c.Type, "", d)
		} else if c.Note != "" {
			m.Schema = &Schema{Description: c.Note}
		}
		if other, ok := all.get(c.Media); ok {
			m.Schema = &Schema{AnyOf: append(other.Schema.options(), m.Schema)}
		}
		all.set(c.Media, m)
	}
	return all
}

func (g *registry) parameters(o Operation) []parameter {
	var all []parameter
	for _, name := range pathNames(o.Path) {
		all = append(all, parameter{Name: name, In: "path", Required: true, Description: "That of an answer before",
			Schema: &Schema{Type: Types{"string"}}})
	}
	if o.Query == nil {
		return all
	}
	for _, f := range g.fields(o.Query) {
		p := parameter{Name: f.name, In: "query", Schema: g.of(f.kind, f.tag, read)}
		p.Description, p.Schema.Description = p.Schema.Description, ""
		p.Required = f.tag.Get("required") == "true"
		switch f.kind.Kind() {
		case reflect.Slice:
			p.Style, p.Explode = "form", true
		case reflect.Map:
			p.Style, p.Explode = "deepObject", true
		}
		all = append(all, p)
	}
	return all
}

// pathNames are the parameters of a path.
func pathNames(path string) []string {
	var all []string
	for part := range strings.SplitSeq(path, "/") {
		if strings.HasPrefix(part, "{") {
			all = append(all, strings.TrimRight(strings.Trim(part, "{}"), "."))
		}
	}
	return all
}

// operationID makes a name of method and path: GET /v2/live/{id}/file is getV2LiveIdFile.
func operationID(o Operation) string {
	words := strings.FieldsFunc(o.Path, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.ToLower(o.Method) + strings.Join(words, "")
}
