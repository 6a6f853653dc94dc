package main

import (
	"fmt"
	"strings"
)

// mostFiles is how many files a package may have, its tests left out.
const mostFiles = 25

// manyFiles finds the files, in the order of their names, that are beyond what a package may have.
func manyFiles(sources []*source) (all []finding) {
	count := map[string]int{}
	for _, s := range sources {
		if strings.HasSuffix(s.path, "_test.go") {
			continue
		}
		if count[s.folder()]++; count[s.folder()] > mostFiles {
			all = append(all, finding{s.path, 1, files, fmt.Sprintf("file %d of its package, which may have %d",
				count[s.folder()], mostFiles)})
		}
	}
	return all
}
