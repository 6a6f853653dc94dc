package addon

import (
	"context"
	"slices"

	"steno/messages"
	"steno/session/addon/translate"
)

// What does an add-on, as clients are told. Translators have names of their own.
const (
	byEmbedded = "embedded"
	byEngine   = "engine"
	byModel    = "llm"
)

// Offered lists the add-ons of the API: whether they can be done in these ways, and by what. Of translation it tells the
// languages, for which it may ask servers, as long as the context lasts.
func (w Ways) Offered(ctx context.Context) []messages.Addon {
	const live, recorded = string(messages.JobLive), string(messages.JobPreRecorded)
	both, later := []string{live, recorded}, []string{recorded}
	list := []messages.Addon{
		offer("custom_vocabulary", both, byEngine, byEmbedded),
		offer("custom_spelling", both, byEmbedded),
		offer("diarization", both, byEmbedded),
		offer("subtitles", later, byEmbedded),
		offer("sentences", later, byEmbedded),
		offer("display_mode", later, byEmbedded),
		offer("punctuation_enhanced", later, given(w.Punctuate != nil, byEngine), byEmbedded),
		offer("pii_redaction", later, given(w.Confide != nil, byModel), byEmbedded),
		offer(entity, both, w.by(entity, w.Entities != nil)),
		offer(sentiments, both, w.by(sentiments, w.Sentiments != nil)),
		offer("summarization", both, w.by("summarization", w.Summarize != nil)),
		offer(chapter, both, w.by(chapter, w.Chapters != nil)),
		offer("audio_to_llm", later, given(w.Ask != nil, byModel)),
		offer("structured_data_extraction", later, given(w.Extract != nil, byModel)),
		offer("name_consistency", later, given(w.Names != nil, byModel)),
	}
	return append(list, w.translation(ctx, both))
}

// translation is the add-on of that name.
func (w Ways) translation(ctx context.Context, modes []string) messages.Addon {
	a := messages.Addon{Name: translation, Modes: modes, Available: w.Translate != nil, Translators: w.known(ctx)}
	for _, t := range a.Translators {
		a.By = append(a.By, t.Name)
	}
	return a
}

// offer is an add-on that the first of what there is does, and the others where that cannot; empty ones are not there.
func offer(name string, modes []string, by ...string) messages.Addon {
	by = slices.DeleteFunc(by, func(s string) bool { return s == "" })
	return messages.Addon{Name: name, Modes: slices.Clone(modes), Available: len(by) > 0, By: by}
}

func given(known bool, by string) string {
	if known {
		return by
	}
	return ""
}

// by is what does an add-on that is embedded, and left to the language model where the operator says so.
func (w Ways) by(name string, known bool) string {
	if slices.Contains(w.modelled, name) {
		return byModel
	}
	return given(known, byEmbedded)
}

// known are the translators with their languages.
func (w Ways) known(ctx context.Context) (list messages.List[messages.AddonTranslator]) {
	for _, t := range w.translators {
		pairs, all := translate.Known(ctx, t)
		offered := messages.AddonTranslator{Name: t.Name(), Any: all}
		if pairs != nil {
			offered.Pairs = map[string]messages.List[string]{}
		}
		for from, to := range pairs {
			offered.Pairs[from] = to
		}
		list = append(list, offered)
	}
	return list
}
