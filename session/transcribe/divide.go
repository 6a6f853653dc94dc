package transcribe

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"steno/messages"
	"steno/session/addon/sentences"
)

// Pauses, in seconds, at which an utterance is divided.
const (
	dividingPause = 0.5 // wherever it is
	sentencePause = 0.2 // at the end of a sentence
)

// Divide returns the utterances of a recording, which was recognized in pieces of up to 20 s, as
// those who read them expect them: each divided where a sentence ends and the speaker pauses, and
// where the speaker pauses for longer. A sentence that continues in the next one has no full stop
// before it. They are ordered by start, then channel. An utterance whose words have no times of the
// recognizer's stays whole.
func Divide(us []messages.Utterance) []messages.Utterance {
	divided := make([]messages.Utterance, 0, len(us))
	for _, u := range resumed(us) {
		divided = append(divided, divide(u)...)
	}
	slices.SortStableFunc(divided, func(a, b messages.Utterance) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Channel, b.Channel))
	})
	return divided
}

// resumed returns utterances without the full stop where the next one of their channel continues
// the sentence, as its small first letter shows. Recognizers know what was said before an
// utterance, and write its end before they hear what comes after.
func resumed(us []messages.Utterance) []messages.Utterance {
	us = slices.Clone(us)
	last := map[int]int{} // of each channel: its latest utterance
	for i := range us {
		if before, ok := last[us[i].Channel]; ok && continues(us[before], us[i]) {
			u := &us[before]
			words := slices.Clone(u.Words)
			end := &words[len(words)-1].Word
			*end = strings.TrimSuffix(*end, ".")
			*u = u.Excerpt(words)
		}
		last[us[i].Channel] = i
	}
	return us
}

// continues reports whether b continues the sentence that a ends with a full stop: a single one,
// not that of an abbreviation or an ellipsis.
func continues(a, b messages.Utterance) bool {
	if a.Untimed || a.Language != b.Language || len(a.Words) == 0 || len(b.Words) == 0 {
		return false
	}
	end, stopped := strings.CutSuffix(strings.TrimSpace(a.Words[len(a.Words)-1].Word), ".")
	first := strings.TrimSpace(b.Words[0].Word)
	letter, _ := utf8.DecodeRuneInString(first)
	return stopped && end != "" && !strings.Contains(end, ".") && first == strings.ToLower(first) &&
		unicode.IsLower(letter)
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
