package dialect

import (
	"context"
	"net"
	"net/url"
	"time"

	"steno/messages"
)

// Port is what a dialect whose clients do not speak HTTP may ask the gateway for, on behalf of a
// connection to its configured port.
type Port struct {
	Conn net.Conn      // of the client; it is closed when Converse returns
	Idle time.Duration // how long a client may send nothing, or read nothing
	// Dial connects to the dialect's own Open, as a WebSocket would: with a query, in the name of
	// the port's configured key. What is written to the link is for the parser,
	// what is read from it comes from the encoder. An error that is a *messages.Problem is a
	// refusal. The caller must close the link.
	Dial func(ctx context.Context, query url.Values) (Link, error)
	// Models lists the models as they are, the default first.
	Models func(ctx context.Context) []messages.Model
}

// Link is a connection to a session within the process. Read may be called by one goroutine and the
// other methods by another.
type Link interface {
	Audio(ctx context.Context, p []byte) error
	Text(ctx context.Context, p []byte) error
	// Read returns the next text of the encoder. At the end of the session the error is a *Closed,
	// or that of the context.
	Read(ctx context.Context) ([]byte, error)
	Close()
}

// Closed is the end of a link: what the encoder's End returned.
type Closed struct {
	Code   int
	Reason string
}

func (c *Closed) Error() string { return c.Reason }
