// Package scripted is a recognizer that makes words from the audio bytes alone.
//
// It needs no model and almost no time, and its words are a function of the samples. It is for a
// first try without an engine, for tests of everything around recognition, and for load tests. It
// does not recognize speech.
//
// The utterance is divided into pieces of [PieceSamples]; a 64-bit FNV-1a hash of each piece picks
// a word of a fixed vocabulary and a confidence. A piece of digital silence (all samples zero) and
// a last piece shorter than [MinSamples] produce no word. A word lasts from the piece's first
// sample to its last, rounded down to a millisecond. With Config.Context the hashes begin with the
// samples of the utterance's context, so that it picks other words, as many and at the same times.
package scripted

import (
	"context"
	"slices"
	"strings"
	"time"

	"steno/session/asr"
)

const (
	// PieceSamples is the length of the audio of one word: 300 ms.
	PieceSamples = 300 * asr.Rate / 1000
	// MinSamples is the shortest audio that still produces a word, and the distance of partials:
	// 100 ms.
	MinSamples = 100 * asr.Rate / 1000
	// msSamples is the grid of word times: 1 ms, so that they survive every encoding.
	msSamples = asr.Rate / 1000
	// Engine is the name in the results.
	Engine = "scripted"
)

// Config specifies what a scripted recognizer accepts and how long it seems to take. The zero value
// accepts every language and takes no time. Nothing here but Context changes the words. A pause
// begins the wait for the final if a slot is free, and further samples cancel it.
type Config struct {
	// Languages lists the codes accepted, the first being the default; empty: every code, the
	// default being "en".
	Languages []string
	// Delay is waited before each final, as if decoding took that long.
	Delay time.Duration
	// Factor adds the utterance's length times this much to Delay: a real-time factor.
	Factor float64
	// Slots bounds how many finals are waited for at the same time, the others are queued; 0: no
	// bound.
	Slots int
	// Context makes the words depend on the context of utterances too.
	Context bool
}

// Recognizer is an [asr.Recognizer] and an [asr.Lister]. It has no goroutines and nothing to close.
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
func (r *Recognizer) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	language, err := r.language(p.Language)
	if err != nil {
		return nil, err
	}
	return &stream{
		ctx: ctx, recognizer: r, language: language, partials: p.Partials,
		reader: newReader(r.context(p)), changed: make(chan struct{}, 1),
	}, nil
}

// context returns the samples that the words of an utterance depend on besides its own.
func (r *Recognizer) context(p asr.Params) []int16 {
	if !r.config.Context {
		return nil
	}
	return p.Context
}

// TakesContext implements [asr.Contextual].
func (r *Recognizer) TakesContext([]string) bool { return r.config.Context }

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

// Models implements [asr.Lister].
func (r *Recognizer) Models(ctx context.Context) ([]asr.Model, error) {
	languages := slices.Clone(r.config.Languages)
	if len(languages) == 0 {
		languages = strings.Fields(all)
	}
	return []asr.Model{{Name: Engine, Languages: languages, Partials: true, Context: r.config.Context}}, ctx.Err()
}

// all are the codes of the API.
const all = "en af am ar as az ba be bg bn bo br bs ca cs cy da de el es et eu fa fi fo fr gl gu ha haw he hi hr " +
	"ht hu hy id is it ja jw ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps " +
	"pt ro ru sa sd si sk sl sn so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo zh"
