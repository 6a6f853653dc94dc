package subtitles

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/norm"

	"steno/messages"
	"steno/session/addon/sentences"
)

// token is a piece of text that is never divided: a word, or a part of one where a row may end
// within it.
type token struct {
	text string
	// width is the number of grapheme clusters.
	width int
	// glued is true if no space precedes it, ends if a sentence ends with it.
	glued, ends bool
	start, end  int64 // ms; the tokens of a voice are in order of start
}

// voice is a speaker on a channel, -1 if unknown.
type voice struct{ channel, speaker int }

// run is the speech of one voice until another one begins.
type run struct {
	voice    voice
	language string
	tokens   []token
}

// runs returns the runs of utterances, in order of time. No token is wider than chars.
func runs(us []messages.Utterance, chars int) []run {
	us = slices.Clone(us)
	slices.SortStableFunc(us, func(a, b messages.Utterance) int { return cmp.Compare(begin(a), begin(b)) })
	var all []run
	said := map[voice]int64{} // the latest start so far
	for _, u := range us {
		v := voiceOf(u)
		if n := len(all); n == 0 || all[n-1].voice != v || all[n-1].language != u.Language {
			all = append(all, run{voice: v, language: u.Language})
		}
		r := &all[len(all)-1]
		for _, t := range tokens(u.TimedWords(), chars) {
			t.start = max(t.start, said[v])
			t.end = max(t.end, t.start)
			said[v] = t.start
			r.tokens = append(r.tokens, t)
		}
	}
	for _, r := range all {
		r.markEnds()
	}
	return all
}

// markEnds finds the tokens with which sentences end: within a word only in scripts that put no
// space between sentences.
func (r run) markEnds() {
	words := make([]messages.Word, len(r.tokens))
	for i, t := range r.tokens {
		words[i] = messages.Word{Word: t.text, Start: float64(t.start) / 1000, End: float64(t.end) / 1000}
	}
	for i, ends := range sentences.Ends(words, r.language) {
		word := i+1 < len(words) && r.tokens[i+1].glued && lastRune(strings.TrimRightFunc(words[i].Word, closes)) <
			0x2e80
		r.tokens[i].ends = ends && !word
	}
}

func voiceOf(u messages.Utterance) voice {
	if u.Speaker == nil {
		return voice{u.Channel, -1}
	}
	return voice{u.Channel, *u.Speaker}
}

// begin returns when an utterance's first word starts, in ms.
func begin(u messages.Utterance) int64 {
	if len(u.Words) > 0 {
		return ms(u.Words[0].Start)
	}
	return ms(u.Start)
}

// ms returns seconds as milliseconds, of 1000 hours at most.
func ms(seconds float64) int64 {
	if !(seconds > 0) {
		return 0
	}
	return int64(math.Round(min(seconds, 3.6e6) * 1000))
}

// tokens returns the tokens of an utterance. A word without a space before it is glued to the word
// before.
func tokens(words []messages.Word, chars int) []token {
	var all []token
	spaced := true
	for _, w := range words {
		text := clean(w.Word)
		fields := strings.Fields(text)
		if len(fields) == 0 || strings.HasPrefix(text, " ") {
			spaced = spaced || text != ""
		}
		var ts []token
		for _, field := range fields {
			pieces := divide(field, chars)
			pieces[0].glued = !spaced
			ts, spaced = append(ts, pieces...), true
		}
		if len(fields) > 0 {
			spaced = strings.HasSuffix(text, " ")
		}
		share(ts, ms(w.Start), ms(w.End))
		all = append(all, ts...)
	}
	return all
}

// clean returns a text in NFC without control characters and with spaces for white space.
func clean(text string) string {
	return norm.NFC.String(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd")))
}

// divide divides a word where a row may end within it, and where it is wider than a row. All tokens
// but the first are glued.
func divide(word string, chars int) []token {
	var all []token
	state := -1
	for word != "" {
		var piece string
		piece, word, _, state = uniseg.FirstLineSegmentInString(word, state)
		for _, text := range clusters(piece, chars) {
			all = append(all, token{text: text, width: uniseg.GraphemeClusterCount(text), glued: true})
		}
	}
	return all
}

// clusters cuts text into pieces of at most n grapheme clusters.
func clusters(text string, n int) []string {
	if len(text) <= n {
		return []string{text}
	}
	var pieces []string
	var piece strings.Builder
	count := 0
	for g := uniseg.NewGraphemes(text); g.Next(); count++ {
		if count == n {
			pieces = append(pieces, piece.String())
			piece.Reset()
			count = 0
		}
		piece.WriteString(g.Str())
	}
	return append(pieces, piece.String())
}

// share divides the time of a word among its tokens by their width.
func share(ts []token, start, end int64) {
	total, before := 0, 0
	for _, t := range ts {
		total += t.width
	}
	length := max(end-start, 0)
	for i := range ts {
		ts[i].start = start + length*int64(before)/int64(total)
		before += ts[i].width
		ts[i].end = start + length*int64(before)/int64(total)
	}
}
