package openapi

import "reflect"

// What subscribers are sent beside the messages of sessions.
type (
	subscriptionLag struct {
		subscriptionMessage
		Type string  `json:"type" required:"true" const:"subscription_lag" doc:"Type of the message"`
		Data lagData `json:"data" required:"true" doc:"What was missed"`
	}
	lagData struct {
		From   int `json:"from" required:"true" minimum:"1" doc:"Number of the logged message that comes next; no logged one is missed"`
		Missed int `json:"missed" required:"true" minimum:"0" doc:"Partials and acks that were not sent"`
	}
	subscriptionResync struct {
		subscriptionMessage
		Type string     `json:"type" required:"true" const:"subscription_resync" doc:"Type of the message"`
		Data resyncData `json:"data" required:"true" doc:"Where it goes on"`
	}
	resyncData struct {
		From int `json:"from" required:"true" minimum:"1" doc:"Number of the message that comes next, or of the first that may"`
	}
	subscriptionEnd struct {
		subscriptionMessage
		Type string  `json:"type" required:"true" const:"subscription_end" doc:"Type of the message"`
		Data endData `json:"data" required:"true" doc:"Why there is nothing more"`
	}
	endData struct {
		Reason string `json:"reason" required:"true" enum:"session_ended,session_deleted,token_expired,token_revoked" doc:"Why: opened again as it was, the stream answers 204, 401 or 404"`
	}
	subscriptionMessage struct {
		SessionID *string `json:"session_id" required:"true" format:"uuid" doc:"The session; null where several are followed"`
		CreatedAt string  `json:"created_at" required:"true" format:"date-time" doc:"When the message was made"`
	}
)

// subscriber adds what the streams of events send: the messages of sessions, and those about the
// stream.
func (doc *AsyncAPI) subscriber(g *registry) {
	address := "/v2/live/{id}/events"
	doc.Channels.set(channelEvents, &channel{
		Address: &address, Title: "The events of a live session, for those who follow it",
		Description: "A WebSocket with key or token in a header, or a token in the cookie steno_token, or a ticket " +
			"in the URL. It has every logged message from the first on, or from where from says, byte for byte as " +
			"the session's own socket has it, then those that follow. With seq each logged message begins with its " +
			"number. The flags are parameters. The same without Upgrade is a response of server-sent events. " +
			"/v2/events follows all sessions. The server closes with 1000 when the session has ended, with 4401 " +
			"when key or token have, with 1012 when clients should come back.",
	})
	op := &asyncOperation{Action: "send", Channel: reference{"#/channels/" + channelEvents},
		Title: "What subscribers are sent"}
	for _, e := range g.events() {
		op.Messages = append(op.Messages, doc.add(channelEvents, e.name+"Event", &message{
			Title: e.title(), Summary: e.summary, Payload: g.numbered(e),
		}))
	}
	for _, m := range []struct {
		name, title, summary string
		payload              reflect.Type
	}{
		{"SubscriptionLag", "subscription_lag", "The reader was too slow: partials were left out",
			reflect.TypeFor[subscriptionLag]()},
		{"SubscriptionResync", "subscription_resync",
			"What was asked for is not there any more, or the log is not what it was: the stream goes on elsewhere",
			reflect.TypeFor[subscriptionResync]()},
		{"SubscriptionEnd", "subscription_end",
			"The last server-sent event of a stream that is not to be opened again as it was",
			reflect.TypeFor[subscriptionEnd]()},
	} {
		op.Messages = append(op.Messages, doc.add(channelEvents, m.name, &message{
			Title: m.title, Summary: m.summary, Payload: g.inline(m.payload, written),
		}))
	}
	doc.Operations.set("sendToSubscriber", op)
}

// numbered is the schema of a message as subscribers are sent it, who may ask for the number of
// those that are logged.
func (g *registry) numbered(e event) *Schema {
	if !e.kind.Logged() {
		return &Schema{Ref: "#/components/messages/" + e.name + "/payload"}
	}
	s := g.message(e)
	number := &Schema{Type: Types{"integer"}, Minimum: "1",
		Description: "Number of the message in the session; only with the parameter seq"}
	s.Properties = append(Ordered[*Schema]{{"seq", number}}, s.Properties...)
	return s
}
