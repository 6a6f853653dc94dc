package gateway

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"steno/gateway/outbound"
	"steno/session/addon/addontest"
	"steno/session/asr/scripted"
	"steno/session/store/embedded"
	"steno/session/store/embedded/embeddedtest"
)

// described is a gateway whose every answer is checked against its own descriptions, with closed
// objects: a field that they do not name is a fault.
type described struct {
	*testServer
	open, async map[string]any
	compiling   sync.Mutex
	schemas     *jsonschema.Compiler

	mu   sync.Mutex
	seen map[string]bool // "GET /path 200", and names of messages
}

// newDescribed returns one that decodes media, if the machine can, and reaches this machine.
func newDescribed(t *testing.T, change func(*Config)) *described {
	t.Helper()
	client := outbound.New(true)
	t.Cleanup(func() { _ = client.Close() })
	store, err := embedded.Open(t.Context(), embeddedtest.Folder(t))
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Keys: []Key{{Text: testKey}}}
	cfg.Limits.FetchPatience = time.Millisecond
	change(&cfg)
	server, err := New(cfg, Deps{Store: store, Engines: &engines{asr: scripted.New(scripted.Config{}),
		languages: []string{"en", "de"}}, Outbound: client, Media: newDecoder(t), Addons: addontest.Embedded().Table()})
	if err != nil {
		t.Fatal(err)
	}
	d := &described{seen: map[string]bool{}, testServer: &testServer{
		t: t, store: store, server: server, http: httptest.NewServer(server.handler), lines: &logLines{},
	}}
	t.Cleanup(d.stop)
	d.schemas = jsonschema.NewCompiler()
	d.schemas.DefaultDraft(jsonschema.Draft2020)
	d.schemas.AssertFormat()
	d.open, d.async = d.read("/openapi.json"), d.read("/asyncapi.json")
	return d
}

// read reads a description and closes its objects.
func (d *described) read(path string) map[string]any {
	d.t.Helper()
	text := d.testServer.do("GET", path, "").body
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		d.t.Fatal(err)
	}
	shut(doc)
	if err := d.schemas.AddResource(base+path, doc); err != nil {
		d.t.Fatal(err)
	}
	return doc.(map[string]any)
}

// shut forbids the fields that schemas do not name.
func shut(v any) {
	switch v := v.(type) {
	case map[string]any:
		if _, ok := v["properties"].(map[string]any); ok && v["type"] != nil {
			v["additionalProperties"] = false
		}
		for _, child := range v {
			shut(child)
		}
	case []any:
		for _, child := range v {
			shut(child)
		}
	}
}

// within returns a part of a document.
func within(doc map[string]any, names ...string) map[string]any {
	for _, name := range names {
		doc, _ = doc[name].(map[string]any)
	}
	return doc
}

// base is the address of the descriptions for the validator.
const base = "https://steno.example"

// pointer returns the address of a part of a document.
func pointer(doc string, names ...string) string {
	for i, name := range names {
		name = strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D", "*", "%2A").Replace(name)
		names[i] = name
	}
	return base + doc + "#/" + strings.Join(names, "/")
}

