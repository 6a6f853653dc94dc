package terminal

import (
	"fmt"
	"strings"
)

// Briefly names a few languages and counts the others.
func Briefly(codes []string) string {
	const shown = 4
	switch {
	case len(codes) == 0:
		return "any"
	case len(codes) > shown:
		return fmt.Sprintf("%s and %d more", strings.Join(codes[:shown-1], ", "), len(codes)-shown+1)
	}
	return strings.Join(codes, ", ")
}

// Unknown stands for a fact that is not known.
const Unknown = "unknown"
