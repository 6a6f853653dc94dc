// Package dialect is what the gateway asks of a way in which clients speak to it live: how a client
// begins, what its messages ask for, and how events are written for it. Sessions, their logs and
// those who follow them know no dialect; only a connected client does.
//
// A dialect is a package below this one, and a line in package registry. It knows neither stores
// nor the registry of sessions.
package dialect

import (
	"net/http"
	"time"

	"steno/messages"
)

// Dialect is a way in which clients speak.
type Dialect struct {
	Name string
	Path string // where its clients connect, by a WebSocket
	// Open reads a client's request. An error refuses it, before the WebSocket is accepted.
	Open func(r *http.Request) (Opening, error)
}

// Opening is how a client begins. Its parser and its encoder are the client's own, and may have a
// state; they share none.
type Opening struct {
	Start    *Start   // what the request states; nil: the client does so in its first messages
	Greeting [][]byte // messages of text that are written first
	// Listen reads a message of text that comes before the start, of which it keeps nothing. It
	// returns nil, nil where more must come. An error closes the connection with its text as the
	// detail. Where the request states the start it is not called.
	Listen  func(text []byte) (*Start, error)
	Parser  Parser
	Encoder Encoder
}

// Start names the session that a client asks for.
type Start struct {
	Token  string
	Offset int64 // in bytes, of the session's audio, where the client continues, or UnknownOffset
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
	// Stop ends the recording.
	Stop()
	// Reject answers a message that was not understood. The client receives the text of the fault.
	Reject(fault error)
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
	// them. They are valid until the next call. The event's body is its canonical text; its message
	// may be nil.
	Event(e *messages.Event, emit func(text []byte))
	// End returns how the connection is closed: the last message of text, nil for none, the code,
	// and the reason, of at most 123 bytes.
	End(e Ending) (last []byte, code int, reason string)
}
