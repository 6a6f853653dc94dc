package entities_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var contracted = regexp.MustCompile(`^[a-z]+'s$`)

// The lists of words have none with "'s" in its end: what they are compared with has lost it.
func TestListsHaveNoContractions(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			for _, word := range strings.Fields(text) {
				if contracted.MatchString(word) {
					t.Errorf("%s: %q is never found", name, word)
				}
			}
			return true
		})
	}
}
