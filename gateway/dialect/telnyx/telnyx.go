// Package telnyx is the dialect of Telnyx's media streaming: a call's audio comes as base64 within
// JSON over a WebSocket that Telnyx opens, in pieces that may overtake each other. Both sides of a
// call are two channels where the address or a parameter of the call has tracks=both.
package telnyx

import (
	"cmp"
	"encoding/base64"
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
		Name: "telnyx", Paths: []string{"/telnyx", "/telnyx/{key}"}, Open: open,
		Ignored: []dialect.Ignored{{
			Where: "/telnyx", Option: "dtmf, mark, error",
			Why: "tones and marks are no speech, and an error is followed by stop",
		}},
	}
}

// tokenName is the header, or the field of the first message, in which the stream's token comes.
const tokenName = "x-telnyx-streaming-auth-token"

// open reads the address of a WebSocket.
func open(r *http.Request) (dialect.Opening, error) {
	p := &parser{query: r.URL.Query(), key: cmp.Or(calls.Credential(r), r.Header.Get(tokenName))}
	return dialect.Opening{
		Credential: p.key, Late: true, Listen: p.listen, Terms: calls.Terms(), Parser: p, Encoder: calls.Silent{},
	}, nil
}

// parser reads what Telnyx sends.
type parser struct {
	query url.Values
	key   string // of the address or a header
	token string // of the first message
	media *calls.Media
}

// message is one of Telnyx's before its audio.
type message struct {
	Event  string `json:"event"`
	Token  string `json:"x-telnyx-streaming-auth-token"`
	Stream string `json:"stream_id"`
	Start  struct {
		Call       string            `json:"call_control_id"`
		From       string            `json:"from"`
		To         string            `json:"to"`
		State      string            `json:"client_state"`
		Parameters map[string]string `json:"custom_parameters"`
		Format     struct {
			Encoding string `json:"encoding"`
			Rate     int    `json:"sample_rate"`
		} `json:"media_format"`
	} `json:"start"`
}

// encodings are those of Telnyx that the gateway takes.
var encodings = map[string]calls.Encoding{"PCMU": calls.MuLaw, "PCMA": calls.ALaw, "L16": calls.Linear}

// listen reads the messages up to the start of a stream.
func (p *parser) listen(m dialect.Message) (*dialect.Start, error) {
	var start message
	if m.Binary || json.Unmarshal(m.Data, &start) != nil {
		return nil, calls.ErrMessage
	}
	if start.Token != "" {
		p.token = start.Token
	}
	if start.Event != "start" {
		return nil, nil
	}
	s := &start.Start
	encoding, known := encodings[s.Format.Encoding]
	if !known {
		return nil, errors.New("media_format.encoding must be PCMU, PCMA or L16")
	}
	call := calls.Call{Service: "telnyx", ID: s.Call, Stream: start.Stream, From: s.From, To: s.To,
		Parameters: s.Parameters}
	names := []string{"inbound"}
	if p.query.Get("tracks") == "both" || s.Parameters["tracks"] == "both" {
		names = []string{"inbound", "outbound"}
	}
	request, err := call.Request(p.query, calls.Format{Encoding: encoding.Name, Rate: s.Format.Rate,
		Channels: len(names)})
	if err != nil {
		return nil, err
	}
	p.media = calls.NewMedia(encoding, s.Format.Rate, names...)
	return &dialect.Start{Credential: p.credential(&call, s.State), Request: request}, nil
}

// credential returns the key or token of a stream: that of the first message, of a parameter, or
// what the call's state is; empty where the address or a header has one.
func (p *parser) credential(call *calls.Call, state string) string {
	if p.key != "" {
		return ""
	}
	if key := cmp.Or(p.token, call.Credential(p.key)); key != "" {
		return key
	}
	key, err := base64.StdEncoding.DecodeString(state)
	if err != nil {
		return ""
	}
	return string(key)
}

// Text implements dialect.Parser.
func (p *parser) Text(text []byte, to dialect.Input) { p.media.Text(text, to) }

// Leave implements dialect.Leaver.
func (p *parser) Leave(to dialect.Input) { p.media.End(to) }

// Stream implements dialect.Parser.
func (p *parser) Stream(limit int, to dialect.Input) dialect.Stream {
	return dialect.Whole(limit, func(text []byte) { p.Text(text, to) })
}
