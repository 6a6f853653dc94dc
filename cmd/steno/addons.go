package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/rs/zerolog"

	"steno/cmd/steno/config"
	"steno/session/addon"
	"steno/session/addon/llm"
	"steno/session/addon/registry"
	"steno/session/addon/translate"
	"steno/session/asr"
)

// newAddons returns the add-ons with their configured providers. The caller closes the closers,
// even if the error is not nil.
func newAddons(ctx context.Context, c config.Addons, environ []string, punctuator asr.Punctuator,
	log zerolog.Logger) (*addon.Table, []io.Closer, error) {
	services := registry.Services{
		LLMUses: c.LLM.Use, Diarization: true,
		Punctuation: func(ctx context.Context, text, language string) (string, error) {
			return punctuator.Punctuate(ctx, language, text)
		},
	}
	var closers []io.Closer
	if c.Translation.LibreTranslate.URL != "" {
		libre, err := libreTranslate(c.Translation.LibreTranslate, environ)
		if err != nil {
			return nil, closers, err
		}
		services.Translators, closers = append(services.Translators, libre), append(closers, libre)
	}
	if c.LLM.URL != "" {
		model, err := languageModel(c.LLM, environ)
		if err != nil {
			return nil, closers, err
		}
		closers = append(closers, model)
		services.LLM = model
		if c.LLM.Redaction {
			services.RedactionLLM = model
		}
		if slices.Contains(c.LLM.Use, "translation") {
			services.Translators = append(services.Translators, translate.LLM(model))
		}
	}
	if c.Translation.Apertium {
		apertium, err := translate.NewApertium(ctx, translate.ApertiumConfig{})
		if err != nil {
			log.Debug().Err(err).Msg("apertium does not translate")
		} else {
			services.Translators, closers = append(services.Translators, apertium), append(closers, apertium)
		}
	}
	return registry.New(services, addon.Runner{Realtime: c.Realtime, PostProcessing: c.PostProcessing}), closers, nil
}

func libreTranslate(c config.LibreTranslate, environ []string) (*translate.Libre, error) {
	key, err := config.Secret("addons.translation.libretranslate", c.Key, c.KeyEnv, environ)
	if err != nil {
		return nil, err
	}
	libre, err := translate.NewLibre(translate.LibreConfig{URL: c.URL, Key: key})
	if err != nil {
		return nil, fmt.Errorf("addons.translation.libretranslate: %w", err)
	}
	return libre, nil
}

func languageModel(c config.LLM, environ []string) (*llm.Client, error) {
	key, err := config.Secret("addons.llm", c.Key, c.KeyEnv, environ)
	if err != nil {
		return nil, err
	}
	model, err := llm.New(llm.Config{
		URL: c.URL, Key: key, Model: c.Model, Models: c.Models, SchemaMode: c.Schema, MaxInput: c.MaxInput,
		Concurrency: c.Concurrency, Timeout: c.Timeout,
	})
	if err != nil {
		return nil, fmt.Errorf("addons.llm: %w", err)
	}
	return model, nil
}
