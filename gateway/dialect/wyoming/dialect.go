// Package wyoming is the dialect of the Wyoming protocol, by which voice assistants speak to their
// services: events over TCP, each a line of JSON that may be followed by more JSON and by audio. A
// connection may have several utterances, one after the other: from audio-start to audio-stop each
// is a session.
package wyoming

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"steno/gateway/dialect"
	"steno/messages"
)

// Dialect returns the dialect.
func Dialect() dialect.Dialect {
	return dialect.Dialect{Name: "wyoming", Open: open, Converse: converse, Ignored: ignored()}
}

// grace is how long the session of a client that is lost waits: its audio has all come.
const grace = time.Second

// parameter is that of a link's query which has the settings, as JSON.
const parameter = "settings"

// settings is what a client asks for before its audio.
type settings struct {
	Language string   `json:"language,omitempty"`
	Model    string   `json:"name,omitempty"`
	Names    []string `json:"transcript_names,omitempty"` // to be preferred
	Terms    []string `json:"transcript_terms,omitempty"` // likewise
	Format   format   `json:"format"`
}

// format is that of audio.
type format struct {
	Rate     int `json:"rate"`  // samples a second
	Width    int `json:"width"` // bytes of a sample
	Channels int `json:"channels"`
}

// open begins a session with the settings of a link.
func open(r *http.Request) (dialect.Opening, error) {
	var s settings
	if err := json.Unmarshal([]byte(r.URL.Query().Get(parameter)), &s); err != nil {
		return dialect.Opening{}, messages.Invalid(parameter, "must be JSON")
	}
	start, err := s.start()
	if err != nil {
		return dialect.Opening{}, err
	}
	return dialect.Opening{
		Credential: strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "),
		Start:      start,
		Terms: dialect.Terms{
			Wants: messages.FilterOf(messages.KindFinal, messages.KindEndRecording), Once: true, Grace: grace,
		},
		Parser:  parser{},
		Encoder: &encoder{},
	}, nil
}

// start returns the session that settings ask for.
func (s *settings) start() (*dialect.Start, error) {
	type object map[string]any
	body := object{"sample_rate": s.Format.Rate, "bit_depth": 8 * s.Format.Width, "channels": s.Format.Channels}
	if code, _, _ := strings.Cut(strings.ReplaceAll(s.Language, "_", "-"), "-"); code != "" { // without the region
		body["language_config"] = object{"languages": []string{code}}
	}
	if s.Model != "" {
		body["model"] = s.Model
	}
	if terms := s.terms(); len(terms) > 0 {
		body["realtime_processing"] = object{
			"custom_vocabulary": true, "custom_vocabulary_config": object{"vocabulary": terms},
		}
	}
	request, fault := messages.ParseLive(dialect.JSON(body))
	if fault != nil {
		return nil, fault
	}
	return &dialect.Start{Request: request}, nil
}

// The most that vocabulary may have: assistants send all that they know by name.
const (
	maxTerms = 1000
	maxTerm  = 500 // bytes
)

// terms are the names, then the terms, as far as there is room: the names count more.
func (s *settings) terms() (list []string) {
	for _, part := range [][]string{s.Names, s.Terms} {
		for _, term := range part {
			term = strings.TrimSpace(term)
			if term != "" && len(term) <= maxTerm && len(list) < maxTerms {
				list = append(list, term)
			}
		}
	}
	return list
}

// parser reads what the conversation writes to a link: audio, and a text at its end.
type parser struct{}

// Text implements dialect.Parser.
func (parser) Text(_ []byte, to dialect.Input) { to.Stop() }

// Stream implements dialect.Parser.
func (p parser) Stream(limit int, to dialect.Input) dialect.Stream {
	return dialect.Whole(limit, func(text []byte) { p.Text(text, to) })
}

// encoder writes the events of a session, as lines: each final as a transcript-chunk, and all of
// them as the transcript at the end.
type encoder struct {
	begun    bool
	text     string
	language string
}

// Event implements dialect.Encoder.
func (c *encoder) Event(e *messages.Event, emit func(text []byte)) {
	switch m := e.Message.(type) {
	case messages.Transcript:
		c.final(m.Utterance, emit)
	case messages.EndRecording:
		c.begin(emit)
		emit(line("transcript", spoken{c.text, c.language}))
		emit(line("transcript-stop", nil))
	}
}

// spoken is the data of a transcript.
type spoken struct {
	Text     string `json:"text"`
	Language string `json:"language,omitempty"`
}

// final adds a final.
func (c *encoder) final(u messages.Utterance, emit func(text []byte)) {
	c.language = u.Language
	text := strings.TrimSpace(u.Text)
	if text == "" {
		return
	}
	c.begin(emit)
	if c.text != "" {
		text = messages.Gap(c.text, text) + text
	}
	c.text += text
	emit(line("transcript-chunk", spoken{Text: text}))
}

// begin writes that the transcript begins, once.
func (c *encoder) begin(emit func(text []byte)) {
	if !c.begun {
		c.begun = true
		emit(line("transcript-start", struct {
			Language string `json:"language,omitempty"`
		}{c.language}))
	}
}

// End implements dialect.Encoder.
func (c *encoder) End(e dialect.Ending) (last []byte, code int, reason string) {
	if e.Why == dialect.Finished {
		return nil, closeDone, ""
	}
	reason = reasons[e.Why]
	if e.Detail != "" {
		reason = e.Detail
	}
	return nil, closeFault, messages.CloseReason(reason)
}

const (
	closeDone  = 1000
	closeFault = 1011
)

// reasons are those of the ends of a session before its client asks for it.
var reasons = map[dialect.Why]string{
	dialect.Protocol: "the connection is broken", dialect.NotText: "the connection is broken",
	dialect.Internal: "internal error", dialect.Restart: "the server is restarting",
	dialect.Resume: "the connection is behind", dialect.Away: "storage is out of reach",
	dialect.CutOff: "storage is out of reach", dialect.Misuse: "events were not understood",
	dialect.Format: "the audio is not what was declared", dialect.UnknownToken: "the session is not known",
	dialect.Revoked: "the key was revoked", dialect.Replaced: "another connection has the session",
	dialect.Deleted: "the session was deleted", dialect.TooBig: "an event is too large",
	dialect.Overload: "there is no room for the audio", dialect.Refused: "the session was refused",
	dialect.Exhausted: "the quota of the account is used up",
}
