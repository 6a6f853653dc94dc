// Package files is the dialect of AssemblyAI's interface for files, version 2: a client sends a
// file, or names its address, has a transcript made, and asks for it until it is there.
package files

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"

	"steno/gateway/dialect"
	"steno/gateway/dialect/assemblyai"
	"steno/messages"
)

// Dialect returns the dialect.
func Dialect() dialect.Dialect {
	return dialect.Dialect{Name: assemblyai.Name, HTTP: newHTTP, Ignored: ignored()}
}

// withoutEffect are members of a request for a transcript that do nothing.
var withoutEffect = map[string]string{
	"auto_highlights":              "nothing finds key phrases",
	"content_safety":               "nothing judges what is said",
	"content_safety_confidence":    "nothing judges what is said",
	"disfluencies":                 "the engines decide whether they write them",
	"domain":                       "the engines have no domains",
	"filter_profanity":             "words stay as they were said",
	"format_text":                  "without punctuate the text has small letters, too",
	"iab_categories":               "nothing sorts by topic",
	"topics":                       "nothing sorts by topic",
	"custom_topics":                "nothing sorts by topic",
	"language_detection":           "is done where no language is stated",
	"speech_threshold":             "a file without speech has an empty text",
	"boost_param":                  "words are preferred as vocabularies are",
	"keyterms_prompt_options":      "words are preferred as vocabularies are",
	"prompt":                       "only its words in keyterms_prompt count",
	"redact_pii_audio":             "the stored recording is silent where something is hidden, in any case",
	"redact_pii_audio_quality":     "no other file is made of a recording that is silent where something is hidden",
	"redact_pii_audio_options":     "the recording is always silent where something is hidden",
	"redact_pii_return_unredacted": "what is hidden is not kept",
	"remove_audio_tags":            "the engines write no tags",
	"summary_model":                "summaries are made by the server's language model",
	"temperature":                  "the engines do not sample: the same audio has the same text",
}

const (
	speakerOptionsOf  = "speaker_options of POST /v2/transcript"
	languageDetection = "language_detection_options of POST /v2/transcript"
)

// ignored lists what clients may ask for without effect.
func ignored() (list []dialect.Ignored) {
	for _, name := range slices.Sorted(maps.Keys(withoutEffect)) {
		list = append(list, dialect.Ignored{Where: "POST " + collection, Option: name, Why: withoutEffect[name]})
	}
	return append(list, []dialect.Ignored{
		{Where: speakerOptionsOf,
			Option: "use_two_stage_clustering, short_file_diarization_method, long_file_diarization_method",
			Why:    "there is one way in which speakers are told apart"},
		{Where: languageDetection,
			Option: "code_switching_confidence_threshold, on_low_language_confidence, language_detection_model",
			Why:    "the engines detect languages, without a confidence"},
		{Where: languageDetection, Option: "fallback_language, on_no_speech_detected",
			Why: "a file without speech has no language"},
		{Where: languageDetection, Option: "localization, swiss_german",
			Why: "the engines decide how they write a language"},
		{Where: "GET " + single, Option: "confidence of a sentiment",
			Why: "is how sure its words are: moods have none"},
	}...)
}

// service answers the dialect's operations.
type service struct{ dialect.Services }

// newHTTP returns the operations. The paths that clients look for are answered below the prefix
// alone: a file is uploaded to a path that the gateway has itself.
func newHTTP(s dialect.Services) dialect.HTTP {
	own := service{s}
	return dialect.HTTP{Credential: assemblyai.Credential, Refuse: assemblyai.Refuse, Callback: callback,
		Failure: assemblyai.Refusal{}, Routes: append(own.whole(), own.divided()...)}
}

const (
	collection = "/v2/transcript"
	single     = collection + "/{id}"
)

// whole are the operations on files and transcripts.
func (s service) whole() []dialect.Route {
	one := []dialect.Body{dialect.BodyOf(transcript{})}
	file := dialect.Body{Media: "application/octet-stream", Note: "The recording; any other type does as well"}
	return []dialect.Route{
		{Method: "POST", Path: "/v2/upload", Needs: dialect.NeedJobs, Handle: s.upload, Summary: "Keep a recorded file",
			Takes: []dialect.Body{file}, Gives: []dialect.Body{dialect.BodyOf(uploaded{})},
			Refuses: []int{http.StatusBadRequest, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge,
				http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity, http.StatusServiceUnavailable,
				http.StatusInsufficientStorage}},
		{Method: "POST", Path: collection, Needs: dialect.NeedJobs, Handle: s.create,
			Summary: "Transcribe a recorded file",
			Takes:   []dialect.Body{dialect.BodyOf(transcriptRequest{})}, Gives: one,
			Refuses: []int{http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity}},
		{Method: "GET", Path: collection, Needs: dialect.NeedRead, Handle: s.list, Summary: "List transcripts",
			Query: []string{"after_id", "before_id", "created_on", "limit", "status"},
			Gives: []dialect.Body{dialect.BodyOf(listPage{})}, Refuses: unfinished},
		{Method: "GET", Path: single, Needs: dialect.NeedRead, Handle: s.get, Summary: "Get a transcript", Gives: one,
			Refuses: []int{http.StatusNotFound}},
		{Method: "DELETE", Path: single, Needs: dialect.NeedChange, Handle: s.remove,
			Summary: "Delete a transcript, or cancel it", Gives: one, Refuses: []int{http.StatusNotFound}},
	}
}

// divided are the operations that return what a finished transcript has in another form.
func (s service) divided() []dialect.Route {
	parts := []dialect.Body{dialect.BodyOf(divided{})}
	captions := []dialect.Body{{Media: "text/plain", Note: "The captions"}}
	all := []dialect.Route{
		{Path: single + "/sentences", Handle: s.sentences, Summary: "Get a transcript by sentences", Gives: parts},
		{Path: single + "/paragraphs", Handle: s.paragraphs, Summary: "Get a transcript by paragraphs",
			Gives: parts},
		{Path: single + "/word-search", Handle: s.search, Summary: "Search words in a transcript",
			Query: []string{"words"}, Gives: []dialect.Body{dialect.BodyOf(found{})}},
		{Path: single + "/srt", Handle: s.captions("srt"), Summary: "Get a transcript as SRT", Query: captionQuery,
			Gives: captions},
		{Path: single + "/vtt", Handle: s.captions("vtt"), Summary: "Get a transcript as WebVTT", Query: captionQuery,
			Gives: captions},
	}
	for i := range all {
		all[i].Method, all[i].Needs, all[i].Refuses = "GET", dialect.NeedRead, unfinished
	}
	return all
}

// unfinished are the statuses with which what is asked of transcripts may be refused.
var unfinished = []int{http.StatusBadRequest, http.StatusNotFound}

// captionQuery are the parameters of captions.
var captionQuery = []string{"chars_per_caption"}

// callback is the body of a webhook, after which clients ask for the transcript.
func callback(r *dialect.Record) ([]byte, error) {
	return json.Marshal(struct {
		ID     string `json:"transcript_id"`
		Status string `json:"status"`
	}{r.ID, statuses[r.Status]})
}

// statuses are those of jobs as clients read them.
var statuses = map[messages.Status]string{
	messages.StatusQueued: "queued", messages.StatusProcessing: "processing", messages.StatusDone: "completed",
	messages.StatusError: "error",
}
