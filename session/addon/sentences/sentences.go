// Package sentences divides what was said into sentences.
package sentences

import (
	"strings"

	"steno/messages"
)

// Sentence is one sentence of one speaker on one channel.
type Sentence struct {
	// Text is the words joined, trimmed.
	Text string
	// Start is that of the first word, End that of the last, in seconds.
	Start, End float64
	Channel    int
	Speaker    *int
	Language   string
	Words      []messages.Word
}

// Split divides utterances into sentences, ordered by their start.
func Split(us []messages.Utterance) []Sentence {
	var all []Sentence
	for _, u := range us {
		all = append(all, Sentence{strings.TrimSpace(u.Text), u.Start, u.End, u.Channel, u.Speaker, u.Language, u.Words})
	}
	return all
}
