// Command lint checks what gofmt, vet and staticcheck do not: the width of lines, the English of
// comments, that links in doc comments lead somewhere, and that no type has too many methods and no
// package too many files. It parses the files below a folder and checks no types.
//
// Where a rule is older than the code, the file ceilings lists how often a folder may break it. A
// count above its ceiling is a fault; -lower writes the counts that are below theirs, so that
// ceilings only fall.
package main

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

func main() {
	root := flag.String("root", ".", "folder of the sources")
	lower := flag.Bool("lower", false, "lower the ceilings to what is counted")
	list := flag.String("list", "", "print all findings in this folder, those below the ceilings too")
	flag.Parse()
	if err := run(*root, *list, *lower, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "lint:", err)
		os.Exit(1)
	}
}

// run checks the sources below root, and prints each rule that is broken more often than its
// ceiling allows. With a folder it prints all findings there instead.
func run(root, list string, lower bool, out io.Writer) error {
	findings, err := check(root)
	if err != nil {
		return err
	}
	path := filepath.Join(root, "cmd/lint/ceilings")
	allowed, err := readCeilings(path)
	if err != nil {
		return err
	}
	if list != "" {
		for _, f := range findings {
			if rel, err := filepath.Rel(list, f.file); err == nil && filepath.IsLocal(rel) {
				fmt.Fprintln(out, f)
			}
		}
		return nil
	}
	counts := map[key][]finding{}
	for _, f := range findings {
		counts[f.key()] = append(counts[f.key()], f)
	}
	broken := 0
	for _, k := range slices.SortedFunc(maps.Keys(counts), key.compare) {
		if len(counts[k]) <= allowed[k] {
			continue
		}
		broken++
		fmt.Fprintf(out, "%s: %s: %d, and %d allowed; to see them: go run ./cmd/lint -list %s\n",
			k.folder, k.rule, len(counts[k]), allowed[k], k.folder)
		if allowed[k] == 0 {
			for _, f := range counts[k] {
				fmt.Fprintln(out, f)
			}
		}
	}
	if lower {
		if err := writeCeilings(path, lowered(allowed, counts)); err != nil {
			return err
		}
	}
	if broken > 0 {
		return fmt.Errorf("%d rules are broken more often than cmd/lint/ceilings allows", broken)
	}
	return nil
}
