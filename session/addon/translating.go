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
	w.translators = list
	first := translate.First(list...)
	w.Translate = func(ctx context.Context, us []messages.Utterance, target string, c messages.TranslationConfig) ([]messages.Utterance, error) {
		return translate.Utterances(ctx, first, us, target, c)
	}
	return w
}
