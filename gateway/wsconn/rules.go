package wsconn

import (
	"encoding/binary"
	"fmt"
	"unicode/utf8"
)

// The codes of closes that this package knows (RFC 6455, section 7.4.1).
const (
	CodeNormal    = 1000
	CodeGoingAway = 1001
	codeProtocol  = 1002
	codeNone      = 1005 // a close has none
	CodeNotText   = 1007
)

// Violation is the error of reading from a client that breaks RFC 6455 or sends text that is not
// UTF-8. The connection must be closed with its code and reason.
type Violation struct {
	Code   int
	Reason string
}

func (v *Violation) Error() string { return v.Reason }

// CloseError is the error of reading from a connection that the client has closed.
type CloseError struct {
	Code   int // 1005 where the client has sent none
	Reason string
}

func (c *CloseError) Error() string {
	return fmt.Sprintf("closed by the client with %d %q", c.Code, c.Reason)
}

// violation returns one of the rules for frames.
func violation(reason string) error { return &Violation{codeProtocol, reason} }

// notText is the violation of text that is not UTF-8.
func notText() error { return &Violation{CodeNotText, "text that is not UTF-8"} }

// checkFrame returns a Violation if a client may not send a frame with this head and so many bytes
// of payload; inParts states that a message has begun in frames before it. The length of the head
// is that of frameHead.
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

// parseClose reads the payload of a close frame. Its only error is a Violation.
func parseClose(payload []byte) (*CloseError, error) {
	switch {
	case len(payload) == 0:
		return &CloseError{Code: codeNone}, nil
	case len(payload) == 1:
		return nil, violation("a close frame has half a code")
	case !validCode(binary.BigEndian.Uint16(payload)):
		return nil, violation("a close frame has a code that is not to be sent")
	case !utf8.Valid(payload[2:]):
		return nil, notText()
	}
	return &CloseError{int(binary.BigEndian.Uint16(payload)), string(payload[2:])}, nil
}

// validCode reports whether a close frame may have a code (RFC 6455, section 7.4, and IANA's
// registry).
func validCode(code uint16) bool {
	switch code {
	case 1004, 1005, 1006, 1015:
		return false
	}
	return code >= 1000 && code <= 1014 || code >= 3000 && code <= 4999
}
