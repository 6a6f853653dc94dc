package registry

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"steno/gateway/dialect"
)

var update = flag.Bool("update", false, "write the table of the document")

const (
	document = "../DIALECTS.md"
	start    = "<!-- The table is made of the code: go test ./gateway/dialect/registry -update -->\n"
	end      = "\n<!-- Here it ends. -->"
)

// TestDocument holds that the document has a section for each dialect, and the table of what is
// accepted without effect as the dialects have it.
func TestDocument(t *testing.T) {
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), start)
	table, after, ended := strings.Cut(rest, end)
	if !ok || !ended {
		t.Fatal("the document has no place for the table")
	}
	if want := ignoredTable(); table != want {
		if !*update {
			t.Fatal("the table is old: go test ./gateway/dialect/registry -update")
		}
		if err := os.WriteFile(document, []byte(before+start+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range All() {
		if d.Name == "gladia" {
			continue // the gateway's own interface
		}
		if !strings.Contains(strings.ToLower(string(text)), "\n## "+d.Name) {
			t.Errorf("there is no section about %s", d.Name)
		}
		for _, path := range d.Paths {
			if !strings.Contains(string(text), strings.TrimSuffix(path, "/{key}")) {
				t.Errorf("%s: the path %s is not named", d.Name, path)
			}
		}
		for _, route := range routesOf(d) {
			if !strings.Contains(string(text), route.Path) {
				t.Errorf("%s: the path %s is not named", d.Name, route.Path)
			}
		}
	}
}

func routesOf(d dialect.Dialect) []dialect.Route {
	if d.HTTP == nil {
		return nil
	}
	return d.HTTP(dialect.Services{}).Routes
}

func ignoredTable() string {
	var b strings.Builder
	b.WriteString("\n| dialect | operation | option | why |\n|---|---|---|---|\n")
	for _, d := range All() {
		for _, i := range d.Ignored {
			options := strings.ReplaceAll(i.Option, ", ", "`, `")
			fmt.Fprintf(&b, "| %s | %s | `%s` | %s |\n", d.Name, i.Where, options, i.Why)
		}
	}
	return b.String()
}
