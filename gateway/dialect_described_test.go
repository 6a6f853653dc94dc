package gateway

import (
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"steno/gateway/dialect"
	"steno/gateway/dialect/registry"
	"steno/gateway/openapi"
)

// TestDialectsDescribed holds that each HTTP route of a dialect is described, with the parameters
// that it declares and the bodies of requests and answers, and refuses as is described; and that
// all else is described as without the dialects.
func TestDialectsDescribed(t *testing.T) {
	d := newDescribed(t, func(*Config) {})
	routes := 0
	for _, one := range registry.All() {
		if one.HTTP == nil {
			continue
		}
		for _, r := range one.HTTP(dialect.Services{}).Routes {
			paths := []string{"/" + one.Name + r.Path}
			if r.Bare {
				paths = append(paths, r.Path)
			}
			for _, path := range paths {
				routes++
				d.described(r, path)
			}
		}
	}
	if routes < 20 {
		t.Errorf("%d routes", routes)
	}
	var own []openapi.Operation
	for _, o := range d.server.operations() {
		if o.Dialect == "" {
			own = append(own, o)
		}
	}
	alone, err := openapi.NewOpenAPI(openapi.Info{Title: "steno", KeyHeaders: d.server.cfg.KeyHeaders,
		Addons: d.server.deps.Addons.Declarations()}, own)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range [][]string{{"paths"}, {"components", "schemas"}} {
		without := within(openTree(t, alone), part...)
		if len(without) == 0 {
			t.Errorf("%v is empty", part)
		}
		for name, described := range within(openTree(t, d.testServer.do("GET", "/openapi.json", "").body), part...) {
			if before := without[name]; before != nil && !reflect.DeepEqual(before, described) {
				t.Errorf("%v %s is described differently with dialects", part, name)
			}
			delete(without, name)
		}
		if len(without) > 0 {
			t.Errorf("%v are missing: %v", part, without)
		}
	}
}

// openTree is a document as any reader of JSON sees it.
func openTree(t *testing.T, doc any) (tree map[string]any) {
	t.Helper()
	text, ok := doc.([]byte)
	if !ok {
		var err error
		if text, err = json.Marshal(doc); err != nil {
			t.Fatal(err)
		}
	}
	if err := json.Unmarshal(text, &tree); err != nil {
		t.Fatal(err)
	}
	return tree
}

// described checks the description of a dialect's route at a path.
func (d *described) described(r dialect.Route, path string) {
	d.t.Helper()
	op := within(d.open, "paths", path, strings.ToLower(r.Method))
	if op == nil || op["summary"] == "" || len(op["security"].([]any)) == 0 {
		d.t.Errorf("%s %s is described as %v", r.Method, path, op)
		return
	}
	var query []string
	all, _ := op["parameters"].([]any)
	for _, p := range all {
		if one := p.(map[string]any); one["in"] == "query" {
			query = append(query, one["name"].(string))
		}
	}
	if !slices.Equal(query, r.Query) || strings.Contains(path, "{id}") != (len(all) > len(query)) {
		d.t.Errorf("%s %s: parameters %v", r.Method, path, all)
	}
	if body := within(op, "requestBody", "content"); (r.Method == http.MethodPost) != hasSchemas(body) {
		d.t.Errorf("%s %s takes %v", r.Method, path, body)
	}
	if body := within(op, "responses", "200", "content"); !hasSchemas(body) {
		d.t.Errorf("%s %s gives %v", r.Method, path, body)
	}
	ref, _ := within(op, "responses", "401", "content", "application/json", "schema")["$ref"].(string)
	if !strings.HasSuffix(ref, "Refusal") {
		d.t.Errorf("%s %s refuses with %q", r.Method, path, ref)
	}
	d.ask(r.Method+" "+path, strings.Replace(path, "{id}", "x", 1), "", "x-service-key", "")
}

// hasSchemas reports whether there are forms of a body, each with a schema that is not empty.
func hasSchemas(content map[string]any) bool {
	for _, one := range content {
		if schema := within(one.(map[string]any), "schema"); len(schema) == 0 {
			return false
		}
	}
	return len(content) > 0
}
