package transcribe

import (
	"cmp"
	"slices"

	"steno/messages"
	"steno/session/addon/sentences"
)

// Pauses, in seconds, at which an utterance is divided.
const (
	dividingPause = 0.5 // wherever it is
	sentencePause = 0.2 // at the end of a sentence
)

// Divide returns the utterances of a recording, which was recognized in pieces of up to 20 s, as those who read them expect them: each
// divided where a sentence ends and the speaker pauses, and where the speaker pauses for longer. They are ordered by start, then channel.
// An utterance whose words have no times of the recognizer's stays whole.
func Divide(us []messages.Utterance) []messages.Utterance {
	divided := make([]messages.Utterance, 0, len(us))
	for _, u := range us {
		divided = append(divided, divide(u)...)
	}
	slices.SortStableFunc(divided, func(a, b messages.Utterance) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Channel, b.Channel))
	})
	return divided
}

func divide(u messages.Utterance) []messages.Utterance {
	if u.Untimed || len(u.Words) < 2 {
		return []messages.Utterance{u}
	}
	var parts []messages.Utterance
	ends := sentences.Ends(u.Words, u.Language)
	from := 0
	for i := range u.Words[1:] {
		pause := u.Words[i+1].Start - u.Words[i].End
		if pause >= dividingPause || ends[i] && pause >= sentencePause {
			parts = append(parts, u.Excerpt(u.Words[from:i+1:i+1]))
			from = i + 1
		}
	}
	if from == 0 {
		return []messages.Utterance{u}
	}
	return append(parts, u.Excerpt(u.Words[from:]))
}
