package messages

import (
	"slices"
	"strconv"
	"strings"
)

// findByName is the first of the paths that ends with a name, empty if there is none.
func findByName(paths []string, name string) string {
	for _, path := range paths {
		if path[strings.LastIndexByte(path, '.')+1:] == name {
			return path
		}
	}
	return ""
}

// pathWithoutIndices is a path without the indices of arrays.
func pathWithoutIndices(path string) string {
	return strings.Join(slices.DeleteFunc(strings.Split(path, "."), func(part string) bool {
		_, err := strconv.Atoi(part)
		return err == nil
	}), ".")
}

// normalizedName is a name without what people write in different ways: sampleRate and sample-rate
// are sample_rate.
func normalizedName(name string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(name))
}

// Nearest is the name that differs from the one given by the fewest letters, empty if all differ by
// more than most letters or a third of the name.
func Nearest(known map[string]bool, name string, most int) string {
	best, least := "", 1+min(most, len(name)/3)
	if len(name) > maxExcerpt {
		return ""
	}
	for _, candidate := range sortedKeys(known) {
		if d := editDistance(normalizedName(name), normalizedName(candidate)); d < least {
			best, least = candidate, d
		}
	}
	return best
}

// editDistance is how many letters have to be put in, taken out, replaced or swapped with the next
// to make b of a.
func editDistance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row = last, row, before
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
