package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// key names a count: of a rule, in a top-level folder.
type key struct{ folder, rule string }

func (k key) compare(other key) int {
	return cmp.Or(cmp.Compare(k.folder, other.folder), cmp.Compare(k.rule, other.rule))
}

// readCeilings reads lines of a folder, a rule and a number. What is not listed has the ceiling 0.
func readCeilings(path string) (map[key]int, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	ceilings := map[key]int{}
	for line := range strings.Lines(string(text)) {
		var k key
		var n int
		if _, err := fmt.Sscanln(line, &k.folder, &k.rule, &n); err != nil {
			return nil, fmt.Errorf("%s: %q: %w", path, line, err)
		}
		ceilings[k] = n
	}
	return ceilings, nil
}

// lowered returns the ceilings with those that are above the counts lowered to them.
func lowered(ceilings map[key]int, counts map[key][]finding) map[key]int {
	all := map[key]int{}
	for k, n := range ceilings {
		if n = min(n, len(counts[k])); n > 0 {
			all[k] = n
		}
	}
	return all
}

func writeCeilings(path string, ceilings map[key]int) error {
	var b strings.Builder
	for _, k := range slices.SortedFunc(maps.Keys(ceilings), key.compare) {
		fmt.Fprintln(&b, k.folder, k.rule, ceilings[k])
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}
