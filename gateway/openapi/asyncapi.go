package openapi

import (
	"encoding/json"
	"net/url"
	"reflect"
	"strings"

	"steno/messages"
)

// AsyncAPI is a description of the WebSocket and the callbacks, seen from the gateway: it sends and
// receives.
type AsyncAPI struct {
	AsyncAPI           string                   `json:"asyncapi"`
	Info               infoObject               `json:"info"`
	DefaultContentType string                   `json:"defaultContentType"`
	Servers            Ordered[asyncServer]     `json:"servers,omitempty"`
	Channels           Ordered[*channel]        `json:"channels"`
	Operations         Ordered[*asyncOperation] `json:"operations"`
	Components         asyncComponents          `json:"components"`
}

type asyncServer struct {
	Host     string `json:"host"`
	Protocol string `json:"protocol"`
}

type channel struct {
	Address     *string            `json:"address"`
	Title       string             `json:"title"`
	Description string             `json:"description"`
	Messages    Ordered[reference] `json:"messages"`
	Bindings    any                `json:"bindings,omitempty"`
	// Closes are the codes with which the server closes a WebSocket.
	Closes []closeCode `json:"x-close-codes,omitempty"`
}

type closeCode struct {
	Code      int    `json:"code"`
	Reason    string `json:"reason"`
	Reconnect bool   `json:"reconnect"`
}

type reference struct {
	Ref string `json:"$ref"`
}

type asyncOperation struct {
	Action   string      `json:"action"`
	Channel  reference   `json:"channel"`
	Title    string      `json:"title"`
	Messages []reference `json:"messages"`
	Bindings any         `json:"bindings,omitempty"`
}

type asyncComponents struct {
	Messages Ordered[*message] `json:"messages"`
	Schemas  Ordered[*Schema]  `json:"schemas"`
}

type message struct {
	Name        string    `json:"name"`
	Title       string    `json:"title"`
	Summary     string    `json:"summary"`
	ContentType string    `json:"contentType,omitempty"`
	Headers     *Schema   `json:"headers,omitempty"`
	Payload     *Schema   `json:"payload"`
	Examples    []example `json:"examples,omitempty"`
}

type example struct {
	Payload json.RawMessage `json:"payload"`
}

// The channels.
const (
	channelLive           = "live"
	channelEvents         = "events"
	channelLiveCallback   = "liveCallback"
	channelResultCallback = "resultCallback"
)

// NewAsyncAPI describes what goes over the WebSocket and to callbacks. It fails for a type that
// cannot be described.
func NewAsyncAPI(info Info) (*AsyncAPI, error) {
	doc := &AsyncAPI{
		AsyncAPI: "3.0.0", Info: infoObject{info.Title, info.Version, info.Description},
		DefaultContentType: "application/json",
	}
	if u, err := url.Parse(info.URL); err == nil && u.Host != "" {
		protocol := strings.Replace(u.Scheme, "http", "ws", 1)
		doc.Servers.set("gateway", asyncServer{u.Host, protocol})
	}
	doc.channels()
	g := newRegistry(info.Addons...)
	doc.client(g)
	doc.server(g)
	doc.subscriber(g)
	doc.result(g)
	doc.Components.Schemas = g.sorted()
	return doc, g.err()
}

func (doc *AsyncAPI) channels() {
	live := "/v2/live"
	token := &Schema{Type: Types{"object"}, Required: []string{"token"}, Properties: Ordered[*Schema]{
		{"token", &Schema{Type: Types{"string"}, Description: "That of the url which POST /v2/live answers with"}},
		{"offset", &Schema{Type: Types{"integer"}, Minimum: "0",
			Description: "Where in the audio of the session, in bytes, the first byte stands that this socket will " +
				"send: the end of byte_range in the last ack received. What the session has already is skipped. " +
				"Without it the session compares what comes with what it has, and where that tells nothing, as in " +
				"silence, sends an ack of all that it has and closes with 1012 once"}},
	}}
	c := &channel{
		Address: &live, Title: "A live session",
		Description: "Open the url that POST /v2/live answered with. A session outlives its sockets: after a close " +
			"that says so, open the url again, send the audio that no ack has confirmed, and go on. A newer socket " +
			"replaces the older one. What the client has not confirmed by answering a ping comes again on the next " +
			"socket, byte for byte: finals are recognised by data.id, messages of add-ons by utterance_id and " +
			"type. After stop_recording and the last message the server closes with 1000.",
		Bindings: map[string]any{"ws": map[string]any{"method": "GET", "query": token}},
	}
	for _, k := range messages.Closes() {
		c.Closes = append(c.Closes, closeCode{k.Code, k.Reason, k.Reconnect})
	}
	doc.Channels.set(channelLive, c)
	doc.Channels.set(channelLiveCallback, &channel{
		Title: "Callback of a live session",
		Description: "POST to callback_config.url of each message that callback_config lets through, in order. " +
			"What fails is sent again, with the same webhook-id, before the next.",
	})
	doc.Channels.set(channelResultCallback, &channel{
		Title: "Callback of a recorded file",
		Description: "POST or PUT, as callback_config.method says, to callback_config.url, or POST to " +
			"callback_url, when the job is done or has failed. What fails is sent again with the same webhook-id.",
	})
}

// add puts a message into the components and the channel, and returns the reference for operations.
func (doc *AsyncAPI) add(in, name string, m *message) reference {
	m.Name = name
	doc.Components.Messages.set(name, m)
	c, _ := doc.Channels.get(in)
	c.Messages.set(name, reference{"#/components/messages/" + name})
	return reference{"#/channels/" + in + "/messages/" + name}
}

