package messages

import "strings"

// Close is how the server closes a socket. Clients reconnect on 1002-4399 and from 4500 on, and do
// not on 1000, 1001 and 4400-4499; 1001 and 1009 are never sent.
type Close struct {
	Code   int
	Reason string // at most 123 bytes, the room of a close frame
	// Reconnect reports whether clients reconnect and continue after the code, or stop.
	Reconnect bool
}

// The closes a client can see.
var (
	CloseFinished = Close{1000, "session finished", false}
	CloseProtocol = Close{1002, "frames that RFC 6455 does not allow", true}
	CloseText     = Close{1007, "text that is not UTF-8", true}
	CloseInternal = Close{1011, "internal error, reconnect", true}
	CloseRestart  = Close{1012, "restarting, reconnect", true}
	CloseResume   = Close{1012, "reconnect and go on after the last ack", true}
	CloseAway     = Close{1013, "the store is out of reach, try again later", true}
	CloseMisuse   = Close{4400, "too many messages that are not understood", false}
	CloseFormat   = Close{4400, "the audio is not what the request declares", false}
	CloseToken    = Close{4401, "token unknown or no longer valid", false}
	CloseRevoked  = Close{4401, "API key revoked", false}
	CloseReplaced = Close{4409, "replaced by a newer connection of the same session", false}
	CloseDeleted  = Close{4410, "session deleted", false}
	CloseTooBig   = Close{4413, "frame larger than allowed", false}
	CloseLimit    = Close{4429, "quota of the account used up", false}
	CloseOverload = Close{4503, "overloaded, reconnect later", true}
	CloseCutOff   = Close{4503, "this server is cut off from the others, reconnect", true}
)

// Because is the close with a reason of its own, which is cut to the room of a close frame.
func (c Close) Because(reason string) Close {
	c.Reason = CloseReason(reason)
	return c
}

// CloseReason is a text cut to the room of a close frame, 123 bytes (RFC 6455, section 5.5).
func CloseReason(text string) string {
	const room = 123
	return strings.ToValidUTF8(text[:min(len(text), room)], "")
}

// Closes lists the whole table, ascending by code. Closes that share one ask the same of a client.
func Closes() []Close {
	return []Close{
		CloseFinished, CloseProtocol, CloseText, CloseInternal, CloseRestart, CloseResume, CloseAway, CloseMisuse,
		CloseFormat, CloseToken,
		CloseRevoked, CloseReplaced, CloseDeleted, CloseTooBig, CloseLimit, CloseOverload, CloseCutOff,
	}
}
