package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Each promise of SECURITY.md names tests that there are.
func TestPromisesHaveTheirTests(t *testing.T) {
	text, err := os.ReadFile("../../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "## Promises")
	table, _, _ = strings.Cut(table, "\n## ")
	rows := regexp.MustCompile("(?m)^\\| [A-Z].* \\| `([a-z0-9/]+)` (.*) \\|$").FindAllStringSubmatch(table, -1)
	if len(rows) == 0 || len(rows)+2 != strings.Count(table, "\n|") {
		t.Fatalf("%d of %d rows are understood", len(rows), strings.Count(table, "\n|")-2)
	}
	for _, row := range rows {
		sources := testsOf(t, filepath.Join("../..", row[1]))
		for _, name := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(row[2], -1) {
			if !strings.Contains(sources, "\nfunc "+name[1]+"(t *testing.T)") {
				t.Errorf("%s: there is no test %s in %s", row[0], name[1], row[1])
			}
		}
	}
}

// testsOf returns the sources of a package's tests.
func testsOf(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}
