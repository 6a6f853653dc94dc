package sherpa

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"steno/session/asr"
	"steno/session/asr/sherpa/capabilities"
	"steno/session/asr/sherpa/folder"
)

// ability is something of package beside.
type ability interface{ Close() error }

// Identify implements [asr.Identifier] by a Whisper model of several languages, which it loads once more for that when
// it is first asked.
func (r *Recognizer) Identify(ctx context.Context, samples []int16, among []string) (language string, err error) {
	err = ask(r, func(a asr.Identifier) error {
		language, err = a.Identify(ctx, samples, among)
		return err
	})
	return language, err
}

// Punctuate implements [asr.Punctuator] by the first model for punctuation that has the language.
func (r *Recognizer) Punctuate(ctx context.Context, language, text string) (out string, err error) {
	err = ask(r, func(a asr.Punctuator) error {
		out, err = a.Punctuate(ctx, language, text)
		return err
	})
	return out, err
}

// Diarize implements [asr.Diarizer] by a model for segmentation and one for voices, in one folder or in two.
func (r *Recognizer) Diarize(ctx context.Context, samples []int16, want asr.Speakers) (turns []asr.Turn, err error) {
	err = ask(r, func(a asr.Diarizer) error {
		turns, err = a.Diarize(ctx, samples, want)
		return err
	})
	return turns, err
}

// Denoise implements [asr.Denoiser] by the first model that does.
func (r *Recognizer) Denoise(ctx context.Context) (d asr.Denoising, err error) {
	err = ask(r, func(a asr.Denoiser) error {
		d, err = a.Denoise(ctx)
		return err
	})
	return d, err
}

// ask asks those who can, the preferred first, until one neither lacks the language nor is unavailable.
func ask[Able any](r *Recognizer, question func(Able) error) error {
	r.mu.Lock()
	abilities := r.abilities // never changed, only replaced
	r.mu.Unlock()
	err := fmt.Errorf("sherpa: no model for it: %w", asr.ErrUnavailable)
	for _, a := range abilities {
		able, ok := a.ability.(Able)
		if !ok {
			continue
		}
		err = question(able)
		if !errors.Is(err, asr.ErrLanguage) && !errors.Is(err, asr.ErrUnavailable) {
			return err
		}
	}
	return err
}

// identifier loads its model when it is first needed: it is as large as the recognizer it is also for.
type identifier struct {
	spec    folder.Model
	threads int

	mu     sync.Mutex // guards what follows
	loaded *capabilities.Identifier
	err    error
}

func (i *identifier) Identify(ctx context.Context, samples []int16, among []string) (string, error) {
	loaded, err := i.load()
	if err != nil {
		return "", err
	}
	return loaded.Identify(ctx, samples, among)
}

func (i *identifier) load() (*capabilities.Identifier, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.loaded == nil && i.err == nil {
		i.loaded, i.err = capabilities.NewIdentifier(i.spec, i.threads)
		if i.err != nil {
			i.err = fmt.Errorf("%w: %w", asr.ErrUnavailable, i.err)
		}
	}
	return i.loaded, i.err
}

func (i *identifier) Close() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.err == nil {
		i.err = errClosed
	}
	if i.loaded == nil {
		return nil
	}
	return i.loaded.Close()
}
