package spelling

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"steno/messages"
)

// Apply returns the utterance with the wanted spellings; the one given stays as it is. New words
// have the time of those they replace: one by one if their number is the same, else divided by the
// letters. Their confidence is the mean of those that are known. Of an utterance without words the
// text is respelled.
func (s *Speller) Apply(u messages.Utterance) messages.Utterance {
	if len(u.Words) == 0 {
		u.Text = s.Text(u.Text, u.Language)
		return u
	}
	text := messages.TextOf(u.Words)
	edits := s.trees(u.Language).edits(text, u.Language)
	if len(edits) == 0 {
		return u
	}
	words := make(messages.List[messages.Word], 0, len(u.Words))
	at := 0 // of the next word in text
	for i := 0; i < len(u.Words); {
		n, size := 1, len(u.Words[i].Word)
		var inside []edit
		for len(edits) > 0 && edits[0].from < at+size {
			inside = append(inside, edits[0])
			for edits[0].to > at+size {
				size += len(u.Words[i+n].Word)
				n++
			}
			edits = edits[1:]
		}
		old := u.Words[i : i+n]
		if inside == nil {
			words = append(words, old...)
		} else {
			words = append(words, respelled(old, rewritten(text, at, at+size, inside))...)
		}
		i, at = i+n, at+size
	}
	u.Words, u.Text = words, messages.TextOf(words)
	return u
}

// rewritten returns text[from:to] with the edits, which lie within it.
func rewritten(text string, from, to int, edits []edit) string {
	var out strings.Builder
	for _, e := range edits {
		out.WriteString(text[from:e.from])
		out.WriteString(e.text)
		from = e.to
	}
	out.WriteString(text[from:to])
	return out.String()
}

// respelled returns the words of a text with the times of the words that they replace.
func respelled(old []messages.Word, text string) []messages.Word {
	pieces := divided(text)
	confidence := messages.MeanConfidence(old)
	out := make([]messages.Word, len(pieces))
	start, end := old[0].Start, old[len(old)-1].End
	letters, total := 0, utf8.RuneCountInString(text)
	for i, piece := range pieces {
		share := func() float64 { return start + (end-start)*float64(letters)/float64(total) }
		out[i] = messages.Word{Word: piece, Start: share(), Confidence: confidence}
		letters += utf8.RuneCountInString(piece)
		out[i].End = share()
		if len(pieces) == len(old) {
			out[i].Start, out[i].End = old[i].Start, old[i].End
		}
	}
	out[0].Start, out[len(out)-1].End = start, end
	return out
}

// divided divides a text before each run of white space, so that the pieces joined are the text.
// There is at least one.
func divided(text string) []string {
	var out []string
	from, letters := 0, false
	for i, r := range text {
		if unicode.IsSpace(r) && letters {
			out = append(out, text[from:i])
			from, letters = i, false
		}
		letters = letters || !unicode.IsSpace(r)
	}
	if !letters && len(out) > 0 {
		out[len(out)-1] += text[from:]
		return out
	}
	return append(out, text[from:])
}
