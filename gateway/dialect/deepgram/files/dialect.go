// Package files is the dialect of Deepgram's interface for files: a request with a file, or with
// the address of one, waits for its transcript, or has it sent to an address.
package files

import (
	"encoding/json"
	"math"
	"net/http"
	"time"

	"steno/gateway/dialect"
	"steno/gateway/dialect/deepgram"
	"steno/gateway/web"
	"steno/messages"
)

const listen = "POST /v1/listen"

// Dialect returns the dialect.
func Dialect() dialect.Dialect {
	return dialect.Dialect{Name: deepgram.Name, HTTP: newHTTP, Ignored: ignored()}
}

// withoutEffect are parameters that do nothing; an answer names those that were given in the header
// X-Steno-Ignored.
var withoutEffect = map[string]string{
	"search":             "nothing searches by sound",
	"sentiment":          "is not part of the answer: ask for it by the gateway's own interface",
	"topics":             "nothing finds topics",
	"custom_topic":       "nothing finds topics",
	"custom_topic_mode":  "nothing finds topics",
	"intents":            "nothing finds intents",
	"custom_intent":      "nothing finds intents",
	"custom_intent_mode": "nothing finds intents",
	"detect_entities":    "is not part of the answer: ask for it by the gateway's own interface",
	"profanity_filter":   "words stay as they were said",
	"filler_words":       "the engines decide whether they write them",
	"dictation":          "spoken marks stay words",
	"measurements":       "the engines decide how they write them",
	"numerals":           "the engines decide how they write them",
	"utt_split":          "the gateway divides where a speaker pauses",
	"version":            "there is one of each model",
	"mip_opt_out":        "nothing leaves this server",
	"tag":                "records have no tags",
	"extra":              "is not repeated in the answer",
}

// parameters are those of POST /v1/listen that have an effect.
var parameters = []string{
	"callback", "callback_method", "channels", "detect_language", "diarize", "diarize_model", "encoding", "keyterm",
	"keywords", "language", "language_hint", "model", "multichannel", "paragraphs", "punctuate", "redact", "replace",
	"sample_rate", "smart_format", "summarize", "utterances",
}

// ignored lists what clients may ask for without effect.
func ignored() (list []dialect.Ignored) {
	for _, name := range sortedNames() {
		list = append(list, dialect.Ignored{Where: listen, Option: name, Why: withoutEffect[name]})
	}
	return list
}

// service answers the dialect's operations.
type service struct{ dialect.Services }

func newHTTP(s dialect.Services) dialect.HTTP {
	own := service{s}
	return dialect.HTTP{Refuse: deepgram.Refuse, Failure: deepgram.Refusal{}, Callback: callback,
		Routes: []dialect.Route{
			{Method: "POST", Path: "/v1/listen", Bare: true, Needs: dialect.NeedJobs, Handle: own.listen,
				Summary: "Transcribe a recorded file", Query: parameters, Takes: takes(),
				Gives: []dialect.Body{dialect.BodyOf(answer{}), dialect.BodyOf(accepted{})},
				Refuses: []int{http.StatusBadRequest, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge,
					http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity, http.StatusServiceUnavailable,
					http.StatusInsufficientStorage}},
			{Method: "POST", Path: "/v1/auth/grant", Bare: true, Needs: dialect.NeedOwn, Handle: own.grant,
				Summary: "Make a token for one client", Takes: []dialect.Body{dialect.BodyOf(grantRequest{})},
				Bodiless: true, Gives: []dialect.Body{dialect.BodyOf(granted{})},
				Refuses: []int{http.StatusBadRequest, http.StatusRequestEntityTooLarge}},
		}}
}

// takes describes the forms of a request with a file.
func takes() []dialect.Body {
	return []dialect.Body{
		{Media: "application/octet-stream",
			Note: "The recording; any other type but that of JSON does as well"},
		dialect.BodyOf(address{}),
	}
}

// grantRequest asks for a token.
type grantRequest struct {
	TTL *float64 `json:"ttl_seconds" default:"30" minimum:"1" maximum:"3600"`
}

// granted is a token.
type granted struct {
	Token   string  `json:"access_token"`
	Expires float64 `json:"expires_in"` // seconds
}

const (
	grantLife    = 30 * time.Second // of a token whose request names none
	maxGrantLife = time.Hour
)

// grant makes a token for a client that must not have the key.
func (s service) grant(w http.ResponseWriter, r *http.Request) error {
	body, err := web.ReadBody(w, r, s.MaxBody)
	if err != nil {
		return err
	}
	var asked grantRequest
	if len(body) > 0 && json.Unmarshal(body, &asked) != nil {
		return web.Problem(http.StatusBadRequest, "the body must be JSON")
	}
	life := grantLife
	if asked.TTL != nil {
		if !(*asked.TTL >= 1 && *asked.TTL <= maxGrantLife.Seconds()) {
			return web.Problem(http.StatusBadRequest, "ttl_seconds must be a number from 1 to 3600")
		}
		life = time.Duration(math.Round(*asked.TTL)) * time.Second
	}
	token, expires, err := s.Grant(r, deepgram.Name, life)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	web.WriteJSON(w, http.StatusOK, granted{token, math.Ceil(time.Until(expires).Seconds())})
	return nil
}

// callback is the body of a callback: what the request would have been answered with.
func callback(r *dialect.Record) ([]byte, error) {
	o, err := parseOptions(r.Options)
	if err != nil {
		return nil, err
	}
	if r.Failed != nil {
		return json.Marshal(failed{Code: "ASR_ERROR", Message: r.Failed.Message, ID: r.ID})
	}
	return json.Marshal(o.answer(r.ID, r.At, r.Result))
}

// failed is the body of a callback of a job that has failed.
type failed struct {
	Code    string `json:"err_code"`
	Message string `json:"err_msg"`
	ID      string `json:"request_id"`
}

// result is what an answer is made of.
type result = messages.PreRecordedResult
