package moonshine

import (
	"fmt"
	"slices"

	"steno/session/asr"
	"steno/session/asr/whole"
)

// served is a model that is served. It implements [whole.Decoder].
type served struct {
	name      string
	languages []string
	model     *model
	words     vocabularies
	streams   *whole.Model
	aligner   Aligner
	decodes   int
	drop      func(reason string)
}

// Decode implements [whole.Decoder].
func (s *served) Decode(p whole.Piece) (any, error) {
	x, done, err := s.begin(p, s.decodes)
	if err != nil {
		return nil, err
	}
	defer done()
	o, err := x.piece(p.Samples[p.From:])
	if err != nil {
		return nil, err
	}
	if o.dropped != "" {
		s.drop(o.dropped)
	}
	s.time(&o, p)
	return o, nil
}

// Partial implements [whole.Decoder].
func (s *served) Partial(p whole.Piece, before any) (any, any, error) {
	x, done, err := s.begin(p, 1)
	if err != nil {
		return nil, nil, err
	}
	defer done()
	draft, _ := before.([]int)
	o, draft, err := x.partial(p.Samples[p.From:], draft)
	return o, draft, err
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
	if !all.timed {
		for i := range all.words {
			all.words[i].Start, all.words[i].End = 0, 0
		}
	}
	return asr.Result{Words: all.words, Timed: all.timed, Language: p.Language, Engine: Engine + "/" + s.name}
}

// begin takes a decoder for a piece; done gives it back.
func (s *served) begin(p whole.Piece, tries int) (x decoding, done func(), err error) {
	d, err := s.model.decoder()
	if err != nil {
		return decoding{}, nil, fmt.Errorf("%w: %w", asr.ErrUnavailable, err)
	}
	x = decoding{m: s.model, d: d, lexis: s.words.lexis(p.Params.Vocabulary), yield: p.Yield, tries: tries}
	return x, func() { s.model.release(d) }, nil
}

// time gives the words of a piece their times in the utterance. Words without times are better than none.
func (s *served) time(o *outcome, p whole.Piece) {
	if s.aligner == nil || len(o.words) == 0 {
		return
	}
	texts := make([]string, len(o.words))
	for i, w := range o.words {
		texts[i] = w.Text
	}
	spans, err := s.aligner.Align(p.Samples[p.From:], texts)
	if err != nil {
		return
	}
	o.timed = true
	for i, span := range spans {
		o.words[i].Start, o.words[i].End = p.From+span.Start, p.From+span.End
	}
}
