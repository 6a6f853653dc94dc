// Package calls is what the dialects of telephone services have in common: a call is a live
// session, whose settings stand in the address that the service was given or among the parameters
// of the call. Nothing is sent to the service: those who follow the session, its callbacks and its
// record have what was said.
package calls

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"steno/gateway/dialect"
	"steno/messages"
)

// Call is what a service sends about a call.
type Call struct {
	Service string // the dialect's name
	ID      string // the service's, of the call
	Stream  string // the service's, of its audio
	From    string // who calls
	To      string // who is called
	// Parameters are those that whoever set up the stream has given, and that services pass on.
	Parameters map[string]string
}

// Format is that of the audio.
type Format struct {
	Encoding string // as the gateway names it
	Rate     int    // samples a second
	Channels int
}

const (
	maxValue      = 200 // bytes of a text that is kept with the session
	maxParameters = 16  // that are kept
)

// credentials are the names under which a parameter or the query has the key or token.
var credentials = []string{"token", "key", "api_key"}

// Credential returns the key or token of a request: in its path, its query, or the Authorization
// header.
func Credential(r *http.Request) string {
	if key := r.PathValue("key"); key != "" {
		return strings.Clone(key)
	}
	for _, name := range credentials {
		if key := r.URL.Query().Get(name); key != "" {
			return strings.Clone(key)
		}
	}
	header := strings.TrimSpace(r.Header.Get("Authorization"))
	if scheme, key, ok := strings.Cut(header, " "); ok && strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(key)
	}
	return header
}

// Credential returns the key or token among the parameters of a call; empty: there is none, or the
// request has had one, beside which parameters may be anything.
func (c *Call) Credential(ofRequest string) string {
	if ofRequest != "" {
		return ""
	}
	for _, name := range credentials {
		if key := c.Parameters[name]; key != "" {
			return key
		}
	}
	return ""
}

// option returns a setting: that of the call's parameters, else that of the address.
func (c *Call) option(query url.Values, name string) string {
	if v := c.Parameters[name]; v != "" {
		return v
	}
	return query.Get(name)
}

// Request returns the session that a call asks for. The query is that of the address. Errors name
// the setting that is wrong.
func (c *Call) Request(query url.Values, f Format) (*messages.LiveRequest, error) {
	body := map[string]any{
		"encoding": f.Encoding, "sample_rate": f.Rate, "channels": f.Channels, "custom_metadata": c.metadata(),
		"messages_config": map[string]any{"receive_partial_transcripts": true},
	}
	if v := c.option(query, "model"); v != "" {
		body["model"] = v
	}
	if v := c.option(query, "language"); v != "" {
		languages := strings.Split(v, ",")
		body["language_config"] = map[string]any{"languages": languages, "code_switching": len(languages) > 1}
	}
	if v := c.option(query, "endpointing"); v != "" {
		seconds, err := strconv.ParseFloat(v, 64)
		if err != nil {
			return nil, messages.Invalid("endpointing", "must be a number of seconds")
		}
		body["endpointing"] = seconds
	}
	if v := c.option(query, "vocabulary"); v != "" {
		body["realtime_processing"] = map[string]any{
			"custom_vocabulary": true, "custom_vocabulary_config": map[string]any{"vocabulary": strings.Split(v, ",")},
		}
	}
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	request, fault := messages.ParseLive(text)
	if fault != nil {
		return nil, fault
	}
	return request, nil
}

// metadata returns what is kept with the session, by which it is found: texts that are not too
// long, and no credential.
func (c *Call) metadata() map[string]string {
	all := map[string]string{}
	keep := func(name, value string) {
		if value != "" && len(value) <= maxValue && len(name) <= maxValue {
			all[name] = value
		}
	}
	for name, value := range c.Parameters {
		if len(all) < maxParameters && !isCredential(name) && len(name)+len(value) <= maxValue/4 {
			keep(name, value)
		}
	}
	keep("service", c.Service)
	keep("call", c.ID)
	keep("stream", c.Stream)
	keep("from", c.From)
	keep("to", c.To)
	return all
}

func isCredential(name string) bool {
	for _, c := range credentials {
		if strings.EqualFold(name, c) {
			return true
		}
	}
	return false
}

// grace is how long the session of a call waits whose connection is lost: a service does not
// connect again for the same call.
const grace = 2 * time.Second

// Terms are those of a service: it hears nothing, and does not resume.
func Terms() dialect.Terms {
	return dialect.Terms{Wants: messages.FilterOf(messages.KindEndRecording), Once: true, Grace: grace}
}

// Silent is the encoder of a service, which is sent nothing.
type Silent struct{}

// Event implements dialect.Encoder.
func (Silent) Event(*messages.Event, func([]byte)) {}

// End implements dialect.Encoder.
func (Silent) End(e dialect.Ending) (last []byte, code int, reason string) {
	return nil, e.Code(), messages.CloseReason(e.Detail)
}
