// Package twilio is the dialect of Twilio's Media Streams: a call's audio comes as base64 within
// JSON over a WebSocket that Twilio opens. Both sides of a call are two channels.
package twilio

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"

	"steno/gateway/dialect"
	"steno/gateway/dialect/calls"
)

// Dialect returns the dialect.
func Dialect() dialect.Dialect {
	return dialect.Dialect{
		Name: "twilio", Paths: []string{"/twilio", "/twilio/{key}"}, Open: open,
		Ignored: []dialect.Ignored{{
			Where: "/twilio", Option: "dtmf, mark", Why: "tones and marks are no speech",
		}},
	}
}

// open reads the address of a WebSocket. Twilio leaves out its query: the key is in the path, or a
// parameter of the stream.
func open(r *http.Request) (dialect.Opening, error) {
	p := &parser{query: r.URL.Query(), key: calls.Credential(r)}
	return dialect.Opening{
		Credential: p.key, Late: true, Listen: p.listen, Terms: calls.Terms(), Parser: p,
		Encoder: calls.Silent{},
	}, nil
}

// parser reads what Twilio sends.
type parser struct {
	query url.Values
	key   string // of the address
	media *calls.Media
}

// message is one of Twilio's before its audio.
type message struct {
	Event string `json:"event"`
	Start struct {
		Stream     string            `json:"streamSid"`
		Call       string            `json:"callSid"`
		Tracks     []string          `json:"tracks"`
		Parameters map[string]string `json:"customParameters"`
		Format     struct {
			Encoding string `json:"encoding"`
			Rate     int    `json:"sampleRate"`
		} `json:"mediaFormat"`
	} `json:"start"`
}

// listen reads the messages up to the start of a stream.
func (p *parser) listen(m dialect.Message) (*dialect.Start, error) {
	var start message
	if m.Binary || json.Unmarshal(m.Data, &start) != nil {
		return nil, calls.ErrMessage
	}
	if start.Event != "start" {
		return nil, nil
	}
	s := &start.Start
	if f := s.Format; f.Encoding != "audio/x-mulaw" || f.Rate != 8000 {
		return nil, errors.New("mediaFormat must be audio/x-mulaw with a sampleRate of 8000")
	}
	names := []string{"inbound"}
	if len(s.Tracks) > 1 {
		names = []string{"inbound", "outbound"}
	}
	call := calls.Call{Service: "twilio", ID: s.Call, Stream: s.Stream, From: s.Parameters["from"],
		To: s.Parameters["to"], Parameters: s.Parameters}
	request, err := call.Request(p.query, calls.Format{Encoding: calls.MuLaw.Name, Rate: 8000, Channels: len(names)})
	if err != nil {
		return nil, err
	}
	p.media = calls.NewMedia(calls.MuLaw, 8000, names...)
	return &dialect.Start{Credential: call.Credential(p.key), Request: request}, nil
}

// Text implements dialect.Parser.
func (p *parser) Text(text []byte, to dialect.Input) { p.media.Text(text, to) }

// Leave implements dialect.Leaver.
func (p *parser) Leave(to dialect.Input) { p.media.End(to) }

// Stream implements dialect.Parser.
func (p *parser) Stream(limit int, to dialect.Input) dialect.Stream {
	return dialect.Whole(limit, func(text []byte) { p.Text(text, to) })
}
