package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"steno/vad/training/corpus"
)

// credits lists what was learnt from: a line for each source and licence.
func credits(folders []string) ([]string, error) {
	count := map[string]int{}
	for _, folder := range folders {
		c, err := corpus.Open(folder)
		if err != nil {
			return nil, err
		}
		seen := map[string]bool{}
		for _, m := range sourceFolders {
			for prefix := range strings.FieldsSeq(m.prefixes) {
				for _, t := range c.Titles(prefix) {
					if !seen[t.Name] && free(t.Licence) && !heldOut(t) {
						seen[t.Name] = true
						licence, _, _ := strings.Cut(t.Licence, ";")
						count[t.Source+": "+licence]++
					}
				}
			}
		}
	}
	var out []string
	for _, line := range slices.Sorted(maps.Keys(count)) {
		out = append(out, fmt.Sprintf("%s, %d recordings", line, count[line]))
	}
	return out, nil
}
