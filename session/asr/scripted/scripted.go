// Package scripted is a recognizer that makes words from the audio bytes alone.
//
// It needs no model and next to no time, and what it says is a function of the samples: that makes it the
// recognizer for a first try without an engine, for tests of everything around recognition, and for load tests.
// It does not recognize speech.
//
// The utterance is cut into pieces of [PieceSamples]; a 64-bit FNV-1a hash of each piece picks a word of a fixed
// vocabulary and a confidence. A piece that is digital silence (all samples zero) and a last piece shorter than
// [MinSamples] give no word. A word lasts from the piece's first sample to its last, rounded down to a millisecond.
package scripted

import (
	"context"
	"slices"
	"time"

	"steno/session/asr"
)

const (
	// PieceSamples is the length of audio behind one word: 300 ms.
	PieceSamples = 300 * asr.Rate / 1000
	// MinSamples is the shortest audio that still gives a word, and the distance of partials: 100 ms.
	MinSamples = 100 * asr.Rate / 1000
	// msSamples is the grid of word times: 1 ms, so that they survive every wire.
	msSamples = asr.Rate / 1000
	// Engine is the name in the results.
	Engine = "scripted"
)

// Config says what a scripted recognizer accepts and what it pretends to cost. Its zero value takes every language
// and costs nothing. Nothing here changes the words.
type Config struct {
	// Languages lists the codes accepted, the first being the default; empty: every code, the default being "en".
	Languages []string
	// Delay is waited before each final, as if decoding took that long.
	Delay time.Duration
	// Factor adds the utterance's length times this much to Delay: a real-time factor.
	Factor float64
	// Slots bounds how many finals are waited for at the same time, the others queue; 0: no bound.
	Slots int
}

// Recognizer is an [asr.Recognizer]. It has no goroutines and nothing to close.
type Recognizer struct {
	config Config
	slots  chan struct{} // nil: no bound
}

// New returns a recognizer.
func New(c Config) *Recognizer {
	r := &Recognizer{config: c}
	if c.Slots > 0 {
		r.slots = make(chan struct{}, c.Slots)
	}
	return r
}

// Open starts an utterance. Priority and vocabulary are ignored.
func (r *Recognizer) Open(ctx context.Context, p asr.Params) (asr.Utterance, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	language, err := r.language(p.Language)
	if err != nil {
		return nil, err
	}
	return &utterance{
		ctx: ctx, recognizer: r, language: language, partials: p.Partials,
		reader: newReader(), changed: make(chan struct{}, 1),
	}, nil
}

func (r *Recognizer) language(asked string) (string, error) {
	known := r.config.Languages
	switch {
	case asked == "" && len(known) == 0:
		return "en", nil
	case asked == "":
		return known[0], nil
	case len(known) == 0 || slices.Contains(known, asked):
		return asked, nil
	}
	return "", asr.ErrLanguage
}

// decode waits as long as the final of so many samples is said to cost.
func (r *Recognizer) decode(ctx context.Context, samples int) error {
	cost := r.config.Delay + time.Duration(r.config.Factor*float64(samples)/asr.Rate*float64(time.Second))
	if cost <= 0 {
		return ctx.Err()
	}
	if r.slots != nil {
		select {
		case r.slots <- struct{}{}:
			defer func() { <-r.slots }()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	timer := time.NewTimer(cost)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
