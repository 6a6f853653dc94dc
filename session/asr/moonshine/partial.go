package moonshine

import (
	"slices"

	"steno/session/asr"
	"steno/session/asr/whole"
)

const (
	// steady is the confidence (0.7) from which the last words of a partial are shown: below it the
	// next partial often takes them back. One more is shown, since words should come soon.
	steady = 0.7
	// partialContext is the context (5 s at most) that partials are decoded with where there is
	// time for it.
	partialContext = 5 * rate
)

// sketch is what a partial leaves for the next of the same piece.
type sketch struct {
	quick  bool     // it was the first, which is to come soon
	before []int16  // the audio before the piece that it was decoded with
	lead   []string // the words of that audio
	draft  []int    // the tokens of both
}

// Partial implements [whole.Decoder].
func (s *served) Partial(p whole.Piece, before any) (any, any, error) {
	x, done, err := s.begin(p)
	if err != nil {
		return nil, nil, err
	}
	defer done()
	k := s.sketch(p, before)
	piece := p.Samples[p.From:p.To]
	audio := slices.Concat(k.before, piece)
	h, err := x.m.decodeDraft(x.d, variants[0].apply(audio), k.draft, x.lexis, x.yield)
	if err != nil {
		return nil, nil, err
	}
	words := x.m.tokens.words(h)
	k.draft = h.ids
	if len(k.before) > 0 {
		k.lead = s.leading(audio, words, len(k.before), k.lead)
		words = words[len(k.lead):]
	}
	o := judged(h, words, 0, leastOfPartials, piece)
	o.words = o.words[:shown(o.words)]
	o.setTimes(proportional(piece, o.words), p.From)
	return o, k, nil
}

// sketch returns what is known of a piece before a partial. The first partial has no context, since
// it is to come soon; the second decides with what context all others are decoded, since the next
// are quick only where the audio begins alike.
func (s *served) sketch(p whole.Piece, before any) sketch {
	k, ok := before.(sketch)
	switch {
	case ok && len(k.before)+p.To-p.From > longest:
		return sketch{}
	case !ok:
		return sketch{quick: true}
	case !k.quick || s.aligner == nil || !p.Spare:
		k.quick = false
		return k
	case p.From == 0:
		return sketch{before: latest(p.Params.Context, partialContext)}
	}
	return sketch{before: latest(p.Samples[:p.From], overlapBefore)}
}

// leading returns those of the words that were said in the first n samples: as many as before if
// they are the same.
func (s *served) leading(audio []int16, words []asr.Word, n int, lead []string) []string {
	all := texts(words)
	if len(lead) > 0 && len(lead) <= len(all) && slices.Equal(lead, all[:len(lead)]) {
		return lead
	}
	spans := s.alignFrom(audio, words, n)
	for i, span := range spans {
		if (span.Start+span.End)/2 >= n {
			return all[:len(all)-len(spans)+i]
		}
	}
	return all
}

// shown returns how many of a partial's words are shown.
func shown(words []asr.Word) int {
	n := len(words)
	for n > 0 && words[n-1].Confidence < steady {
		n--
	}
	return min(n+1, len(words))
}
