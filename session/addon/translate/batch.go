package translate

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"steno/session/addon/remote"
)

// mostFailures is after how many failures in a row a translator is taken to have no answers for a
// batch; for anything, where there was no answer before; twice as many, where there was.
const mostFailures = 8

// batches lists the places of texts that go together: so many, of so many characters, at most. A
// longer text goes alone, one without anything not at all.
func batches(texts []string, most, characters int) (all [][]int) {
	size := 0
	for i, s := range texts {
		if strings.TrimSpace(s) == "" {
			continue
		}
		n := utf8.RuneCountInString(s)
		if last := len(all) - 1; last < 0 || len(all[last]) == most || size+n > characters {
			all, size = append(all, nil), 0
		}
		last := len(all) - 1
		all[last], size = append(all[last], i), size+n
	}
	return all
}

// bisect asks for the texts of each batch, one batch after another, and returns the first error
// that cost one its translation. What fails for one text must not cost the others theirs: a batch
// without an answer is halved, longer parts first, down to the texts that it fails for. ask reports
// whether there was an answer, and what was wrong with that or why there was none. An error that
// does not come from the texts ends it: the translator has its own patience with those.
func bisect(all [][]int, ask func(at []int) (answered bool, err error)) (first error) {
	before, row := false, 0
	for _, batch := range all {
		todo := [][]int{batch}
		for failures := 0; len(todo) > 0; {
			at := todo[0]
			todo = todo[1:]
			answered, err := ask(at)
			if answered {
				before, row, failures = true, 0, 0
				first = cmp.Or(first, err)
				continue
			}
			row++
			failures++
			switch middle := len(at) / 2; {
			case !remote.Divisible(err), row == mostFailures && !before, row == 2*mostFailures:
				return cmp.Or(first, err)
			case failures == mostFailures:
				first, todo = cmp.Or(first, err), nil
			case middle == 0:
				first = cmp.Or(first, err)
			default:
				todo = append(todo, at[:middle], at[middle:])
			}
		}
	}
	return first
}

// pick lists the texts at these places.
func pick(texts []string, at []int) []string {
	some := make([]string, len(at))
	for i, j := range at {
		some[i] = texts[j]
	}
	return some
}
