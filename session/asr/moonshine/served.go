package moonshine

import (
	"cmp"
	"fmt"
	"slices"

	"steno/session/asr"
	"steno/session/asr/align"
	"steno/session/asr/whole"
)

// served is a model that is served. It implements [whole.Decoder].
type served struct {
	name      string
	languages []string
	model     *model
	words     vocabularies
	streams   *whole.Model
	aligner   *align.Pool // nil: none
	decodes   int
	drop      func(reason string)
}

// Decode implements [whole.Decoder].
func (s *served) Decode(p whole.Piece) (any, error) {
	x, done, err := s.begin(p)
	if err != nil {
		return nil, err
	}
	defer done()
	o, ok, err := s.inContext(x, p)
	if err == nil && !ok {
		o, err = s.alone(x, p)
	}
	if err != nil {
		return nil, err
	}
	if o.dropped != "" {
		s.drop(o.dropped)
	}
	return o, nil
}

// alone decodes a piece without what is around it.
func (s *served) alone(x decoding, p whole.Piece) (outcome, error) {
	samples := p.Samples[p.From:p.To]
	o, err := x.piece(samples)
	if err != nil || len(o.words) == 0 {
		return o, err
	}
	o.setTimes(s.align(samples, o.words), p.From)
	return o, nil
}

// setTimes sets the times of words from spans that count from sample from of the utterance.
func (o *outcome) setTimes(spans []align.Span, from int) {
	for i, span := range spans {
		o.words[i].Start, o.words[i].End = from+span.Start, from+span.End
	}
}

// align returns the spans of words.
func (s *served) align(samples []int16, words []asr.Word) []align.Span {
	if s.aligner == nil {
		return proportional(samples, words)
	}
	spans, _ := s.aligner.Align(samples, texts(words)) // with an error they are estimates, which are better than none
	return spans
}

// proportional returns estimates of the spans of words.
func proportional(samples []int16, words []asr.Word) []align.Span {
	if len(words) == 0 {
		return nil
	}
	return align.Proportional(samples, texts(words))
}

func texts(words []asr.Word) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w.Text
	}
	return out
}

// Result implements [whole.Decoder].
func (s *served) Result(p asr.Params, outcomes []any) asr.Result {
	var all outcome
	for i, o := range outcomes {
		next := o.(outcome)
		next.words = slices.Clone(next.words) // they are changed where pieces meet
		if i == 0 {
			all = next
			continue
		}
		all = all.join(next)
	}
	result := asr.Result{Words: all.words, Timed: true, Language: p.Language, Engine: Engine + "/" + s.name}
	if len(result.Words) == 0 {
		result.Dropped = cmp.Or(all.dropped, DropSilence)
	}
	return result
}

// tries returns how many variants a final chooses from; 0: as many as it takes.
func (s *served) tries(p asr.Params) int { return min(cmp.Or(s.decodes, p.Decodes), len(variants)) }

// begin acquires a decoder for a piece; done releases it.
func (s *served) begin(p whole.Piece) (x decoding, done func(), err error) {
	d, err := s.model.decoder()
	if err != nil {
		return decoding{}, nil, fmt.Errorf("%w: %w", asr.ErrUnavailable, err)
	}
	x = decoding{m: s.model, d: d, lexis: s.words.lexis(p.Params.Vocabulary), yield: p.Yield, tries: s.tries(p.Params)}
	return x, func() { s.model.release(d) }, nil
}
