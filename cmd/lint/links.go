package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// names are what a package declares: Name, and Type.Name of methods and fields.
type names map[string]bool

// links resolves the links of doc comments:
//
//	[Name] [Type.Name] [pkg.Name] [pkg.Type.Name] [path/pkg]
type links struct {
	folders map[string]names             // of the sources, by folder
	imports map[string]map[string]string // paths of what any file of a folder imports, by name
	library map[string]names             // Go's own packages that were asked for, by path; nil: there is none
}

func newLinks(sources []*source) *links {
	l := &links{folders: map[string]names{}, imports: map[string]map[string]string{}, library: map[string]names{}}
	for _, s := range sources {
		folder := s.folder()
		if l.folders[folder] == nil {
			l.folders[folder], l.imports[folder] = names{}, map[string]string{}
		}
		l.folders[folder].add(s.File)
		for _, i := range s.Imports {
			imported := strings.Trim(i.Path.Value, `"`)
			name := path.Base(imported)
			if i.Name != nil {
				name = i.Name.Name
			}
			l.imports[folder][name] = imported
		}
	}
	return l
}

// add adds what a file declares.
func (n names) add(f *ast.File) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				n[d.Name.Name] = true
			} else if owner := baseName(d.Recv.List[0].Type); owner != "" {
				n[owner+"."+d.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				n.addSpec(spec)
			}
		}
	}
}

func (n names) addSpec(spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			n[name.Name] = true
		}
	case *ast.TypeSpec:
		n[spec.Name.Name] = true
		var fields *ast.FieldList
		switch t := spec.Type.(type) {
		case *ast.StructType:
			fields = t.Fields
		case *ast.InterfaceType:
			fields = t.Methods
		default:
			return
		}
		for _, field := range fields.List {
			for _, name := range field.Names {
				n[spec.Name.Name+"."+name.Name] = true
			}
			if len(field.Names) == 0 { // what is embedded may have any method
				n[spec.Name.Name+".*"] = true
			}
		}
	}
}

// baseName returns the name of the type of a receiver.
func baseName(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.Ident:
		return t.Name
	case *ast.StarExpr:
		return baseName(t.X)
	case *ast.IndexExpr:
		return baseName(t.X)
	case *ast.IndexListExpr:
		return baseName(t.X)
	}
	return ""
}

// has reports whether a package declares Name or Type.Name.
func (n names) has(local string) bool {
	owner, _, inside := strings.Cut(local, ".")
	return n[local] || inside && n[owner+".*"]
}

// docLink is a link in a doc comment. As Go's own, it stands between spaces and punctuation.
var docLink = regexp.MustCompile(`(?:^|[\s(,;:"'])\[\*?([A-Za-z_][\w./-]*)\](?:[\s).,;:'"?!]|$)`)

// dead finds the links of the doc comments in a file that lead nowhere.
func (l *links) dead(s *source) (all []finding) {
	for _, doc := range docs(s.File) {
		for _, c := range doc.List {
			if isCode(c.Text) {
				continue
			}
			line := strings.TrimPrefix(c.Text, "//")
			for _, m := range docLink.FindAllStringSubmatch(strings.ReplaceAll(line, "] ", "]  "), -1) {
				if !l.resolves(s, m[1]) {
					text := fmt.Sprintf("[%s] leads nowhere", m[1])
					all = append(all, finding{s.path, s.line(c.Pos()), deadLink, text})
				}
			}
		}
	}
	return all
}

// docs returns the doc comments of a file.
func docs(f *ast.File) (all []*ast.CommentGroup) {
	add := func(c *ast.CommentGroup) {
		if c != nil {
			all = append(all, c)
		}
	}
	add(f.Doc)
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			add(n.Doc)
			return false
		case *ast.GenDecl:
			add(n.Doc)
		case *ast.TypeSpec:
			add(n.Doc)
		case *ast.ValueSpec:
			add(n.Doc)
		case *ast.Field:
			add(n.Doc)
		}
		return true
	})
	return all
}

// resolves reports whether a link in a file leads somewhere.
func (l *links) resolves(s *source, link string) bool {
	if l.folders[s.folder()].has(link) || link == strings.ToUpper(link) { // as in [NAME_1], which is text
		return true
	}
	if _, whole := l.packageAt(link); whole {
		return true
	}
	slash := strings.LastIndexByte(link, '/') + 1
	first, local, inside := strings.Cut(link[slash:], ".")
	at, imported := l.imports[s.folder()][first]
	if !imported {
		at = link[:slash] + first
	}
	declared, known := l.packageAt(at)
	if !known {
		return imported // a library, which the compiler has found
	}
	return !inside || declared.has(local)
}

// packageAt returns what a package of the project or of Go itself declares.
func (l *links) packageAt(at string) (names, bool) {
	if own, ok := strings.CutPrefix(at, "steno/"); ok {
		declared, known := l.folders[own]
		return declared, known
	}
	if n, asked := l.library[at]; asked {
		return n, n != nil
	}
	l.library[at] = libraryNames(filepath.Join(build.Default.GOROOT, "src", filepath.FromSlash(at)))
	return l.library[at], l.library[at] != nil
}

// libraryNames parses a package of Go itself. It returns nil where there is none.
func libraryNames(dir string) names {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var n names
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".go" || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, e.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			continue // for another system
		}
		if n == nil {
			n = names{}
		}
		n.add(f)
	}
	return n
}
