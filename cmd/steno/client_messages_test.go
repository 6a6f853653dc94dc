package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// serverKey matches names that only an operator can do something with: keys of the configuration
// and variables of the environment.
var serverKey = regexp.MustCompile(`\b(limits|recordings|addons|engines|callbacks|admission|retention|valkey|log)\.[a-z]+_?[a-z]|STENO_[A-Z]|_API_KEY|\b(key_env|public_url|allow_private|steno\.yml)\b`)

// forOperators are the functions whose texts no client sees, and the table of one.
var forOperators = map[string]bool{"Msg": true, "Str": true, "refusedKeys": true}

// Messages to clients name no keys of the server's configuration. The test reads the texts of the
// packages that answer clients.
func TestClientsAreToldNoKeysOfTheServer(t *testing.T) {
	for _, folder := range []string{"../../gateway", "../../messages", "../../session/addon",
		"../../session/transcribe"} {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err == nil {
				ast.Inspect(file, func(n ast.Node) bool { return !isForOperators(n) && named(t, path, n) })
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// named reports a text that names a key.
func named(t *testing.T, path string, n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec, *ast.Field:
		return false // paths and tags
	case *ast.BasicLit:
		if key := serverKey.FindString(n.Value); n.Kind == token.STRING && key != "" {
			t.Errorf("%s: %s names %s", path, n.Value, key)
		}
	}
	return true
}

// isForOperators reports whether what is written in a node goes to the log.
func isForOperators(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		s, ok := n.Fun.(*ast.SelectorExpr)
		return ok && forOperators[s.Sel.Name] && len(n.Args) > 0 && isText(n.Args[0])
	case *ast.ValueSpec:
		return forOperators[n.Names[0].Name]
	}
	return false
}

func isText(e ast.Expr) bool {
	_, ok := e.(*ast.BasicLit)
	return ok
}
