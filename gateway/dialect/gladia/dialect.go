// Package gladia is the dialect of Gladia's live API, version 2: POST /v2/live answers with the
// address of a WebSocket, which takes audio as binary messages or as base64 within JSON, and sends
// the session's events as their canonical text.
package gladia

import (
	"net/http"
	"strconv"
	"strings"

	"steno/gateway/dialect"
	"steno/messages"
)

// path is that of the dialect's operation and of its sockets.
const path = "/v2/live"

// Dialect returns the dialect.
func Dialect() dialect.Dialect {
	return dialect.Dialect{Name: "gladia", Paths: []string{path}, Open: open}
}

// open reads the address of a socket: its token, where the client continues, and which library the
// client is.
func open(r *http.Request) (dialect.Opening, error) {
	offset, err := offsetOf(r)
	if err != nil {
		return dialect.Opening{}, err
	}
	return dialect.Opening{
		Start:   &dialect.Start{Token: strings.Clone(r.URL.Query().Get("token")), Offset: offset},
		Parser:  parser{},
		Encoder: encoder{python: speaksPython(r)},
	}, nil
}

// offsetOf returns where in the session's audio the first byte stands that a client will send, or
// UnknownOffset.
func offsetOf(r *http.Request) (int64, error) {
	text := r.URL.Query().Get("offset")
	if text == "" {
		return dialect.UnknownOffset, nil
	}
	offset, err := strconv.ParseInt(text, 10, 64)
	if err != nil || offset < 0 {
		return 0, messages.Invalid("offset", "must be a number of bytes")
	}
	return offset, nil
}

// parser reads what clients send.
type parser struct{}

// Text implements dialect.Parser.
func (parser) Text(text []byte, to dialect.Input) {
	m, fault := Parse(text)
	m.carryOut(fault, to)
}

// Stream implements dialect.Parser.
func (parser) Stream(limit int, to dialect.Input) dialect.Stream {
	return &long{NewStream(limit, to.Audio), to}
}

// carryOut does what a message asks for.
func (m Message) carryOut(fault error, to dialect.Input) {
	if len(m.Audio) > 0 {
		to.Audio(m.Audio)
	}
	switch {
	case fault != nil:
		to.Reject(fault)
	case m.Kind == KindStop:
		to.Stop()
	case m.Kind == KindKeepAlive:
		to.KeepAlive()
	case m.Kind == KindAudio:
		to.EndAudio()
	}
}

// long is a message that is read as a stream.
type long struct {
	*Stream
	to dialect.Input
}

// End implements dialect.Stream.
func (l *long) End() {
	m, fault := l.Stream.End()
	m.carryOut(fault, l.to)
}

// encoder writes events as their canonical text, with one exception, see clientPython.
type encoder struct{ python bool }

// Event implements dialect.Encoder.
func (e encoder) Event(event *messages.Event, emit func(text []byte)) {
	if e.python && event.Kind == messages.KindPostFinalTranscript {
		emit(messages.WithoutChapters(event.Body))
		return
	}
	emit(event.Body)
}

// End implements dialect.Encoder.
func (encoder) End(e dialect.Ending) (last []byte, code int, reason string) {
	c := closes[e.Why]
	if e.Detail != "" {
		c = c.Because(e.Detail)
	}
	return nil, c.Code, c.Reason
}

// closes are the codes of the ends of a connection.
var closes = map[dialect.Why]messages.Close{
	dialect.Finished:     messages.CloseFinished,
	dialect.Protocol:     messages.CloseProtocol,
	dialect.NotText:      messages.CloseText,
	dialect.Internal:     messages.CloseInternal,
	dialect.Restart:      messages.CloseRestart,
	dialect.Resume:       messages.CloseResume,
	dialect.Away:         messages.CloseAway,
	dialect.Misuse:       messages.CloseMisuse,
	dialect.Format:       messages.CloseFormat,
	dialect.UnknownToken: messages.CloseToken,
	dialect.Revoked:      messages.CloseRevoked,
	dialect.Replaced:     messages.CloseReplaced,
	dialect.Deleted:      messages.CloseDeleted,
	dialect.TooBig:       messages.CloseTooBig,
	dialect.Overload:     messages.CloseOverload,
	dialect.CutOff:       messages.CloseCutOff,
	dialect.Refused:      messages.CloseToken,
	dialect.Exhausted:    messages.CloseLimit,
}
