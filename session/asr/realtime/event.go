package realtime

import (
	"encoding/json"
	"regexp"
	"strings"
)

// kind is what a server's message is about.
type kind int

const (
	other     kind = iota // nothing that matters here
	created               // the greeting
	updated               // the settings are confirmed
	committed             // the end of an item is confirmed
	delta                 // more text of an item
	partial               // all text so far of an item
	completed             // the whole text of an item
	failed                // an item has none
	errored               // an error that belongs to no item
)

// kinds are the types of messages that matter, of all variants.
var kinds = map[string]kind{
	"session.created":                                       created,
	"transcription_session.created":                         created,
	"session.updated":                                       updated,
	"transcription_session.updated":                         updated,
	"input_audio_buffer.committed":                          committed,
	"conversation.item.input_audio_transcription.delta":     delta,
	"conversation.item.input_audio_transcription.completed": completed,
	"conversation.item.input_audio_transcription.failed":    failed,
	"input_audio_buffer.partial_transcription":              partial,
	"transcription.delta":                                   delta,
	"transcription.done":                                    completed,
	"error":                                                 errored,
}

// event is a server's message, of which any part may be missing.
type event struct {
	kind     kind
	item     string // vLLM's servers name none
	text     string
	language string // a code or name
	session  json.RawMessage
	code     string // of an error: letters and underscores, nothing else
	param    string // what an error is about, in the same way
}

// message is an event as it is sent.
type message struct {
	Type       string          `json:"type"`
	Item       string          `json:"item_id"`
	Delta      string          `json:"delta"`
	Transcript string          `json:"transcript"`
	Text       string          `json:"text"`
	Language   string          `json:"language"`
	Languages  []language      `json:"languages"`
	Session    json.RawMessage `json:"session"`
	Error      json.RawMessage `json:"error"`
	Code       string          `json:"code"`
}

type language struct {
	Code string `json:"code"`
}

// parse decodes a message. Where details do not make sense, its type alone counts. It returns false
// for what is no message.
func parse(b []byte) (event, bool) {
	var m message
	if json.Unmarshal(b, &m) != nil {
		only := struct{ Type string }{}
		if json.Unmarshal(b, &only) != nil {
			return event{}, false
		}
		m = message{Type: only.Type}
	}
	e := event{kind: kinds[m.Type], item: m.Item, session: m.Session, language: m.Language}
	if e.language == "" && len(m.Languages) > 0 {
		e.language = m.Languages[0].Code
	}
	switch e.kind {
	case delta:
		e.text = m.Delta
	case completed, partial:
		if e.text = m.Transcript; m.Type == "transcription.done" {
			e.text = m.Text
		}
	case failed, errored:
		e.code, e.param = reason(m)
	}
	return e, m.Type != ""
}

// reason returns the code of an error, else its type, and what it is about. vLLM's servers have the
// code beside the error, which is a text.
func reason(m message) (code, param string) {
	var inside struct {
		Type  string `json:"type"`
		Code  string `json:"code"`
		Param string `json:"param"`
	}
	_ = json.Unmarshal(m.Error, &inside)
	for _, text := range []string{inside.Code, m.Code, inside.Type} {
		if text = name(text); text != "" {
			return text, name(inside.Param)
		}
	}
	return "", name(inside.Param)
}

// named is what may be repeated of an error: neither a key nor speech.
var named = regexp.MustCompile(`^[A-Za-z][A-Za-z_.]{0,79}$`)

func name(text string) string {
	if !named.MatchString(text) || strings.Count(text, "_")+strings.Count(text, ".") == 0 && len(text) > 24 {
		return ""
	}
	return text
}
