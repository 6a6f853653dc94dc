package moonshine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"steno/session/asr"
	"steno/session/asr/align"
	"steno/session/asr/schedule"
	"steno/session/asr/whole"
)

// Engine is the beginning of the engine's name in results: "moonshine/" and the model's name.
const Engine = "moonshine"

// Config specifies which models to serve and how much of the machine to use. Dir is required.
type Config struct {
	// Dir holds a folder for each model. Folders of other kinds, and those whose names begin with a
	// dot, are left alone.
	Dir string
	// Models are the names of the folders to serve, the preferred first; empty: all that are there,
	// by name.
	Models []string
	// Slots is how many decodes run at a time; 0: by the number of processors. Each takes some 80
	// MB.
	Slots int
	// Utterances is how many each model has open at a time; further ones are refused. 0: 256.
	Utterances int
	// Decodes is how many variants of an utterance a final chooses from, 1 to 5; 0: what the
	// utterance asks for ([asr.Params].Decodes), or else as many as it takes for one to be
	// probable, 2 at most.
	Decodes int
	// Aligner finds the times of English words; nil: they are spread over the sound, and context is
	// not used. It is the caller's to close after the recognizer.
	Aligner *align.Pool
}

// Recognizer implements [asr.Recognizer], [asr.Lister] and [asr.Contextual].
type Recognizer struct {
	config Config
	slots  *schedule.Scheduler
	served []*served // the preferred first; not changed once made

	mu    sync.Mutex
	drops map[string]int64 // by reason
}

// New loads the models. It fails for a bad Config, for a model that cannot be loaded, and where
// there is none.
func New(ctx context.Context, c Config) (*Recognizer, error) {
	if c.Decodes < 0 || c.Decodes > len(variants) {
		return nil, fmt.Errorf("moonshine: decodes %d, want 0 to %d", c.Decodes, len(variants))
	}
	found, err := Folders(c.Dir, c.Models...)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("moonshine: no model in %s", c.Dir)
	}
	r := &Recognizer{config: c, slots: schedule.New(c.Slots), drops: map[string]int64{}}
	for _, f := range found {
		if err := ctx.Err(); err != nil {
			return nil, errors.Join(err, r.Close())
		}
		if err := r.serve(f); err != nil {
			return nil, errors.Join(fmt.Errorf("moonshine: model %s: %w", f.Name, err), r.Close())
		}
	}
	return r, nil
}

func (r *Recognizer) serve(f Folder) error {
	m, err := loadModel(f.Dir)
	if err != nil {
		return err
	}
	s := &served{
		name: f.Name, languages: f.Languages, model: m, words: vocabularies{pieces: newPieces(m.tokens)},
		decodes: r.config.Decodes, drop: r.dropped,
	}
	if slices.Contains(f.Languages, "en") {
		s.aligner = r.config.Aligner
	}
	s.streams = whole.New(whole.Config{
		Name: f.Name, Decoder: s, Slots: r.slots, Utterances: r.config.Utterances, Longest: longest,
		LongestRecorded: longestRecorded, OneThread: true,
	})
	r.served = append(r.served, s)
	return nil
}

func (r *Recognizer) dropped(reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.drops[reason]++
}

// Open implements [asr.Recognizer]. Of an utterance in one of several languages it takes the first
// that it has.
func (r *Recognizer) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	wanted := p.Languages
	if p.Language != "" {
		wanted = []string{p.Language}
	}
	s, language := r.choose(wanted)
	if s == nil {
		return nil, fmt.Errorf("moonshine: %v: %w", wanted, asr.ErrLanguage)
	}
	p.Language = language
	return s.streams.Open(ctx, p)
}

// choose returns the model of the first language that one has; of no wish, the first model and its
// first language.
func (r *Recognizer) choose(wanted []string) (*served, string) {
	if len(wanted) == 0 {
		return r.served[0], r.served[0].languages[0]
	}
	for _, code := range wanted {
		for _, s := range r.served {
			for _, has := range s.languages {
				if has == code {
					return s, code
				}
			}
		}
	}
	return nil, ""
}

// Models implements [asr.Lister].
func (r *Recognizer) Models(ctx context.Context) ([]asr.Model, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var out []asr.Model
	for _, s := range r.served {
		out = append(out, asr.Model{Name: s.name, Languages: slices.Clone(s.languages), Partials: true,
			Context: s.aligner != nil})
	}
	return out, nil
}

// Close fails the open utterances with ErrUnavailable, waits for the decodes under way and frees
// the models.
func (r *Recognizer) Close() error {
	for _, s := range r.served {
		s.streams.Close()
	}
	r.slots.Close()
	var errs []error
	for _, s := range r.served {
		errs = append(errs, s.model.close())
	}
	r.served = nil
	return errors.Join(errs...)
}
