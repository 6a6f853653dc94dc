// Package files is the dialect of OpenAI's audio interface for files: a request with a file waits
// for its transcript, in one of several formats, or is streamed it.
package files

import (
	"net/http"
	"slices"
	"time"

	"steno/gateway/dialect"
	"steno/gateway/dialect/openai"
	"steno/gateway/web"
	"steno/messages"
)

// Dialect returns the dialect.
func Dialect() dialect.Dialect {
	return dialect.Dialect{Name: openai.Name, HTTP: newHTTP, Ignored: ignored()}
}

const (
	transcriptions = "/v1/audio/transcriptions"
	translations   = "/v1/audio/translations"
)

// ignored lists what clients may ask for without effect.
func ignored() []dialect.Ignored {
	const both = "POST " + transcriptions + ", POST " + translations
	return []dialect.Ignored{
		{Where: both, Option: "temperature", Why: "the engines do not sample: the same audio has the same text"},
		{Where: both, Option: "prompt",
			Why: "only its names and lists count, as vocabulary: the style of the text is the engine's"},
		{Where: "POST " + transcriptions, Option: "chunking_strategy", Why: "the gateway's own endpointing cuts"},
		{Where: "POST " + transcriptions, Option: "known_speaker_names, known_speaker_references",
			Why: "speakers are told apart, and have letters"},
		{Where: "POST " + transcriptions, Option: "stream of whisper-1", Why: "is done for it as for other models"},
		{Where: both, Option: "tokens, seek, no_speech_prob of a segment",
			Why: "are empty or 0: the engines do not report them"},
	}
}

// service answers the dialect's operations.
type service struct{ dialect.Services }

func newHTTP(s dialect.Services) dialect.HTTP {
	own := service{s}
	return dialect.HTTP{Refuse: openai.Refuse, Failure: openai.Refusal{}, Routes: []dialect.Route{
		{Method: "POST", Path: transcriptions, Bare: true, Needs: dialect.NeedJobs, Handle: own.answer(transcribe),
			Summary: "Transcribe a recorded file", Takes: takes(), Refuses: refuses(),
			Gives: append(answers(), dialect.BodyOf(diarized{}))},
		{Method: "POST", Path: translations, Bare: true, Needs: dialect.NeedJobs, Handle: own.answer(translate),
			Summary: "Transcribe a recorded file, in English", Takes: takes(), Refuses: refuses(), Gives: answers()},
		{Method: "GET", Path: "/v1/models", Bare: true, Handle: own.listModels, Summary: "List models",
			Gives: []dialect.Body{dialect.BodyOf(modelList{})}},
		{Method: "GET", Path: "/v1/models/{id}", Bare: true, Handle: own.getModel, Summary: "Get a model",
			Gives: []dialect.Body{dialect.BodyOf(model{})}, Refuses: []int{http.StatusNotFound}},
	}}
}

// takes lists the forms of a request with a file.
func takes() []dialect.Body {
	return []dialect.Body{{Media: "multipart/form-data", Of: form{}}, dialect.BodyOf(jsonBody{})}
}

// answers lists the answers that both tasks have, by response_format and stream.
func answers() []dialect.Body {
	return []dialect.Body{
		dialect.BodyOf(plain{}), dialect.BodyOf(verbose{}),
		{Media: "text/plain", Note: "The text, or the captions of srt and vtt"},
		{Media: "text/event-stream", Note: "With stream: events whose data are objects with a type, the last of them " +
			typeDone},
	}
}

// refuses are the statuses with which a request with a file may be refused.
func refuses() []int {
	return []int{http.StatusBadRequest, http.StatusNotFound, http.StatusRequestTimeout,
		http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity, http.StatusNotImplemented,
		http.StatusServiceUnavailable, http.StatusInsufficientStorage}
}

// model is a model as clients read it.
type model struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Created int64  `json:"created"`
	OwnedBy string `json:"owned_by"`
}

// modelList is the answer that lists models.
type modelList struct {
	Object string               `json:"object"`
	Data   messages.List[model] `json:"data"`
}

// modelsSince is when the first of the models was made: clients sort by it.
var modelsSince = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC).Unix()

// models returns the models that can be used now, by the server's own names and those of clients.
func (s service) models(r *http.Request) (list []model) {
	for _, m := range s.Models(r.Context()) {
		if !slices.Contains(m.Modes, string(messages.JobPreRecorded)) && len(m.Modes) > 0 {
			continue
		}
		list = append(list, modelOf(m.Model))
		if m.Model == openai.DefaultModel {
			for _, name := range openai.Known {
				list = append(list, modelOf(name))
			}
		}
	}
	return list
}

func modelOf(name string) model {
	return model{ID: name, Object: "model", Created: modelsSince, OwnedBy: "steno"}
}

func (s service) listModels(w http.ResponseWriter, r *http.Request) error {
	web.WriteJSON(w, http.StatusOK, modelList{"list", s.models(r)})
	return nil
}

func (s service) getModel(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	for _, m := range s.models(r) {
		if m.ID == id {
			web.WriteJSON(w, http.StatusOK, m)
			return nil
		}
	}
	if _, _, err := openai.Model(id); err != nil {
		return err
	}
	web.WriteJSON(w, http.StatusOK, modelOf(id)) // one of the names that stand for a model
	return nil
}
