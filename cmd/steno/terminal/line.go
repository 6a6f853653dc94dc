package terminal

import (
	"regexp"
	"strings"
)

var spaces = regexp.MustCompile(`\s+`)

// OneLine is an error's text without line breaks. Errors that were joined have a semicolon between.
func OneLine(err error) string {
	var b strings.Builder
	for line := range strings.Lines(err.Error()) {
		if line = spaces.ReplaceAllString(strings.TrimSpace(line), " "); line == "" {
			continue
		}
		if said := b.String(); said != "" {
			if !strings.ContainsAny(said[len(said)-1:], ".:,;") {
				b.WriteByte(';')
			}
			b.WriteByte(' ')
		}
		b.WriteString(line)
	}
	return b.String()
}
