package streaming

import (
	"net/http"
	"strings"

	"steno/gateway/dialect"
	"steno/messages"
)

// The codes of the service's errors.
const (
	codeServer   = 3005
	codeInput    = 3006
	codeSessions = 3009
	codeKey      = 4001
	codeGone     = 4004
	codeTooFast  = 4029
	codeOther    = 4030
	codeIdle     = 4031
	codeJSON     = 4100
	codeSchema   = 4101
)

// closing is how a connection is closed.
type closing struct {
	code   int
	reason string
}

// closes are the ends of connections but for Misuse and Refused.
var closes = map[dialect.Why]closing{
	dialect.Idle:         {codeIdle, "Session idle for too long"},
	dialect.Protocol:     {1002, "Frames break the rules of WebSockets"},
	dialect.NotText:      {1007, "Text is not UTF-8"},
	dialect.Internal:     {codeServer, "Server error"},
	dialect.Restart:      {codeServer, "Server error: the server is restarting"},
	dialect.Resume:       {codeServer, "Server error: the connection is behind"},
	dialect.Away:         {codeServer, "Server error: storage is out of reach"},
	dialect.CutOff:       {codeServer, "Server error: storage is out of reach"},
	dialect.Format:       {codeInput, "Input validation error: the audio is not what was declared"},
	dialect.TooBig:       {codeInput, "Input validation error: a message is too large"},
	dialect.UnknownToken: {codeKey, "Not Authorized"},
	dialect.Revoked:      {codeKey, "Not Authorized"},
	dialect.Replaced:     {codeOther, "Session is handled by another websocket"},
	dialect.Deleted:      {codeGone, "Session Not Found"},
	dialect.Overload:     {codeTooFast, "Client sent more than there is room for"},
	dialect.Exhausted:    {codeOther, "The quota of the account is used up"},
}

// closeOf returns how a connection ends that has not finished. Reasons of the dialect's own have at
// most 123 bytes.
func closeOf(e dialect.Ending) (code int, reason string) {
	c, known := closes[e.Why]
	switch {
	case known:
	case e.Why == dialect.Refused && e.Status == http.StatusTooManyRequests:
		c = closing{codeSessions, "Too many concurrent sessions"}
	case e.Later():
		c = closing{codeServer, "Server error: try again later"}
	case e.Why == dialect.Refused && (e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden):
		c = closing{codeKey, "Not Authorized"}
	case e.Why == dialect.Misuse && e.Detail == notJSON:
		c = closing{codeJSON, notJSON}
	case e.Why == dialect.Misuse && strings.HasPrefix(e.Detail, wrongSchema):
		c = closing{codeSchema, wrongSchema}
	default:
		c = closing{codeInput, "Input validation error"}
	}
	if e.Detail != "" {
		c.reason = messages.CloseReason(e.Detail)
	}
	return c.code, c.reason
}
