// Package vonage is the dialect of the WebSocket endpoints of Vonage's Voice API: after a message
// of text about the call its audio comes as binary messages, linear with 16 bit.
package vonage

import (
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"steno/gateway/dialect"
	"steno/gateway/dialect/calls"
)

// Dialect returns the dialect.
func Dialect() dialect.Dialect {
	return dialect.Dialect{
		Name: "vonage", Paths: []string{"/vonage", "/vonage/{key}"}, Open: open,
		Ignored: []dialect.Ignored{{
			Where: "/vonage", Option: "websocket:dtmf, websocket:cleared, websocket:notify",
			Why: "they are about no speech",
		}},
	}
}

// open reads the address of a WebSocket.
func open(r *http.Request) (dialect.Opening, error) {
	p := parser{query: r.URL.Query(), key: calls.Credential(r)}
	return dialect.Opening{
		Credential: p.key, Late: true, Listen: p.listen, Terms: calls.Terms(), Parser: p,
		Encoder: calls.Silent{},
	}, nil
}

// parser reads what Vonage sends. Its messages of text have no effect once the call has begun.
type parser struct {
	query url.Values
	key   string // of the address or a header
}

// maxField is how many bytes a header of the call may have.
const maxField = 512

// listen reads the message that begins a call: the format of its audio, and the headers that
// whoever set it up has given.
func (p parser) listen(m dialect.Message) (*dialect.Start, error) {
	var fields map[string]any
	if m.Binary || json.Unmarshal(m.Data, &fields) != nil {
		return nil, errors.New("the first message must be websocket:connected, in JSON")
	}
	if event, ok := fields["event"]; ok && event != "websocket:connected" {
		return nil, nil
	}
	media, _ := fields["content-type"].(string)
	kind, options, err := mime.ParseMediaType(media)
	rate, bad := strconv.Atoi(options["rate"])
	if err != nil || kind != "audio/l16" || bad != nil {
		return nil, errors.New("content-type must be audio/l16 with a rate")
	}
	call := calls.Call{Service: "vonage", Parameters: map[string]string{}}
	for name, value := range fields {
		text, ok := value.(string)
		if ok && name != "event" && name != "content-type" && len(text) <= maxField {
			call.Parameters[strings.ToLower(name)] = text
		}
	}
	call.ID = firstOf(call.Parameters, "uuid", "call_uuid", "conversation_uuid")
	call.From, call.To = firstOf(call.Parameters, "from", "caller"), call.Parameters["to"]
	request, fault := call.Request(p.query, calls.Format{Encoding: calls.Linear.Name, Rate: rate, Channels: 1})
	if fault != nil {
		return nil, fault
	}
	return &dialect.Start{Credential: call.Credential(p.key), Request: request}, nil
}

// firstOf returns the first of some parameters that is there.
func firstOf(all map[string]string, names ...string) string {
	for _, name := range names {
		if v := all[name]; v != "" {
			return v
		}
	}
	return ""
}

// Text implements dialect.Parser.
func (parser) Text([]byte, dialect.Input) {}

// Stream implements dialect.Parser.
func (p parser) Stream(limit int, to dialect.Input) dialect.Stream {
	return dialect.Whole(limit, func(text []byte) { p.Text(text, to) })
}
