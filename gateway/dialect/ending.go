package dialect

import "net/http"

// Why is why the connection of a client ends. A dialect has a code for each.
type Why int

// The ends of a connection.
const (
	Finished     Why = iota + 1 // the session has ended, and the client has everything
	Protocol                    // frames that RFC 6455 does not allow
	NotText                     // text that is not UTF-8
	Internal                    // a fault of the server: the client may come back
	Restart                     // the server ends: the client may come back
	Resume                      // the client is to come back and continue after the last ack
	Away                        // the store is out of reach
	Misuse                      // too many messages that were not understood
	Format                      // the audio is not what was declared
	UnknownToken                // or one that has expired
	Revoked                     // the API key was
	Replaced                    // another connection of the session came
	Deleted                     // the session was
	TooBig                      // a message larger than allowed
	Overload                    // no room for what the client sends
	CutOff                      // this server does not reach the store that others share
	Refused                     // a late start was, see Ending.Status
	Idle                        // nothing came for Terms.Idle
	Exhausted                   // the account may transcribe no more: what was said until then was sent
)

// Ending is how the connection of a client ends.
type Ending struct {
	Why    Why
	Detail string // for the client, instead of the reason that the dialect has; empty: none
	Status int    // of HTTP, of Refused: 401 where the credential is missing or unknown
}

// Code returns the code with which a WebSocket is closed, of those that RFC 6455 and its registry
// have. Dialects whose service states codes of its own have their own tables.
func (e Ending) Code() int {
	switch e.Why {
	case Finished:
		return 1000
	case Protocol:
		return 1002
	case NotText:
		return 1007
	case TooBig:
		return 1009
	case Internal:
		return 1011
	case Restart, Resume:
		return 1012
	case Away, CutOff, Overload:
		return 1013
	}
	if e.Later() {
		return 1013
	}
	return 1008
}

// Later reports whether the client was refused for what may be otherwise later: a limit, or a
// server that is full or ends.
func (e Ending) Later() bool { return e.Why == Refused && e.Status >= http.StatusTooManyRequests }
