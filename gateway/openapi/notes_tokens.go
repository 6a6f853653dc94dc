package openapi

// tokenNotes are those on tokens and tickets, and on nodes.
var tokenNotes = notes{
	"nodes.items":       `doc:"The gateways, by name"`,
	"nodes.sessions":    `doc:"Live sessions that are not finished"`,
	"nodes.subscribers": `doc:"Streams of events"`,
	"nodes.store":       `doc:"The store that they share"`,
	"node.name":         `doc:"Its name"`,
	"node.until":        `doc:"Until when it counts as running, unless it reports again"`,
	"usage.here":        `doc:"On the gateway that answers"`,
	"usage.elsewhere":   `doc:"On the others, as far as they report it"`,
	"usage.limit":       `doc:"How many there may be"`,

	"TokenCreated.id":         `format:"uuid" doc:"Names the token in lists"`,
	"TokenCreated.token":      `doc:"The token, which is told only now"`,
	"TokenCreated.expires_at": `doc:"When it ends: with its key at the latest"`,
	"TokenCreated.url": `format:"uri" doc:"Of the events that it shows, as server-sent events, and as a ` +
		`WebSocket with ws in place of http"`,
	"Token.id":          `format:"uuid"`,
	"Token.name":        `doc:"What it is for, in its owner's words"`,
	"Token.scopes":      `doc:"What it allows"`,
	"Token.sessions":    `doc:"The live sessions that it is for; none: all of the account"`,
	"Token.created_at":  `doc:"When it was made"`,
	"Token.expires_at":  `doc:"When it ends"`,
	"TokenList.items":   `doc:"The tokens, oldest first"`,
	"Ticket.ticket":     `doc:"Goes into the parameter ticket of a stream of events, once"`,
	"Ticket.expires_at": `doc:"Until when it may be used"`,
}
