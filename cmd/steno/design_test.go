package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The design page of session names things in backquotes as folder.Name or folder.Type.Method, the
// folder below the module's.
var (
	glossaryName = regexp.MustCompile("`([a-z]+(?:/[a-z]+)*\\.[A-Za-z]+(?:\\.[A-Za-z]+)?)`")
	walkStep     = regexp.MustCompile("^[0-9]+\\. `([^`]+)`")
)

const designPage = "../../session/DESIGN.md"

// The glossary names what exists.
func TestGlossary(t *testing.T) {
	page := section(t, "## Glossary")
	for _, name := range glossaryName.FindAllStringSubmatch(page, -1) {
		folder, local, _ := cutName(name[1])
		if !parseFolder(t, folder).names[local] {
			t.Errorf("there is no %s", name[1])
		}
	}
}

// Each walk names functions that exist, and each is called by one before it: the imports lead
// there, forwards, or backwards through an interface. After a wire another program continues. The
// counts of a walk that states them are right.
func TestWalks(t *testing.T) {
	imports := importsOf(t)
	walks := strings.Split(section(t, "## Walks"), "\n### ")[1:]
	if len(walks) != 5 {
		t.Errorf("%d walks", len(walks))
	}
	for _, walk := range walks {
		title, steps, _ := strings.Cut(walk, "\n")
		var before []string // folders
		var c walkCount
		for _, line := range strings.Split(steps, "\n") {
			step := walkStep.FindStringSubmatch(line)
			if step == nil {
				if strings.Contains(line, "wire") {
					before = nil
				}
				continue
			}
			folder, local, ok := cutName(step[1])
			if !ok || !parseFolder(t, folder).functions[local] {
				t.Errorf("%s: there is no function %s", title, step[1])
			}
			calls := func(from string) bool { return reaches(t, imports, from, folder, local) }
			if len(before) > 0 && !slices.ContainsFunc(before, calls) {
				t.Errorf("%s: nothing before %s can call it", title, step[1])
			}
			before = append(before, folder)
			c.add(folder, parseFolder(t, folder).files[local])
		}
		if c.functions == 0 {
			t.Errorf("%s: no steps", title)
		}
		if given := walkCounted.FindString(steps); given != "" && given != c.String() {
			t.Errorf("%s: the walk has %s", title, c)
		}
	}
}

var walkCounted = regexp.MustCompile(`(?m)^\d+ functions in .*$`)

// walkCount is how long a walk is.
type walkCount struct {
	functions, changes int
	files, packages    map[string]bool
	last               string // package
}

// add counts a step.
func (c *walkCount) add(folder, file string) {
	if c.functions == 0 {
		c.files, c.packages = map[string]bool{}, map[string]bool{}
	} else if folder != c.last {
		c.changes++
	}
	c.functions++
	c.files[file], c.packages[folder], c.last = true, true, folder
}

func (c walkCount) String() string {
	return fmt.Sprintf("%d functions in %d files of %d packages, %d changes of package",
		c.functions, len(c.files), len(c.packages), c.changes)
}

// reaches reports whether package from can come to a function of package to: it imports that,
// directly or not, or is imported by it and so called back, or the function has the name of a
// method of an interface that from knows.
func reaches(t *testing.T, imports map[string][]string, from, to, local string) bool {
	if from == to || dependsOn(imports, from, to) || dependsOn(imports, to, from) {
		return true
	}
	_, method, _ := strings.Cut(local, ".")
	return slices.ContainsFunc(append([]string{from}, imports[from]...), func(folder string) bool {
		return parseFolder(t, folder).interfaceMethods[method]
	})
}

func dependsOn(imports map[string][]string, from, to string) bool {
	return slices.ContainsFunc(imports[from], func(i string) bool { return i == to || dependsOn(imports, i, to) })
}

// importsOf lists the packages of the module that each of its packages imports, by folder.
func importsOf(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, p := range packages(t) {
		for _, i := range p.Imports {
			if own, ok := strings.CutPrefix(i, "steno/"); ok {
				all[p.room()] = append(all[p.room()], own)
			}
		}
	}
	return all
}

// section is a part of the design page, up to the next heading of its level.
func section(t *testing.T, heading string) string {
	t.Helper()
	text, err := os.ReadFile(designPage)
	if err != nil {
		t.Fatal(err)
	}
	_, after, ok := strings.Cut(string(text), heading+"\n")
	if !ok {
		t.Fatalf("no section %q", heading)
	}
	part, _, _ := strings.Cut(after, "\n## ")
	return part
}

// cutName splits folder.Name and folder.Type.Method after the folder.
func cutName(name string) (folder, local string, ok bool) {
	slash := strings.LastIndexByte(name, '/') + 1
	first, local, ok := strings.Cut(name[slash:], ".")
	return name[:slash] + first, local, ok
}

// declarations are what a folder's files declare, tests left out.
type declarations struct {
	names            map[string]bool   // everything, methods as Type.Method
	functions        map[string]bool   // of that, functions and methods, those of interfaces too
	interfaceMethods map[string]bool   // by their own names
	files            map[string]string // in which functions and methods are
}

var parsedFolders = map[string]declarations{}

func parseFolder(t *testing.T, folder string) declarations {
	t.Helper()
	if d, ok := parsedFolders[folder]; ok {
		return d
	}
	d := declarations{map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]string{}}
	noTests := func(i fs.FileInfo) bool { return !strings.HasSuffix(i.Name(), "_test.go") }
	files, err := filepath.Glob(filepath.Join("../..", folder, "*.go"))
	if err != nil || len(files) == 0 {
		t.Errorf("no package %s (%v)", folder, err)
	}
	for _, file := range files {
		if i, err := os.Stat(file); err != nil || !noTests(i) {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range f.Decls {
			if name := d.add(decl); name != "" {
				d.files[name] = file
			}
		}
	}
	parsedFolders[folder] = d
	return d
}

// add adds what is declared. It returns the name of a function or method.
func (d declarations) add(decl ast.Decl) (function string) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		name := decl.Name.Name
		if decl.Recv != nil {
			name = receiver(decl.Recv.List[0].Type) + "." + name
		}
		d.names[name], d.functions[name] = true, true
		return name
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				d.addType(spec)
			case *ast.ValueSpec:
				for _, n := range spec.Names {
					d.names[n.Name] = true
				}
			}
		}
	}
	return ""
}

func (d declarations) addType(spec *ast.TypeSpec) {
	d.names[spec.Name.Name] = true
	i, ok := spec.Type.(*ast.InterfaceType)
	if !ok {
		return
	}
	for _, m := range i.Methods.List {
		for _, n := range m.Names {
			name := spec.Name.Name + "." + n.Name
			d.names[name], d.functions[name], d.interfaceMethods[n.Name] = true, true, true
		}
	}
}

// receiver is the name of a receiver's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