func (doc *AsyncAPI) client(g *registry) {
	op := &asyncOperation{Action: "receive", Channel: reference{"#/channels/" + channelLive},
		Title: "What a client sends"}
	put := func(name string, m *message) { op.Messages = append(op.Messages, doc.add(channelLive, name, m)) }
	put("Audio", &message{
		Title: "audio bytes",
		Summary: "A binary frame of audio in the declared format, of any length up to 4 MiB; frames need not " +
			"end between samples",
		ContentType: "application/octet-stream", Payload: &Schema{ContentMediaType: "application/octet-stream"},
	})
	put("AudioChunk", &message{
		Title: "audio_chunk", Summary: "Audio as text, of up to 32 MiB",
		Payload:  g.inline(reflect.TypeFor[audioChunk](), read),
		Examples: []example{{json.RawMessage(`{"type":"audio_chunk","data":{"chunk":"AAABAAIAAwA="}}`)}},
	})
	put("StopRecording", &message{
		Title: "stop_recording", Summary: "No audio follows; what there is will be finished",
		Payload:  g.inline(reflect.TypeFor[stopRecording](), read),
		Examples: []example{{json.RawMessage(`{"type":"stop_recording"}`)}},
	})
	doc.Operations.set("receiveFromClient", op)
}

// server adds the messages of a server, as they are and as callbacks.
func (doc *AsyncAPI) server(g *registry) {
	socket := &asyncOperation{Action: "send", Channel: reference{"#/channels/" + channelLive},
		Title: "What the server sends"}
	callback := &asyncOperation{
		Action: "send", Channel: reference{"#/channels/" + channelLiveCallback},
		Title:    "What a live session's callback gets",
		Bindings: map[string]any{"http": map[string]any{"method": "POST"}},
	}
	for _, e := range g.events() {
		m := &message{Title: e.title(), Summary: e.summary, Payload: g.message(e), Examples: examplesOf(e.kind)}
		if e.kind == messages.KindStartSession {
			doc.Components.Messages.set(e.name, m)
			m.Name = e.name
		} else {
			socket.Messages = append(socket.Messages, doc.add(channelLive, e.name, m))
		}
		callback.Messages = append(callback.Messages, doc.add(channelLiveCallback, e.name+"Callback", liveCallback(e)))
	}
	doc.Operations.set("sendToClient", socket)
	doc.Operations.set("sendLiveCallback", callback)
}

// liveCallback wraps a message of a server.
func liveCallback(e event) *message {
	name := strings.Split(e.wireTypes(), ",")
	for i := range name {
		name[i] = "live." + name[i]
	}
	kinds := scalar("string", reflect.StructTag(`enum:"`+strings.Join(name, ",")+`"`), written)
	return &message{
		Title: strings.Join(name, ", "), Summary: e.summary, Headers: webhookHeaders(),
		Payload: &Schema{Type: Types{"object"}, Required: []string{"id", "event", "payload"},
			Properties: Ordered[*Schema]{
				{"id", &Schema{Type: Types{"string"}, Format: "uuid", Description: "Of the session"}},
				{"event", kinds},
				{"payload", &Schema{Ref: "#/components/messages/" + e.name + "/payload"}},
			}},
	}
}

func (doc *AsyncAPI) result(g *registry) {
	op := &asyncOperation{
		Action: "send", Channel: reference{"#/channels/" + channelResultCallback},
		Title: "What a recorded file's callback gets",
	}
	put := func(name string, m *message) {
		m.Headers = webhookHeaders()
		op.Messages = append(op.Messages, doc.add(channelResultCallback, name, m))
	}
	put("Success", &message{
		Title: messages.EventSuccess, Summary: "The job is done",
		Payload: g.inline(reflect.TypeFor[messages.CallbackSuccess](), written),
	})
	put("Error", &message{
		Title: messages.EventError, Summary: "The job has failed",
		Payload: g.inline(reflect.TypeFor[messages.CallbackError](), written),
	})
	doc.Operations.set("sendResultCallback", op)
}

// inline is the schema of a struct itself, not a reference to it.
func (g *registry) inline(t reflect.Type, d direction) *Schema { return g.contents(t, d) }

// webhookHeaders are what every callback carries.
func webhookHeaders() *Schema {
	text := func(note string) *Schema { return &Schema{Type: Types{"string"}, Description: note} }
	return &Schema{Type: Types{"object"}, Required: []string{"webhook-id", "webhook-timestamp"},
		Properties: Ordered[*Schema]{
			{"webhook-id", text("The same whenever the same callback is sent again")},
			{"webhook-timestamp", text("Time of the attempt, in seconds since 1970")},
			{"webhook-signature", text("Standard Webhooks signature; where callbacks are signed")},
		}}
}

// What clients send.
type (
	audioChunk struct {
		Type string    `json:"type" required:"true" const:"audio_chunk"`
		Data chunkData `json:"data" required:"true"`
	}
	chunkData struct {
		Chunk string `json:"chunk" required:"true" doc:"Base64 of the audio; empty to keep the session alive"`
	}
	stopRecording struct {
		Type string `json:"type" required:"true" const:"stop_recording"`
	}
)

// Message is the message of that name; nil where there is none.
func (doc *AsyncAPI) Message(name string) *message {
	m, _ := doc.Components.Messages.get(name)
	return m
}
