package addon

import (
	"context"

	"steno/messages"
	"steno/session/addon/translate"
)

// WithTranslators are the ways with translation by the first of the translators that knows both languages; by none if
// there are none.
func (w Ways) WithTranslators(list ...translate.Translator) Ways {
	if len(list) == 0 {
		return w
	}
	first := translate.First(list...)
	w.Translate = func(ctx context.Context, us []messages.Utterance, target string, c messages.TranslationConfig) ([]messages.Utterance, error) {
		return translate.Utterances(ctx, first, us, target, c, Hurried(ctx))
	}
	return w
}

// hurried are the ways for somebody who waits.
func (w Ways) hurried() Ways {
	if do := w.Entities; do != nil {
		w.Entities = func(ctx context.Context, u messages.Utterance) ([]messages.Entity, error) { return do(hurried(ctx), u) }
	}
	if do := w.Sentiments; do != nil {
		w.Sentiments = func(ctx context.Context, us []messages.Utterance) ([]messages.Sentiment, error) {
			return do(hurried(ctx), us)
		}
	}
	if do := w.Translate; do != nil {
		w.Translate = func(ctx context.Context, us []messages.Utterance, target string, c messages.TranslationConfig) ([]messages.Utterance, error) {
			return do(hurried(ctx), us, target, c)
		}
	}
	return w
}
