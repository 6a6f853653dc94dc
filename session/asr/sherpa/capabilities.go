package sherpa

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"steno/session/asr"
	"steno/session/asr/sherpa/capabilities"
	"steno/session/asr/sherpa/folder"
)

// capability implements one of the interfaces of package asr: see package capabilities.
type capability interface{ Close() error }

// delegate is the recognizer's [asr.Delegate]: it asks the capabilities of the installed models,
// the preferred first, until one neither lacks the language nor is unavailable.
func (r *Recognizer) delegate(_ context.Context, try func(any) error) error {
	r.mu.Lock()
	candidates := r.capabilities // never changed, only replaced
	r.mu.Unlock()
	err := fmt.Errorf("sherpa: no model for it: %w", asr.ErrUnavailable)
	for _, c := range candidates {
		tried := try(c.capability)
		if tried == asr.ErrNotOffered {
			continue
		}
		if err = tried; !errors.Is(err, asr.ErrLanguage) && !errors.Is(err, asr.ErrUnavailable) {
			return err
		}
	}
	return err
}

// identifier loads its model when it is first used: it is as large as the recognizer that it is
// loaded for as well.
type identifier struct {
	spec    folder.Model
	threads int

	mu     sync.Mutex // guards what follows
	loaded *capabilities.Identifier
	err    error
}

// Identify needs no model to tell one language from none.
func (i *identifier) Identify(ctx context.Context, samples []int16, among []string) (string, error) {
	if len(among) == 1 && len(samples) > 0 {
		return i.only(among[0])
	}
	loaded, err := i.load()
	if err != nil {
		return "", err
	}
	return loaded.Identify(ctx, samples, among)
}

// only returns the language if the model knows it, and has not been found unfit.
func (i *identifier) only(language string) (string, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	switch {
	case i.err != nil:
		return "", i.err
	case !slices.Contains(i.spec.Languages, language):
		return "", asr.ErrLanguage
	}
	return language, nil
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
