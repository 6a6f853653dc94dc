package moonshine

import (
	"slices"

	"steno/session/asr/align"
	"steno/session/asr/whole"
)

const (
	// wanted is the audio (10 s) that a short utterance is decoded with, of which its context is the beginning. Longer
	// utterances do as well without.
	wanted = 10 * rate
	// worthwhile is the context (1 s) below which it is not worth its cost.
	worthwhile = rate
	// located is the part of the words that must have been aligned for the others' places to be trusted.
	located = 0.7
)

// inContext decodes the first piece of an utterance together with the audio before it: the model is made for sentences, and
// makes other words of their parts. The piece's words are those whose middle lies in it. ok is false where there is no
// context, or where it cannot be told which words belong to the piece.
func (s *served) inContext(x decoding, p whole.Piece) (o outcome, ok bool, err error) {
	samples := p.Samples[p.From:]
	context := useful(p.Params.Context, len(samples))
	if p.From > 0 || s.aligner == nil || len(context) == 0 {
		return outcome{}, false, nil
	}
	audio := slices.Concat(context, samples)
	if o, err = x.piece(audio); err != nil || len(o.words) == 0 {
		return outcome{}, false, err
	}
	spans := s.align(audio, o.words)
	if !trusted(spans) {
		return outcome{}, false, nil
	}
	first := slices.IndexFunc(spans, func(span align.Span) bool { return span.Start+span.End >= 2*len(context) })
	if first < 0 { // the model says that nothing was said; alone it may hear something
		return outcome{}, false, nil
	}
	o.words = o.words[first:]
	for i, span := range spans[first:] {
		o.words[i].Start, o.words[i].End = max(0, span.Start-len(context)), max(0, span.End-len(context))
	}
	return o, true, nil
}

// useful returns the end of a context with which an utterance of n samples is decoded: what is missing to wanted, from a quiet
// place on.
func useful(context []int16, n int) []int16 {
	most := min(len(context), wanted-n)
	if most < worthwhile {
		return nil
	}
	context = context[len(context)-most:]
	return context[quietStart(context):]
}

// quietStart returns where to begin in a context: at its quietest place within the first second, or at its start where it is
// short.
func quietStart(context []int16) int {
	if len(context) < 2*rate {
		return 0
	}
	return whole.Quietest(context, 0, rate)
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
