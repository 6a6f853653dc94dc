package clean

import (
	"context"

	"steno/session/asr"
)

// New returns a recognizer with the results of another one, cleaned. It offers the other one's
// capabilities. Counts gets what was dropped of finals.
func New(r asr.Recognizer, counts *Counts) asr.Recognizer {
	c := &recognizer{inner: r, counts: counts}
	c.Delegate = func(_ context.Context, try func(any) error) error { return try(r) }
	if lister, ok := r.(asr.Lister); ok {
		return &listing{c, lister}
	}
	return c
}

type recognizer struct {
	asr.Delegate
	inner  asr.Recognizer
	counts *Counts
}

// listing is a recognizer that lists its models.
type listing struct {
	*recognizer
	asr.Lister
}

// TakesContext implements [asr.Contextual].
func (r *recognizer) TakesContext(languages []string) bool {
	return asr.TakesContext(r.inner, languages)
}

// Open implements [asr.Recognizer].
func (r *recognizer) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	s, err := r.inner.Open(ctx, p)
	if err != nil {
		return nil, err
	}
	return &stream{Stream: s, counts: r.counts}, nil
}
