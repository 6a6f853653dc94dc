package main

import (
	"fmt"
	"regexp"
	"strings"
)

// replacements are words of comments for which there is a plainer one: what is found, and what to
// write.
var replacements = []struct{ found, write string }{
	{`go(?:es|ing)? on|went on`, "continues"},
	{`at once`, "together; in one call; immediately"},
	{`behind`, "after"},
	{`told|tells? of`, "reported, reports; logs; returns"},
	{`anew`, "again"},
	{`what there is`, "the result so far; what is available"},
	{`that (?:has|have) ended|(?:is|are) over`, "finished, closed"},
	{`owed?|owes`, "must follow; is pending"},
	{`gives?`, "returns"},
	{`one's own`, "its own"},
	{`shed|given up`, "dropped"},
	{`says?`, "contains, has, states"},
	{`by (?:it|them)sel(?:f|ves)`, "automatically; on its own"},
	{`of the (?:same|very) kind`, "the name of the thing"},
	{`no longer [a-su-z]\w*`, "what holds, without what held before"},
}

var replaced = func() *regexp.Regexp {
	var all []string
	for _, r := range replacements {
		all = append(all, "("+r.found+")")
	}
	return regexp.MustCompile(`(?i)\b(?:` + strings.Join(all, "|") + `)\b`)
}()

// words finds the words in comments that have a plainer one. It leaves out what is quoted, and what
// is indented as code.
func words(s *source) (all []finding) {
	for _, group := range s.Comments {
		for _, c := range group.List {
			line := s.line(c.Pos())
			for i, text := range strings.Split(c.Text, "\n") {
				if isCode(text) || strings.HasPrefix(text, "//go:") {
					continue
				}
				for _, m := range replaced.FindAllStringSubmatchIndex(unquoted(text), -1) {
					all = append(all, finding{s.path, line + i, badWord, advice(text, m)})
				}
			}
		}
	}
	return all
}

// isCode reports whether a line of a comment is indented, as code and tables are.
func isCode(line string) bool {
	return strings.HasPrefix(line, "//\t") || strings.HasPrefix(line, "//   ")
}

// quoted is text that names something.
var quoted = regexp.MustCompile("\"[^\"]*\"|`[^`]*`")

// unquoted blanks what is quoted, so that all else keeps its place.
func unquoted(text string) string {
	return quoted.ReplaceAllStringFunc(text, func(q string) string { return strings.Repeat(" ", len(q)) })
}

// advice describes a match of replaced.
func advice(text string, match []int) string {
	for i, r := range replacements {
		if at := match[2*i+2]; at >= 0 {
			return fmt.Sprintf("%q: write %s", text[at:match[2*i+3]], r.write)
		}
	}
	return ""
}
