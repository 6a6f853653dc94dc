package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

const (
	commentColumns = 100
	codeColumns    = 120
	tabColumns     = 4
)

// The rules.
const (
	wideComment = "wide-comment"
	wideCode    = "wide-code"
	deadLink    = "dead-link"
	badWord     = "word"
	methods     = "methods"
	files       = "files"
)

// finding is a place where a rule is broken.
type finding struct {
	file string // path below the root
	line int
	rule string
	text string
}

func (f finding) String() string { return fmt.Sprintf("%s:%d: %s: %s", f.file, f.line, f.rule, f.text) }

// key returns what the finding counts for.
func (f finding) key() key {
	folder, _, _ := strings.Cut(filepath.ToSlash(f.file), "/")
	return key{folder, f.rule}
}

// source is a parsed file.
type source struct {
	path  string // below the root
	text  string
	files *token.FileSet
	*ast.File
}

// folder returns the folder of the file, below the root.
func (s *source) folder() string { return filepath.ToSlash(filepath.Dir(s.path)) }

func (s *source) line(at token.Pos) int { return s.files.Position(at).Line }

// check returns all findings in the Go files below root, by file. Generated files are left out.
func check(root string) ([]finding, error) {
	sources, err := parse(root)
	if err != nil {
		return nil, err
	}
	links := newLinks(sources)
	var all []finding
	for _, s := range sources {
		all = append(all, widths(s)...)
		all = append(all, words(s)...)
		all = append(all, links.dead(s)...)
	}
	return append(append(all, manyMethods(sources)...), manyFiles(sources)...), nil
}

// parse reads the Go files below root.
func parse(root string) ([]*source, error) {
	var all []*source
	set := token.NewFileSet()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && path != root && (name[0] == '.' || name == "testdata" || name == "node_modules") {
			return filepath.SkipDir
		}
		if d.IsDir() || filepath.Ext(name) != ".go" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(set, path, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		if ast.IsGenerated(f) {
			return nil
		}
		below, err := filepath.Rel(root, path)
		all = append(all, &source{below, string(text), set, f})
		return err
	})
	return all, err
}

// widths finds lines that are too wide: whole-line comments, and all others. Directives, and
// comments of a single word, such as an address, may be as wide as they are.
func widths(s *source) (all []finding) {
	number := 0
	for line := range strings.Lines(s.text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		text := strings.TrimLeft(line, "\t ")
		limit, rule := codeColumns, wideCode
		if strings.HasPrefix(text, "//") {
			limit, rule = commentColumns, wideComment
		}
		width := utf8.RuneCountInString(line) + (tabColumns-1)*strings.Count(line, "\t")
		oneWord := rule == wideComment && len(strings.Fields(text)) <= 2
		if width <= limit || oneWord || strings.HasPrefix(text, "//go:") {
			continue
		}
		all = append(all, finding{s.path, number, rule, fmt.Sprintf("%d columns, at most %d", width, limit)})
	}
	return all
}
