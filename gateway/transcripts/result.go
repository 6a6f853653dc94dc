package transcripts

import (
	"encoding/json"
	"slices"
	"strings"

	"steno/messages"
)

// result is what is read of a job's result, of either kind. It never changes once it is made.
type result struct {
	messages.PreRecordedResult
	utterances []messages.Utterance // in the order of the transcript
	sentiments []messages.Sentiment // by their start
	entities   []messages.Entity    // by their start
}

func newResult(text json.RawMessage) (*result, error) {
	r := new(result)
	if err := json.Unmarshal(text, &r.PreRecordedResult); err != nil {
		return nil, err
	}
	if r.Transcription != nil {
		r.utterances = r.Transcription.Utterances
	}
	if e := r.NamedEntityRecognition; e != nil {
		r.entities = e.Results
		slices.SortStableFunc(r.entities, func(a, b messages.Entity) int { return compare(a.Start, b.Start) })
	}
	if a := r.SentimentAnalysis; a != nil && a.Results != "" {
		if err := json.Unmarshal([]byte(a.Results), &r.sentiments); err != nil {
			return nil, err
		}
		slices.SortStableFunc(r.sentiments, func(a, b messages.Sentiment) int { return compare(a.Start, b.Start) })
	}
	return r, nil
}

// shown returns what is shown of a result with those kinds of events.
func (r *result) shown(kinds messages.Filter) *result {
	part := *r
	if !kinds.ShowsPart("translation") {
		part.Translation = nil
	}
	if !kinds.ShowsPart("named_entity_recognition") {
		part.NamedEntityRecognition, part.entities = nil, nil
	}
	if !kinds.ShowsPart("sentiment_analysis") {
		part.SentimentAnalysis, part.sentiments = nil, nil
	}
	if !kinds.ShowsPart("summarization") {
		part.Summarization = nil
	}
	if !kinds.ShowsPart("chapterization") {
		part.Chapterization = nil
	}
	return &part
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// languages are those that were spoken, most first.
func (r *result) languages() []string {
	if r.Transcription == nil {
		return nil
	}
	return r.Transcription.Languages
}

// speakers returns how many speakers were distinguished; 0 without diarization.
func (r *result) speakers() int {
	seen := map[[2]int]bool{}
	for i := range r.utterances {
		if u := &r.utterances[i]; u.Speaker != nil {
			seen[[2]int{u.Channel, *u.Speaker}] = true
		}
	}
	return len(seen)
}

// AddonFailure is an add-on that gave less than was asked for.
type AddonFailure struct {
	Addon string `json:"addon" doc:"As the request's field names it"`
	messages.AddonError
}

// failures lists what failed beside the transcript.
func (r *result) failures() (list messages.List[AddonFailure]) {
	add := func(addon string, err *messages.AddonError) {
		if err != nil {
			list = append(list, AddonFailure{addon, *err})
		}
	}
	add("translation", errorOf(r.Translation))
	add("summarization", errorOf(r.Summarization))
	add("named_entity_recognition", errorOf(r.NamedEntityRecognition))
	add("sentiment_analysis", errorOf(r.SentimentAnalysis))
	add("chapterization", errorOf(r.Chapterization))
	add("structured_data_extraction", errorOf(r.StructuredDataExtraction))
	add("audio_to_llm", errorOf(r.AudioToLLM))
	add("name_consistency", errorOf(r.NameConsistency))
	add("sentences", errorOf(r.Sentences))
	add("display_mode", errorOf(r.DisplayMode))
	add("diarization", errorOf(r.Diarization))
	return list
}

func errorOf[T any](r *messages.AddonResult[T]) *messages.AddonError {
	if r == nil {
		return nil
	}
	return r.Error
}

// translations lists the translations that there are: those that failed for everything have no
// text.
func (r *result) translations() (list []*messages.TranslationResult) {
	if r.Translation == nil {
		return nil
	}
	for i := range r.Translation.Results {
		if t := &r.Translation.Results[i]; t.Error == nil || len(t.Utterances) > 0 {
			list = append(list, t)
		}
	}
	return list
}

// translation returns the translation to a language; nil where there is none.
func (r *result) translation(language string) *messages.TranslationResult {
	for _, t := range r.translations() {
		if slices.Contains(t.Languages, language) {
			return t
		}
	}
	return nil
}

// places returns the indexes of the utterances that contain a text, in any case and with any
// punctuation.
func (r *result) places(text string) (list []int) {
	forms := map[string]string{} // of the text, by language
	for i := range r.utterances {
		language := r.utterances[i].Language
		form, ok := forms[language]
		if !ok {
			form = folded(text, language)
			forms[language] = form
		}
		if strings.Contains(folded(r.utterances[i].Text, language), form) {
			list = append(list, i)
		}
	}
	return list
}
