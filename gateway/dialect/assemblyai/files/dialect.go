// Package files is the dialect of AssemblyAI's interface for files, version 2: a client sends a
// file, or names its address, has a transcript made, and asks for it until it is there.
package files

import (
	"encoding/json"
	"maps"
	"slices"

	"steno/gateway/dialect"
	"steno/gateway/dialect/assemblyai"
	"steno/messages"
)

// Dialect returns the dialect.
func Dialect() dialect.Dialect {
	return dialect.Dialect{Name: assemblyai.Name, HTTP: newHTTP, Ignored: ignored()}
}

// withoutEffect are parameters of a transcript that do nothing.
var withoutEffect = map[string]string{
	"auto_highlights":  "nothing finds key phrases",
	"content_safety":   "nothing judges what is said",
	"disfluencies":     "the engines decide whether they write them",
	"filter_profanity": "words stay as they were said",
	"iab_categories":   "nothing sorts by topic",
	"speech_threshold": "a file without speech has an empty text",
	"boost_param":      "words are preferred as vocabularies are",
	"redact_pii_audio": "the stored recording is silent where something is hidden, in any case",
	"prompt":           "only its words in keyterms_prompt count",
}

// ignored lists what clients may ask for without effect.
func ignored() (list []dialect.Ignored) {
	for _, name := range slices.Sorted(maps.Keys(withoutEffect)) {
		list = append(list, dialect.Ignored{Where: "POST /v2/transcript", Option: name, Why: withoutEffect[name]})
	}
	return append(list, dialect.Ignored{Where: "GET /v2/transcript/{id}", Option: "confidence of a sentiment",
		Why: "is how sure its words are: moods have none"})
}

// service answers the dialect's operations.
type service struct{ dialect.Services }

// newHTTP returns the operations. The paths that clients look for are answered below the prefix
// alone: a file is uploaded to a path that the gateway has itself.
func newHTTP(s dialect.Services) dialect.HTTP {
	own := service{s}
	read, id := dialect.NeedRead, "/v2/transcript/{id}"
	return dialect.HTTP{Credential: assemblyai.Credential, Refuse: assemblyai.Refuse, Callback: callback,
		Failure: assemblyai.Refusal{},
		Routes: []dialect.Route{
			{Method: "POST", Path: "/v2/upload", Needs: dialect.NeedJobs, Handle: own.upload,
				Summary: "Keep a recorded file"},
			{Method: "POST", Path: "/v2/transcript", Needs: dialect.NeedJobs, Handle: own.create,
				Summary: "Transcribe a recorded file"},
			{Method: "GET", Path: "/v2/transcript", Needs: read, Handle: own.list, Summary: "List transcripts",
				Query: []string{"after_id", "before_id", "limit", "status"}},
			{Method: "GET", Path: id, Needs: read, Handle: own.get, Summary: "Get a transcript"},
			{Method: "DELETE", Path: id, Needs: dialect.NeedChange, Handle: own.remove,
				Summary: "Delete a transcript, or cancel it"},
			{Method: "GET", Path: id + "/sentences", Needs: read, Handle: own.sentences,
				Summary: "Get a transcript by sentences"},
			{Method: "GET", Path: id + "/paragraphs", Needs: read, Handle: own.paragraphs,
				Summary: "Get a transcript by paragraphs"},
			{Method: "GET", Path: id + "/word-search", Needs: read, Handle: own.search,
				Summary: "Search words in a transcript", Query: []string{"words"}},
			{Method: "GET", Path: id + "/srt", Needs: read, Handle: own.captions("srt"),
				Summary: "Get a transcript as SRT", Query: captionQuery},
			{Method: "GET", Path: id + "/vtt", Needs: read, Handle: own.captions("vtt"),
				Summary: "Get a transcript as WebVTT", Query: captionQuery},
		}}
}

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
