// Package summary shortens what was said to its most telling sentences, without a model.
package summary

import "steno/messages"

// The kinds of summary.
const (
	General = "general"
	Bullets = "bullet_points"
	Concise = "concise"
)

// Extract is a summary of the kind given; an unknown kind is read as [General]. It reports false where nothing was said.
func Extract(us []messages.Utterance, kind string) (string, bool) { return "", false }
