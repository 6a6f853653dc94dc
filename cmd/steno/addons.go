package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/rs/zerolog"

	"steno/session/addon"
	"steno/session/addon/llm"
	"steno/session/addon/translate"
	"steno/session/asr"
)

// addonWays are the ways of doing add-ons that the configuration gives. The closers are the caller's to close.
func addonWays(ctx context.Context, c Addons, environ []string, punctuator asr.Punctuator, log zerolog.Logger) (w addon.Ways, closers []io.Closer, err error) {
	w = addon.Embedded()
	w.Realtime, w.Afterwards = c.Realtime, c.Afterwards
	w.Punctuate = func(ctx context.Context, text, language string) (string, error) {
		return punctuator.Punctuate(ctx, language, text)
	}
	var translators []translate.Translator
	if c.Translation.LibreTranslate.URL != "" {
		libre, err := libreTranslate(c.Translation.LibreTranslate, environ)
		if err != nil {
			return w, closers, err
		}
		translators, closers = append(translators, libre), append(closers, libre)
	}
	if c.LLM.URL != "" {
		model, err := languageModel(c.LLM, environ)
		if err != nil {
			return w, closers, err
		}
		closers = append(closers, model)
		w = w.WithModel(model, c.LLM.Use)
		if c.LLM.Redaction {
			w = w.WithConfidant(model)
		}
		if slices.Contains(c.LLM.Use, "translation") {
			translators = append(translators, translate.LLM(model))
		}
	}
	if c.Translation.Apertium {
		apertium, err := translate.NewApertium(ctx, translate.ApertiumConfig{})
		if err != nil {
			log.Debug().Err(err).Msg("apertium does not translate")
		} else {
			translators, closers = append(translators, apertium), append(closers, apertium)
		}
	}
	return w.WithTranslators(translators...), closers, nil
}

func libreTranslate(c LibreTranslate, environ []string) (*translate.Libre, error) {
	key, err := secret("addons.translation.libretranslate", c.Key, c.KeyEnv, environ)
	if err != nil {
		return nil, err
	}
	libre, err := translate.NewLibre(translate.LibreConfig{URL: c.URL, Key: key})
	if err != nil {
		return nil, fmt.Errorf("addons.translation.libretranslate: %w", err)
	}
	return libre, nil
}

func languageModel(c LLM, environ []string) (*llm.Client, error) {
	key, err := secret("addons.llm", c.Key, c.KeyEnv, environ)
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
