package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The packages that CALM in the Makefile lists are tested without the race detector: they start no
// goroutine, and wait for none.
func TestPackagesWithoutGoroutines(t *testing.T) {
	root := filepath.Join("..", "..")
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`(?m)^CALM = ((?:.*\\\n)*.*)$`).FindSubmatch(makefile)
	if list == nil {
		t.Fatal("no list CALM of packages without goroutines")
	}
	for dir := range strings.FieldsSeq(strings.ReplaceAll(string(list[1]), "\\", "")) {
		files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no package: %v", dir, err)
		}
		for _, name := range files {
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.GoStmt, *ast.SelectStmt, *ast.ChanType:
					t.Errorf("%s uses goroutines: %T", name, n)
				case *ast.SelectorExpr:
					if n.Sel.Name == "Parallel" || n.Sel.Name == "WaitGroup" {
						t.Errorf("%s uses goroutines: %s", name, n.Sel.Name)
					}
				}
				return true
			})
		}
	}
}
