// Package dialect is what the gateway asks of a way in which clients speak to it live: how a client
// begins, what its messages ask for, and how events are written for it. Sessions, their logs and
// those who follow them know no dialect; only a connected client does.
//
// A dialect is a package below this one, and a line in package registry. It knows neither stores
// nor the registry of sessions.
package dialect

import (
	"context"
	"net/http"
	"time"

	"steno/messages"
)

// Dialect is a way in which clients speak.
type Dialect struct {
	Name  string
	Paths []string // where its clients connect, by a WebSocket; none: they do not
	// Open reads a client's request. An error refuses it, before the WebSocket is accepted.
	Open func(r *http.Request) (Opening, error)
	// Refuse answers a request that is refused before its WebSocket is accepted, with the problem's
	// status and the body that its clients know. Retry-After is set. nil: as the API of the server
	// itself.
	Refuse func(w http.ResponseWriter, r *http.Request, p *messages.Problem)
	// Converse serves a connection to a port of the dialect's own, until it ends or the context
	// does; nil: its clients connect by WebSockets alone.
	Converse func(ctx context.Context, p *Port)

	HTTP    func(Services) HTTP // its operations over HTTP; nil: none
	Ignored []Ignored           // what clients may ask for, without effect
}

// Opening is how a client begins. Its parser and its encoder are the client's own, and may have a
// state. Greet and Listen are called before either of them is; after that these share none.
type Opening struct {
	// Credential is the API key or token of the request. It is examined before the WebSocket is
	// accepted: 401 where it is empty or unknown, unless Late is set or Start has a token.
	Credential string
	// Late: a credential may come with the start instead of the request.
	Late bool
	// Start is what the request states; nil: the client does so in its first messages. A session
	// that it makes is made before the WebSocket is accepted, so that refusals are answers of HTTP.
	Start *Start
	// Listen reads a message that comes before the start, of which it keeps nothing. It returns
	// nil, nil where more must come. An error closes the connection as Misuse, with its text as the
	// detail. Where the request states the start it is not called. All messages up to the start
	// have 64 KiB, and 10 s or, where the credential is known, as long as a client may be idle.
	Listen func(m Message) (*Start, error)
	// Greet returns messages of text that are written when the WebSocket has been accepted. made is
	// the session that was made for the client, nil where none is yet: then it is called again once
	// it is. nil: nothing is.
	Greet func(made *Created) [][]byte

	Subprotocol string      // that the answer confirms, of those offered; empty: none
	Header      http.Header // of the answer that accepts the WebSocket
	Terms       Terms
	Parser      Parser
	Encoder     Encoder
}

// Terms is what a dialect's clients get and may do. The zero value is that of the server's own API.
type Terms struct {
	// Wants are the kinds of events that the encoder is given, among them the internal ones (see
	// [messages.Kind.Internal]); 0: those that the session's request asks for. Where it is not 0
	// events carry their Message, but those that were logged before the client came. Partials are
	// made where the request has messages_config.receive_partial_transcripts.
	Wants messages.Filter
	// Once: clients do not resume. A connection that the client has closed stops the recording,
	// whatever the code, and one that is lost does so after Grace.
	Once  bool
	Grace time.Duration // at most the server's resume window; 0: that
	// Idle is how long the client of a session may send nothing until its connection ends as Idle,
	// at most the server's own limit; 0: that, after which the recording is stopped.
	Idle time.Duration
}

// Message is a message of a client.
type Message struct {
	Binary bool
	Data   []byte
	// Long: it has more than fits, and Data is its beginning. It can only be a start, Again.
	Long bool
}

// Start names the session that a client asks for: by a token, or by a request for a new one.
type Start struct {
	Token  string
	Offset int64 // in bytes, of the session's audio, where the client continues, or UnknownOffset

	// Request is that of a new session, where Token is empty. Credential is that of the client,
	// where the Opening has none or another one.
	Request    *messages.LiveRequest
	Credential string
	Updates    []messages.Update // that hold from the first byte of a new session on
	Again      bool              // the message that states the start is for the parser, too
}

// Created is a session that was made for a client.
type Created struct {
	ID       string
	At       time.Time
	Token    string // of its clients
	Warnings messages.Warnings
}

// UnknownOffset is the offset of a client that does not state where it continues.
const UnknownOffset = -1

// Input is what a client may ask for. It belongs to the goroutine that reads.
type Input interface {
	// Audio hands audio of the message under way on, and keeps nothing of it.
	Audio(p []byte)
	// EndAudio notes that a message of audio has ended, all of which was given on: it is
	// acknowledged.
	EndAudio()
	// KeepAlive asks for a sign of life.
	KeepAlive()
	// Mark ends or discards what is being said, at the end of the audio given on so far. It is
	// always answered by an event of KindMarked.
	Mark(m messages.Mark)
	// Update changes settings from the end of the audio given on so far on.
	Update(u messages.Update)
	// Answer queues an event of KindAnswer, with the text as its Body, for the encoder. The text
	// must not be changed any more. A client that does not read its answers is cut off.
	Answer(text []byte)
	// Stop ends the recording. When all is sent the connection ends as Finished.
	Stop()
	// Reject answers a message that was not understood, by an event of KindFailedAck with the text
	// of the fault. Too many of them end the connection as Misuse.
	Reject(fault error)
	// End closes the connection, once what is queued is written.
	End(e Ending)
}

// Parser reads what a client sends as text; binary messages are audio. It belongs to the goroutine
// that reads.
type Parser interface {
	// Text reads a message, which it may overwrite and does not keep.
	Text(text []byte, to Input)
	// Stream begins a message that is too long to be held. Of what is not audio it holds at most
	// limit bytes.
	Stream(limit int, to Input) Stream
}

// Leaver is a Parser that holds audio back.
type Leaver interface {
	Parser
	// Leave hands on what is held of the audio of a client that has left, after its last message.
	Leave(to Input)
}

// Hearer is a Parser that also hears the audio that comes as binary messages, which others are not
// shown: it is handed on without them.
type Hearer interface {
	Parser
	// Hear is called with the audio, in pieces of any length, before it is handed on. It neither
	// changes nor keeps anything of it.
	Hear(p []byte)
}

// BinaryParser is a Parser that reads binary messages, too: those of a client that is answered for
// each of them, or whose audio comes with something else. They are not gathered.
type BinaryParser interface {
	Parser
	// Binary reads a piece of a message, which it may overwrite and does not keep. last: the
	// message ends with it.
	Binary(p []byte, last bool, to Input)
}

// Stream reads a long message of text in pieces.
type Stream interface {
	// Write reads a piece. An error means that the message is larger than allowed.
	Write(p []byte) error
	// Streamed reports whether audio was given on, so that the message needs no room.
	Streamed() bool
	// End is called when the message has ended.
	End()
}

// Encoder writes for a client. It belongs to the goroutine that writes, after older partials were
// replaced by newer ones.
type Encoder interface {
	// Event calls emit for each message of text that an event is for the client, any number of
	// them. All are valid until the next call of Event. The event's body is its canonical text,
	// but for internal kinds; its message may be nil, see Terms.
	Event(e *messages.Event, emit func(text []byte))
	// End returns how the connection is closed: the last message of text, nil for none, the code,
	// and the reason, of at most 123 bytes.
	End(e Ending) (last []byte, code int, reason string)
}
