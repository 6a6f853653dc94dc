package sentences

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"steno/messages"
)

// run is the speech of one speaker in one language until another speaks on the same channel.
type run struct {
	channel  int
	speaker  *int
	language string
	words    []word
}

// word is a word of a run; last is true if its utterance ends with it.
type word struct {
	messages.Word
	last bool
}

// runs groups utterances by channel, each in order of time.
func runs(us []messages.Utterance) []run {
	us = byStart(us)
	slices.SortStableFunc(us, func(a, b messages.Utterance) int { return cmp.Compare(a.Channel, b.Channel) })
	var all []run
	for i, u := range us {
		if i == 0 || !follows(us[i-1], u) {
			all = append(all, run{channel: u.Channel, speaker: u.Speaker, language: u.Language})
		}
		r := &all[len(all)-1]
		for _, w := range u.TimedWords() {
			for _, piece := range unspaced(w) {
				r.words = append(r.words, word{Word: piece})
			}
		}
		if n := len(r.words); n > 0 {
			r.words[n-1].last = true
		}
	}
	return all
}

// follows reports whether b continues a: it has the same channel, speaker and language.
func follows(a, b messages.Utterance) bool {
	return a.Channel == b.Channel && a.Language == b.Language && sameSpeaker(a.Speaker, b.Speaker)
}

func sameSpeaker(a, b *int) bool { return a == b || a != nil && b != nil && *a == *b }

// unspaced divides a word after each full-width mark within it: in scripts without spaces engines
// may return a whole utterance as one word. The pieces joined are the word.
func unspaced(w messages.Word) []messages.Word {
	var pieces []messages.Word
	length := float64(utf8.RuneCountInString(w.Word))
	runes, from, fromRune := 0, 0, 0
	at := func(rune int) float64 { return w.Start + (w.End-w.Start)*float64(rune)/length }
	for i, r := range w.Word {
		if from < i && cutsBefore(w.Word[from:i], r) {
			pieces = append(pieces, messages.Word{Word: w.Word[from:i], Start: at(fromRune), End: at(runes),
				Confidence: w.Confidence})
			from, fromRune = i, runes
		}
		runes++
	}
	if from == 0 {
		return append(pieces, w)
	}
	return append(pieces, messages.Word{Word: w.Word[from:], Start: at(fromRune), End: w.End, Confidence: w.Confidence})
}

// cutsBefore reports whether a new piece may begin with r after what stands before it.
func cutsBefore(before string, r rune) bool {
	near := before[max(0, len(before)-16):] // enough for the mark and the closers after it
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(near, isCloser))
	return last >= 0x2e80 && unicode.Is(unicode.STerm, last) && !unicode.Is(unicode.STerm, r) && !isCloser(r) &&
		!unicode.IsSpace(r)
}

// byStart returns a copy of the utterances, ordered by start.
func byStart(us []messages.Utterance) []messages.Utterance {
	us = slices.Clone(us)
	slices.SortStableFunc(us, func(a, b messages.Utterance) int { return cmp.Compare(a.Start, b.Start) })
	return us
}
