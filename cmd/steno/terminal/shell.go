// Package terminal puts values into words for people at a terminal.
package terminal

import (
	"strings"
)

// ShellWord returns a text as one word of a shell's command.
func ShellWord(text string) string {
	if strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-") == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
