package subscribers

import (
	"bytes"
	"encoding/json"
	"strconv"
	"sync"

	"steno/gateway/wsconn"
	"steno/messages"
)

// publication is an event as it is sent, shared by all subscribers. Its encodings are made when the
// first asks for them, and must not be changed.
type publication struct {
	position int64  // in the log of the source; 0 for an event that is not logged
	session  string // id of the event's session
	seq      int64  // in the log of the session; 0 for an event that is not logged
	key      messages.Key
	body     []byte // the message
	epoch    int64

	unnamed       func() []byte // as a server-sent event without an id
	sse           func() []byte
	frame         func() []byte // of a WebSocket
	numberedFrame func() []byte // with the number of a logged message
}

// newPublication returns the publication of an event at a position of a log.
func newPublication(epoch, position int64, session string, e messages.Event) *publication {
	f := &publication{position: position, session: session, seq: e.Seq, key: e.Key, body: e.Body, epoch: epoch}
	f.unnamed = sync.OnceValue(func() []byte { return eventText("", f.typeName(), f.body) })
	f.sse = sync.OnceValue(f.encodeSSE)
	f.frame = sync.OnceValue(func() []byte { return wsconn.Frame(f.body) })
	f.numberedFrame = sync.OnceValue(func() []byte { return wsconn.Frame(f.numbered()) })
	return f
}

// encodeSSE returns the publication as a server-sent event.
func (f *publication) encodeSSE() []byte {
	var id string
	if f.position > 0 {
		id = messages.FormatPosition(f.epoch, f.position)
	}
	return eventText(id, f.typeName(), f.body)
}

// typeName is the type of the message on the wire. A refused ack has that of the message that it
// answers.
func (f *publication) typeName() string {
	if f.key.Kind != messages.KindFailedAck {
		return f.key.Type()
	}
	var refused struct{ Type string }
	if json.Unmarshal(f.body, &refused) != nil || refused.Type == "" {
		return f.key.Kind.String()
	}
	return refused.Type
}

// numbered returns the message with its number in the session's log as the first field.
func (f *publication) numbered() []byte {
	if f.seq == 0 || len(f.body) < 2 || f.body[0] != '{' {
		return f.body
	}
	text := append(make([]byte, 0, len(f.body)+28), `{"seq":`...)
	text = strconv.AppendInt(text, f.seq, 10)
	return append(append(text, ','), f.body[1:]...)
}

// eventText is a server-sent event. An empty id leaves the client's last one as it is.
func eventText(id, name string, data []byte) []byte {
	text := make([]byte, 0, len(id)+len(name)+len(data)+32)
	if id != "" {
		text = append(append(append(text, "id: "...), id...), '\n')
	}
	text = append(append(append(text, "event: "...), name...), '\n')
	for line := range bytes.SplitSeq(data, []byte("\n")) { // messages are of one line
		text = append(append(append(text, "data: "...), line...), '\n')
	}
	return append(text, '\n')
}
