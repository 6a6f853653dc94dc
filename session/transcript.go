package session

import (
	"math"
	"strings"

	"steno/messages"
	"steno/session/asr"
)

// transcript turns a recognizer's result into the client's words: times from the session's start, each word with its
// leading space, in the vocabulary and the spelling that the request asks for.
func transcript(l *lane, u *utterance, r asr.Result) messages.Transcript {
	words := make([]messages.Word, 0, len(r.Words))
	times := wordTimes(u, r)
	var text strings.Builder
	for i, w := range r.Words {
		start, end := times(i)
		word := messages.Word{
			Word:       messages.Gap(text.String(), w.Text) + w.Text,
			Start:      l.seconds(start),
			End:        l.seconds(end),
			Confidence: round(min(max(w.Confidence, 0), 1)),
		}
		text.WriteString(word.Word)
		words = append(words, word)
	}
	t := messages.Transcript{ID: u.id, IsFinal: r.Final}
	t.Utterance = messages.Utterance{
		Channel:    l.channel,
		Words:      words,
		Text:       text.String(),
		Language:   l.language.label(r.Language),
		Confidence: confidence(r.Words),
	}
	if r.Fallback {
		t.Utterance.Engine = r.Engine
	}
	if n := len(words); n > 0 {
		t.Utterance.Start, t.Utterance.End = words[0].Start, words[n-1].End
	}
	t.Utterance = l.rewrite(t.Utterance)
	return t
}

// wordTimes returns a function that gives the start and end of each word of a result: those of the recognizer, or, where it
// has none, evenly spread. They lie within the speech of the utterance, as the speech events have it: the recognizer is
// given more audio, and may take it for a part of the first or the last word.
func wordTimes(u *utterance, r asr.Result) func(i int) (start, end int64) {
	from, to := u.speech()
	n := int64(len(r.Words))
	return func(i int) (start, end int64) {
		if !r.Timed {
			return from + (to-from)*int64(i)/n, from + (to-from)*int64(i+1)/n
		}
		w := r.Words[i]
		start = min(max(u.from+int64(w.Start), from), to)
		return start, min(max(u.from+int64(w.End), start), to)
	}
}

// confidence of an utterance: the mean over the words whose confidence is known, 0 if none is.
func confidence(words []asr.Word) float64 {
	var sum float64
	var n int
	for _, w := range words {
		if w.Confidence > 0 {
			sum += min(w.Confidence, 1)
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return round(sum / float64(n))
}

// round to a thousandth: what a confidence can mean, and what makes its text short.
func round(x float64) float64 { return math.Round(x*1000) / 1000 }
