package subscribers

import (
	"encoding/json"
	"fmt"
	"time"

	"steno/messages"
)

// The types of the messages that are about a subscription, not about a session.
const (
	typeLag    = "subscription_lag"
	typeResync = "subscription_resync"
	typeEnd    = "subscription_end"
)

// notice is a message about a subscription.
type notice struct {
	SessionID *string            `json:"session_id"` // null for a subscription of several sessions
	CreatedAt messages.Timestamp `json:"created_at"`
	Type      string             `json:"type"`
	Data      any                `json:"data"`
}

// Lag is the data of subscription_lag: the reader was too slow.
type Lag struct {
	// number of the logged event that the subscription continues with; none before it was missed
	From   int64 `json:"from"`
	Missed int64 `json:"missed"` // events that are not logged and that were not sent
}

// Resync is the data of subscription_resync: the log is not what it was, or not kept as far back as
// was asked for.
type Resync struct {
	From int64 `json:"from"` // number of the event that the subscription continues with
}

// End is the data of subscription_end, the last message of a subscription that is not to be opened
// again as it was.
type End struct {
	Reason string `json:"reason"`
}

// newNotice returns a notice about the subscription of a session, or of several where the id is
// empty.
func newNotice(session, kind string, data any) ([]byte, error) {
	n := notice{CreatedAt: messages.Stamp(time.Now()), Type: kind, Data: data}
	if session != "" {
		n.SessionID = &session
	}
	text, err := json.Marshal(n)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", kind, err)
	}
	return text, nil
}

// ending is why and how a subscription ends.
type ending struct {
	reason string // for clients of SSE; empty: the connection just ends, and clients open another
	close  messages.Close
}

// The ends of subscriptions.
var (
	endFinished = ending{"session_ended", messages.CloseFinished}
	endDeleted  = ending{"session_deleted", messages.CloseDeleted}
	endExpired  = ending{"token_expired", messages.CloseToken}
	endRevoked  = ending{"token_revoked", messages.CloseRevoked}
	endRestart  = ending{"", messages.CloseRestart}
	endInternal = ending{"", messages.CloseInternal}
)
