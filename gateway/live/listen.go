package live

import (
	"context"
	"errors"
	"time"

	"steno/gateway/dialect"
	"steno/gateway/wsconn"
)

// How long a client may take, and how many bytes it may send, until it has said which session it
// asks for.
const (
	startWithin = 10 * time.Second
	startBytes  = 64 << 10
)

// listen has a client name which session it asks for, where its request did not. It reports false
// for one that has left or does not name it, whose connection it has closed.
func (s *door) listen(o *opening) bool {
	if o.begins.Start != nil && len(o.begins.Greeting) == 0 {
		return true
	}
	late := time.AfterFunc(startWithin, o.Conn.Cut)
	defer late.Stop()
	defer context.AfterFunc(s.life, o.Conn.Cut)()
	for _, text := range o.begins.Greeting {
		if o.Conn.WriteText(text) != nil {
			return false
		}
	}
	if o.begins.Start != nil {
		return true
	}
	start, err := hear(o.Conn, o.begins.Listen)
	if err == nil {
		o.start(start)
		return true
	}
	if fault, ok := errors.AsType[*misspoken](err); ok {
		s.clients.Close(o.Conn, o.Encoder, fault.ending, refusedCloseTimeout)
	}
	return false
}

// misspoken reports a client that does not name the session it asks for.
type misspoken struct{ ending dialect.Ending }

func (m *misspoken) Error() string { return m.ending.Detail }

// hear reads messages until one states where the client starts. Errors: misspoken, or that of the
// connection.
func hear(conn *wsconn.Conn, listen func(text []byte) (*dialect.Start, error)) (*dialect.Start, error) {
	buf := make([]byte, startBytes)
	for total := 0; ; {
		kind, err := conn.Next()
		if err != nil {
			return nil, err
		}
		n, last, err := conn.Read(buf[total:])
		switch total += n; {
		case err != nil:
			return nil, err
		case !last:
			return nil, &misspoken{dialect.Ending{Why: dialect.TooBig}}
		case kind != wsconn.Text:
			return nil, &misspoken{dialect.Ending{Why: dialect.Misuse, Detail: "audio before a start"}}
		}
		start, err := listen(buf[total-n : total])
		if err != nil {
			return nil, &misspoken{dialect.Ending{Why: dialect.Misuse, Detail: err.Error()}}
		}
		if start != nil {
			return start, nil
		}
	}
}
