// Package realtime is the dialect of OpenAI's realtime transcription: a WebSocket that takes audio
// as base64 within JSON, cuts it where its client asks for that, and sends the words of each
// utterance as they settle, then its whole transcript.
//
// An utterance is an item. Where the server detects turns, an item is announced, committed and
// completed as the session finds its utterance; where the client does, an item is what it has
// committed. Deltas append, nothing of them can be taken back: they are the words that two partials
// in a row agree on. What semantic detection of turns waits for is a silence here, a longer one the
// less eager it is to be.
package realtime

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"steno/gateway/dialect"
	"steno/gateway/dialect/openai"
	"steno/messages"
)

// paths are where clients connect: under the dialect's prefix, and where they look without one.
var paths = []string{"/openai/v1/realtime", "/v1/realtime"}

const (
	subprotocol = "realtime"
	keyProtocol = "openai-insecure-api-key." // then the key
)

// Dialect returns the dialect.
func Dialect() dialect.Dialect {
	return dialect.Dialect{
		Name: openai.Name, Paths: paths, Open: open, Refuse: openai.Refuse, HTTP: newHTTP, Ignored: ignored(),
	}
}

// open reads the request of a socket: the key, and the settings that a client secret is bound to.
func open(r *http.Request) (dialect.Opening, error) {
	text, bySubprotocol := credential(r)
	first, err := fromAddress(r.URL.Query())
	if err != nil {
		return dialect.Opening{}, err
	}
	key, bound, err := readSecret(text)
	if err != nil {
		return dialect.Opening{}, err
	}
	c := &conversation{id: newSession(), settings: first}
	hears := newEncoder()
	o := dialect.Opening{
		Credential: key,
		Greet:      c.greet, Listen: c.listen,
		Terms:  dialect.Terms{Wants: wants, Once: true, Grace: grace},
		Parser: &parser{conversation: c}, Encoder: hears,
	}
	if bySubprotocol {
		o.Subprotocol = subprotocol
	}
	if bound != nil {
		if err := c.settings.update(bound, true); err != nil {
			return dialect.Opening{}, err
		}
		hears.terms = c.settings.terms()
		o.Start, err = c.settings.start()
	}
	return o, err
}

// fromAddress returns the settings that the query of an address has.
func fromAddress(query url.Values) (settings, error) {
	first := defaults()
	first.model = query.Get("model")
	if query.Has("call_id") {
		return first, openai.Invalid("call_id", "must be left out: a session is none of a call")
	}
	return first, nil
}

// newSession returns the id of a session for its client.
func newSession() string { return "sess_" + rand.Text() }

// ignored lists what clients may ask for without effect.
func ignored() []dialect.Ignored {
	const where = "session.update"
	return []dialect.Ignored{
		{Where: where, Option: "noise_reduction", Why: "the audio is transcribed as it is"},
		{Where: where, Option: "prefix_padding_ms",
			Why: "only audio_start_ms has it: how much before speech belongs to an utterance is the gateway's"},
		{Where: where, Option: "transcription.delay", Why: "deltas come as soon as two partials agree on them"},
		{Where: where, Option: "create_response, interrupt_response, idle_timeout_ms", Why: "nothing is answered"},
		{Where: "WebSocket /v1/realtime", Option: "intent", Why: "each session transcribes"},
	}
}

// credential returns the key of a request, and whether it is that of a page in a browser, which has
// it among the subprotocols.
func credential(r *http.Request) (key string, bySubprotocol bool) {
	scheme, key, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(key), slices.Contains(offered(r), subprotocol)
	}
	for _, p := range offered(r) {
		if key, ok := strings.CutPrefix(p, keyProtocol); ok {
			return key, true
		}
	}
	return "", false
}

// offered are the subprotocols that a client offers.
func offered(r *http.Request) (all []string) {
	for _, line := range r.Header.Values("Sec-WebSocket-Protocol") {
		for p := range strings.SplitSeq(line, ",") {
			all = append(all, strings.TrimSpace(p))
		}
	}
	return all
}

// conversation is what is known of a client before it speaks, and its parser's after that.
type conversation struct {
	id       string
	settings settings
	events   counter
}

// greet greets the client when it has connected, not when its session is made later.
func (c *conversation) greet(*dialect.Created) [][]byte {
	if c.events.n > 0 {
		return nil
	}
	return [][]byte{c.describe("session.created", false)}
}

// listen begins the session with the first message, which the parser answers: with its settings
// where it has some that can be used, else with those of a client that sends none.
func (c *conversation) listen(m dialect.Message) (*dialect.Start, error) {
	first := c.settings
	if e, err := parseEvent(m.Data); err == nil && !m.Binary && !m.Long && e.updates() {
		if first.update(e.Session, true) != nil {
			first = c.settings
		}
	}
	start, err := first.start()
	if err != nil {
		return nil, err
	}
	start.Again = true
	c.settings = first
	return start, nil
}

// describe returns an event that has the settings.
func (c *conversation) describe(kind string, beta bool) []byte {
	return encode(map[string]any{"type": kind, "event_id": c.events.next(), "session": c.settings.describe(c.id, beta)})
}

// wants are the events that the encoder is given.
var wants = messages.FilterOf(messages.KindSpeech, messages.KindMarked, messages.KindPartial, messages.KindFinal,
	messages.KindError)
