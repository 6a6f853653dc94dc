package main

import (
	"fmt"
	"go/ast"
	"strings"
)

// mostMethods is how many methods a type may have.
const mostMethods = 30

// manyMethods finds the types with more methods than a reader can keep in mind. Those of tests are
// not counted.
func manyMethods(sources []*source) (all []finding) {
	count, first := map[string]int{}, map[string]finding{}
	for _, s := range sources {
		if strings.HasSuffix(s.path, "_test.go") {
			continue
		}
		for _, d := range s.Decls {
			name := receiver(d)
			if name == "" {
				continue
			}
			key := s.folder() + " " + name
			if count[key]++; count[key] == 1 {
				first[key] = finding{s.path, s.line(d.Pos()), methods, name}
			}
		}
	}
	for key, n := range count {
		if n > mostMethods {
			f := first[key]
			f.text = fmt.Sprintf("type %s has %d methods, at most %d", f.text, n, mostMethods)
			all = append(all, f)
		}
	}
	return all
}

// receiver returns the type of a method; empty where d is none.
func receiver(d ast.Decl) string {
	f, ok := d.(*ast.FuncDecl)
	if !ok || f.Recv == nil {
		return ""
	}
	t := f.Recv.List[0].Type
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	switch g := t.(type) {
	case *ast.IndexExpr:
		t = g.X
	case *ast.IndexListExpr:
		t = g.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}
