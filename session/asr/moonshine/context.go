package moonshine

import (
	"slices"

	"steno/session/asr"
	"steno/session/asr/align"
	"steno/session/asr/whole"
)

const (
	// wanted is the audio (8 s) that the first piece of an utterance is decoded with, of which the
	// utterance's context is the beginning. Longer pieces do as well without.
	wanted = 8 * rate
	// worthwhile is the context (1 s) below which it is not worth its cost.
	worthwhile = rate
	// overlap is the audio (1.5 s) before a later piece of an utterance, and after a piece that
	// others follow (1 s), that it is decoded with.
	overlapBefore, overlapAfter = 3 * rate / 2, rate
	// anchor is the audio before a piece that is aligned with it, 1 s to 2 s: what has a word in it
	// shows where the piece's words begin.
	anchor = rate
	// located is the part of the words that must have been aligned for the others' places to be
	// trusted.
	located = 0.7
)

// surroundings are the audio before and after a piece that is decoded with it: the model is made
// for sentences, and makes other words of their parts.
type surroundings struct{ before, after []int16 }

// around returns a piece's surroundings. They depend on the audio alone.
func around(p whole.Piece) surroundings {
	after := p.Samples[p.To:]
	after = after[:min(len(after), overlapAfter)]
	if p.From == 0 {
		return surroundings{latest(p.Params.Context, wanted-p.To-len(after)), after}
	}
	return surroundings{latest(p.Samples[:p.From], overlapBefore), after}
}

// latest returns the end of what is before a piece, at most so much, from a quiet place on.
func latest(before []int16, most int) []int16 {
	most = min(len(before), most)
	if most < worthwhile {
		return nil
	}
	before = before[len(before)-most:]
	if most < 2*rate {
		return before
	}
	return before[whole.Quietest(before, 0, rate):]
}

// inContext decodes a piece together with its surroundings. Its words are those whose middle lies
// in it. ok is false where there are none, or where it is unknown which words belong to the piece.
func (s *served) inContext(x decoding, p whole.Piece) (o outcome, ok bool, err error) {
	if s.aligner == nil {
		return outcome{}, false, nil
	}
	near := around(p)
	if len(near.before)+len(near.after) == 0 {
		return outcome{}, false, nil
	}
	audio := slices.Concat(near.before, p.Samples[p.From:p.To], near.after)
	if o, err = x.piece(audio); err != nil || len(o.words) == 0 {
		return outcome{}, false, err
	}
	spans := s.alignFrom(audio, o.words, len(near.before))
	if !trusted(spans) {
		return outcome{}, false, nil
	}
	skipped := len(o.words) - len(spans)
	offset := len(near.before) - p.From
	o.words, o.open = within(o.words[skipped:], spans, offset, p), false
	return o, len(o.words) > 0, nil // without words: the piece may have some if it is decoded alone
}

// alignFrom returns the spans of as many words at the end as have their middle after the first n
// samples, and of some before those. It saves the alignment of most of the audio where n is large.
func (s *served) alignFrom(samples []int16, words []asr.Word, n int) []align.Span {
	if n <= 2*anchor {
		return s.align(samples, words)
	}
	from := whole.Quietest(samples, n-2*anchor, n-anchor)
	_, spans, err := s.aligner.AlignEnd(samples[from:], texts(words))
	if err != nil || len(spans) == 0 || (spans[0].Start+spans[0].End)/2 >= n-from { // perhaps it was said before
		return s.align(samples, words)
	}
	for i := range spans {
		spans[i].Start, spans[i].End = spans[i].Start+from, spans[i].End+from
	}
	return spans
}

// within returns the words whose middle lies in a piece, with their times in the utterance. offset
// is what the spans' times are ahead of those.
func within(words []asr.Word, spans []align.Span, offset int, p whole.Piece) (out []asr.Word) {
	for i, span := range spans {
		if middle := (span.Start+span.End)/2 - offset; middle < p.From || middle >= p.To {
			continue
		}
		w := words[i]
		w.Start, w.End = max(p.From, span.Start-offset), min(p.To, span.End-offset)
		out = append(out, w)
	}
	return out
}

// trusted reports whether enough spans are more than estimates.
func trusted(spans []align.Span) bool {
	known := 0
	for _, s := range spans {
		if s.Known {
			known++
		}
	}
	return float64(known) >= located*float64(len(spans))
}

// TakesContext implements [asr.Contextual].
func (r *Recognizer) TakesContext(languages []string) bool {
	s, _ := r.choose(languages)
	return s != nil && s.aligner != nil
}
