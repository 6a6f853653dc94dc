package accounts

import (
	"maps"
	"math"
	"slices"
	"unicode/utf8"

	"steno/messages"
	"steno/session/store"
)

// tally is what a session or a job has used.
type tally struct {
	list  []store.Use
	model string
	audio int64 // milliseconds, each channel counted
}

// newTally counts one of item, and its audio under another item.
func newTally(model, item, audio string, seconds float64, channels int) *tally {
	t := &tally{model: model, audio: int64(math.Round(seconds * 1000 * float64(max(channels, 1))))}
	t.add(item, 1)
	t.add(audio, t.audio)
	return t
}

func (t *tally) add(item string, amount int64) {
	if amount > 0 {
		t.list = append(t.list, store.Use{Model: t.model, Item: item, Amount: amount})
	}
}

// addon counts an add-on with a result, and the characters that it has written.
func (t *tally) addon(name string, characters int) {
	t.add(store.UsedAddon+name, t.audio)
	t.add(store.UsedCharacter+name, int64(characters))
}

// LiveUse returns what a live session has used that ended with a result. Add-ons that failed are
// not counted.
func LiveUse(request *messages.LiveRequest, r *messages.LiveResult, seconds float64) []store.Use {
	t := newTally(request.Model, store.UsedSessions, store.UsedLive, seconds, r.Metadata.NumberOfDistinctChannels)
	addTranslation(t, r.Translation)
	addText(t, "summarization", r.Summarization)
	addon(t, "named_entity_recognition", r.NamedEntityRecognition)
	addon(t, "sentiment_analysis", r.SentimentAnalysis)
	addon(t, "chapterization", r.Chapterization)
	addDeclared(t, r.Declared)
	return t.list
}

// RecordedUse returns what the job of a recorded file has used that is done. Add-ons that failed
// are not counted.
func RecordedUse(request *messages.PreRecordedRequest, r *messages.PreRecordedResult, seconds float64,
	channels int) []store.Use {
	t := newTally(request.Model, store.UsedJobs, store.UsedRecorded, seconds, channels)
	addTranslation(t, r.Translation)
	addText(t, "summarization", r.Summarization)
	addText(t, "name_consistency", r.NameConsistency)
	addText(t, "structured_data_extraction", r.StructuredDataExtraction)
	addon(t, "named_entity_recognition", r.NamedEntityRecognition)
	addon(t, "sentiment_analysis", r.SentimentAnalysis)
	addon(t, "chapterization", r.Chapterization)
	addAnswers(t, r.AudioToLLM)
	if request.Diarization && r.Diarization == nil { // it is there only where it failed
		t.addon("diarization", 0)
	}
	addDeclared(t, r.Declared)
	return t.list
}

// FailedUse returns what the job of a recorded file has used that failed.
func FailedUse(model string) []store.Use {
	return []store.Use{{Model: model, Item: store.UsedFailed, Amount: 1}}
}

func addon[T any](t *tally, name string, r *messages.AddonResult[T]) {
	if r != nil && r.Success {
		t.addon(name, 0)
	}
}

func addText(t *tally, name string, r *messages.AddonResult[*string]) {
	if r != nil && r.Success {
		t.addon(name, characters(r.Results))
	}
}

// characters counts those of a text that may be missing.
func characters(text *string) int {
	if text == nil {
		return 0
	}
	return utf8.RuneCountInString(*text)
}

// addTranslation counts the characters of all languages that are there, though others failed.
func addTranslation(t *tally, r *messages.AddonResult[messages.List[messages.TranslationResult]]) {
	if r == nil {
		return
	}
	n, some := 0, r.Success
	for _, language := range r.Results {
		n += utf8.RuneCountInString(language.FullTranscript)
		some = some || language.Error == nil
	}
	if some {
		t.addon("translation", n)
	}
}

func addAnswers(t *tally, r *messages.AddonResult[messages.List[messages.AudioToLLM]]) {
	if r == nil {
		return
	}
	n, some := 0, false
	for _, a := range r.Results {
		if a.Success && a.Results != nil {
			n, some = n+characters(a.Results.Response), true
		}
	}
	if some {
		t.addon("audio_to_llm", n)
	}
}

func addDeclared(t *tally, all messages.DeclaredResults) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		addon(t, name, all[name])
	}
}