// fits checks JSON against the schema at an address.
func (d *described) fits(at string, text []byte) error {
	d.compiling.Lock()
	s, err := d.schemas.Compile(at)
	d.compiling.Unlock()
	if err != nil {
		return fmt.Errorf("schema %s: %w", at, err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("%.200q: %w", text, err)
	}
	return s.Validate(v)
}

// ask makes a request of the operation and checks the answer against its description.
func (d *described) ask(operation, path, body string, headers ...string) answer {
	d.t.Helper()
	method, template, _ := strings.Cut(operation, " ")
	a := d.testServer.do(method, path, body, headers...)
	status := fmt.Sprint(a.status)
	names := []string{"paths", template, strings.ToLower(method), "responses", status}
	response := within(d.open, names...)
	if response == nil {
		d.t.Errorf("%s answers %s to %s, which is not described: %.300s", operation, status, path, a.body)
		return a
	}
	d.mu.Lock()
	d.seen[operation+" "+status] = true
	d.mu.Unlock()
	kinds := within(response, "content")
	if len(kinds) == 0 {
		if len(a.body) > 0 {
			d.t.Errorf("%s %s: body of %d bytes", operation, status, len(a.body))
		}
		return a
	}
	kind, _, _ := strings.Cut(a.header.Get("Content-Type"), ";")
	if _, ok := kinds["audio/*"]; ok && strings.HasPrefix(kind, "audio/") {
		return a
	}
	described := within(kinds, kind)
	if described == nil {
		d.t.Errorf("%s %s: body of type %q", operation, status, kind)
		return a
	}
	if kind == "application/json" && described["schema"] != nil {
		if err := d.fits(pointer("/openapi.json", append(names, "content", kind, "schema")...), a.body); err != nil {
			d.t.Errorf("%s %s: %v: %.500s", operation, status, err, a.body)
		}
	}
	return a
}

// heard checks a message against the descriptions of an operation's messages: exactly one must fit.
func (d *described) heard(operation string, text []byte) {
	d.t.Helper()
	var fitting []string
	var why error
	for _, name := range d.messagesOf(operation) {
		err := d.fits(pointer("/asyncapi.json", "components", "messages", name, "payload"), text)
		if err == nil {
			fitting = append(fitting, name)
		}
		title, _ := within(d.async, "components", "messages", name)["title"].(string)
		if err != nil && strings.Contains(string(text), `"`+title+`"`) {
			why = err
		}
	}
	if len(fitting) != 1 {
		d.t.Errorf("%s: %v are descriptions of %.500s: %v", operation, fitting, text, why)
		return
	}
	d.mu.Lock()
	d.seen[fitting[0]] = true
	d.mu.Unlock()
}

// messagesOf returns the names of an operation's messages.
func (d *described) messagesOf(operation string) []string {
	var all []string
	refs, _ := within(d.async, "operations", operation)["messages"].([]any)
	for _, ref := range refs {
		all = append(all, path.Base(ref.(map[string]any)["$ref"].(string)))
	}
	return all
}

// webhook is a receiver of callbacks, each checked against the description of the operation in its
// path.
type webhook struct {
	d   *described
	url string
	got chan string // events
}

func newWebhook(d *described) *webhook {
	h := &webhook{d: d, got: make(chan string, 1000)}
	server := httptest.NewServer(h)
	d.t.Cleanup(server.Close)
	h.url = server.URL
	return h
}

func (h *webhook) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		h.d.t.Error(err)
	}
	operation := path.Base(r.URL.Path)
	h.d.heard(operation, body)
	given := map[string]string{}
	for name := range r.Header {
		if strings.HasPrefix(name, "Webhook-") {
			given[strings.ToLower(name)] = r.Header.Get(name)
		}
	}
	headers, _ := json.Marshal(given)
	for _, name := range h.d.messagesOf(operation) {
		if err := h.d.fits(pointer("/asyncapi.json", "components", "messages", name, "headers"), headers); err != nil {
			h.d.t.Error(err)
		}
	}
	var event struct{ Event string }
	_ = json.Unmarshal(body, &event) // was held against its description
	h.got <- event.Event
}

// await waits for a callback.
func (h *webhook) await(event string) {
	h.d.t.Helper()
	late := time.After(patience)
	for {
		select {
		case got := <-h.got:
			if got == event {
				return
			}
		case <-late:
			h.d.t.Fatalf("no callback %s", event)
		}
	}
}

// demand checks that all of these were seen.
func (d *described) demand(names ...string) {
	d.t.Helper()
	for _, name := range names {
		if !d.seen[name] {
			d.t.Errorf("%s was not seen", name)
		}
	}
}

// ofDialect reports whether a described operation is that of a dialect.
func ofDialect(operation any) bool {
	return operation.(map[string]any)["tags"].([]any)[0] == "Clients of other services"
}

// operationsOf lists all operations of the tables, as "METHOD path".
func operationsOf(s *Server) []string {
	var all []string
	for _, r := range slices.Concat(s.table(), s.views.table(), accountTable(s), s.openTable()) {
		all = append(all, r.method+" "+r.path)
	}
	return all
}

// statusesOf lists the described answers of dialects, or else of all other operations, as "METHOD
// path status", except those of faults of the server and of load.
func (d *described) statusesOf(dialects bool) []string {
	var all []string
	for path, item := range within(d.open, "paths") {
		for method, operation := range item.(map[string]any) {
			if ofDialect(operation) != dialects {
				continue
			}
			for status := range within(d.open, "paths", path, method, "responses") {
				if status < "500" && status != "429" && status != "408" {
					all = append(all, strings.ToUpper(method)+" "+path+" "+status)
				}
			}
		}
	}
	slices.Sort(all)
	return all
}
