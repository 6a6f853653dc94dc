package web

import (
	"encoding/binary"
	"io"
	"unicode/utf8"

	"github.com/coder/websocket"

	"steno/messages"
)

// Violation is the error of reading from a WebSocket whose client breaks RFC 6455 or sends text that is not UTF-8. The
// socket must be closed with Close.
type Violation struct{ Close messages.Close }

func (v *Violation) Error() string { return v.Close.Reason }

// violation returns one of the rules for frames.
func violation(reason string) error {
	return &Violation{messages.CloseProtocol.Because(reason)}
}

// checkFrame returns a Violation if a client may not send a frame with this head and so many bytes of payload; inParts
// states that a message has begun in frames before it. The length of the head is that of frameHead.
func checkFrame(head []byte, payload int64, inParts bool) error {
	final, opcode := head[0]&finalFrame != 0, head[0]&opcodes
	isControl := opcode&control != 0
	switch {
	case head[0]&reserved != 0:
		return violation("reserved bits are set in a frame")
	case opcode > opcodeBinary && opcode < opcodeClose, opcode > opcodePong:
		return violation("a frame has an unknown opcode")
	case head[1]&maskedFrame == 0:
		return violation("a frame has no mask")
	case payload > maxPayload:
		return violation("the length of a frame has more than 63 bits")
	case isControl && payload > maxControl:
		return violation("a control frame is longer than 125 bytes")
	case isControl && !final:
		return violation("a control frame is fragmented")
	case !isControl && (opcode == opcodeMore) != inParts:
		return violation("a frame continues no message, or begins one within another")
	}
	return nil
}

// checkClose returns a Violation if a client may not send a close frame with this payload.
func checkClose(payload []byte) error {
	switch {
	case len(payload) == 1:
		return violation("a close frame has half a code")
	case len(payload) > 1 && !validCode(binary.BigEndian.Uint16(payload)):
		return violation("a close frame has a code that is not to be sent")
	case len(payload) > 1 && !utf8.Valid(payload[2:]):
		return &Violation{messages.CloseText}
	}
	return nil
}

// validCode reports whether a close frame may have a code (RFC 6455, section 7.4, and IANA's registry).
func validCode(code uint16) bool {
	switch code {
	case 1004, 1005, 1006, 1015:
		return false
	}
	return code >= 1000 && code <= 1014 || code >= 3000 && code <= 4999
}

// Text reads a message of text. Its Read returns a Violation as soon as the text cannot be UTF-8.
type Text struct {
	from  io.Reader
	check utf8Check
}

// Checked returns a reader of a message: a Text where that is text. The Text is the caller's t.
func (t *Text) Checked(kind websocket.MessageType, message io.Reader) io.Reader {
	if kind != websocket.MessageText {
		return message
	}
	*t = Text{from: message}
	return t
}

// Read implements io.Reader.
func (t *Text) Read(p []byte) (int, error) {
	n, err := t.from.Read(p)
	if !t.check.add(p[:n]) || err == io.EOF && !t.check.whole() {
		return n, &Violation{messages.CloseText}
	}
	return n, err
}
