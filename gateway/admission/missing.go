package admission

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"steno/messages"
)

// offersTime bounds how long servers may take to tell what they translate, when a request asks for
// that.
const offersTime = time.Second

// wanted is something beside finals that a request asks for.
type wanted struct {
	addon   string   // empty: partials
	field   string   // of the request
	targets []string // languages to translate to, and their field
	list    string
}

// wantedLive lists what a live session is to have beside finals.
func wantedLive(r *messages.LiveRequest) (list []wanted) {
	on, after := &r.RealtimeProcessing, &r.PostProcessing
	add := func(asked bool, addon, path string) {
		if asked {
			list = append(list, wanted{addon: addon, field: path + addon})
		}
	}
	if r.SocketFilter().Has(messages.KindPartial) {
		list = append(list, wanted{field: "messages_config.receive_partial_transcripts"})
	}
	if r.Callback && r.CallbackFilter().Has(messages.KindPartial) {
		list = append(list, wanted{field: "callback_config.receive_partial_transcripts"})
	}
	add(on.NamedEntityRecognition, "named_entity_recognition", "realtime_processing.")
	add(on.SentimentAnalysis, "sentiment_analysis", "realtime_processing.")
	add(after.Summarization, "summarization", "post_processing.")
	add(after.Chapterization, "chapterization", "post_processing.")
	for _, name := range slices.Sorted(maps.Keys(on.Declared)) {
		add(true, name, "realtime_processing.")
	}
	for _, name := range slices.Sorted(maps.Keys(after.Declared)) {
		add(true, name, "post_processing.")
	}
	return append(list, wantedTranslation(on.Translation, on.TranslationConfig, "realtime_processing.")...)
}

// wantedRecorded lists what a recorded job is to have beside the transcript.
func wantedRecorded(r *messages.PreRecordedRequest) (list []wanted) {
	for name, asked := range map[string]bool{
		"named_entity_recognition": r.NamedEntityRecognition, "sentiment_analysis": r.SentimentAnalysis,
		"summarization": r.Summarization,
		"diarization":   r.Diarization, "chapterization": r.Chapterization, "audio_to_llm": r.AudioToLLM,
		"name_consistency":           r.NameConsistency,
		"structured_data_extraction": r.StructuredDataExtraction, "punctuation_enhanced": r.PunctuationEnhanced,
	} {
		if asked {
			list = append(list, wanted{addon: name, field: name})
		}
	}
	for name := range r.Declared {
		list = append(list, wanted{addon: name, field: name})
	}
	slices.SortFunc(list, func(a, b wanted) int { return strings.Compare(a.field, b.field) })
	return append(list, wantedTranslation(r.Translation, r.TranslationConfig, "")...)
}

func wantedTranslation(asked bool, c *messages.TranslationConfig, path string) []wanted {
	if !asked {
		return nil
	}
	w := wanted{addon: "translation", field: path + "translation", list: path + "translation_config.target_languages"}
	if c != nil {
		w.targets = c.TargetLanguages
	}
	return []wanted{w}
}

// warnOfMissing adds what a request asks for and will not get: partials of an engine that has none,
// add-ons that nothing does here, and translations to languages that no translator reaches from
// those that are spoken. What is not known is not warned of.
func (p *Policy) warnOfMissing(ctx context.Context, request *Request, languages []string) {
	if len(request.wanted) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, offersTime)
	defer cancel()
	m, ok := p.Models.Model(ctx, request.Model)
	if !ok {
		return
	}
	var offers []messages.Addon
	if p.Offers != nil && slices.ContainsFunc(request.wanted, func(w wanted) bool { return w.addon != "" }) {
		offers = p.Offers(ctx)
	}
	for _, w := range request.wanted {
		at := slices.IndexFunc(offers, func(a messages.Addon) bool { return a.Name == w.addon })
		switch {
		case w.addon == "":
			if engine, none := withoutPartials(m, languages); none {
				request.Warnings.Warn(w.field, fmt.Sprintf("the engine %s gives no partial transcripts", engine))
			}
		case at < 0:
		case !offers[at].Available:
			request.Warnings.Warn(w.field, "is not available on this server: its result is an error")
		default:
			if far := unreached(offers[at].Translators, m, languages, w.targets); len(far) > 0 {
				request.Warnings.Warn(w.list, fmt.Sprintf("%s: no translation to it on this server",
					strings.Join(far, ", ")))
			}
		}
	}
}

// withoutPartials reports whether the engine that serves the languages now has no partials in any
// of them.
func withoutPartials(m messages.Model, languages []string) (engine string, none bool) {
	for _, e := range m.Engines {
		if !e.Available || !mayServe(e, languages) {
			continue
		}
		return e.Name, len(e.Models) > 0 && !slices.ContainsFunc(e.Models, func(one messages.EngineModel) bool {
			return one.Partials && (len(languages) == 0 || len(one.Languages) == 0 || slices.ContainsFunc(languages,
				func(l string) bool {
					return slices.Contains(one.Languages, l)
				}))
		})
	}
	return "", false
}

// unreached lists the targets to which no translator translates from any of the languages that may
// be spoken: those asked for, else those of the model, and only one where no engine can tell
// languages.
func unreached(translators []messages.AddonTranslator, m messages.Model, languages, targets []string) (far []string) {
	if len(translators) == 0 || slices.ContainsFunc(translators,
		func(t messages.AddonTranslator) bool { return t.Any || t.Pairs == nil }) {
		return nil
	}
	switch {
	case !m.Detection && !starting(m):
		languages = []string{taken(m, languages)}
	case len(languages) == 0:
		languages = m.Languages
	}
	for _, target := range targets {
		if !slices.ContainsFunc(languages, func(from string) bool {
			return from == target || slices.ContainsFunc(translators,
				func(t messages.AddonTranslator) bool { return slices.Contains(t.Pairs[from], target) })
		}) {
			far = append(far, target)
		}
	}
	return far
}
