package live

import (
	"context"
	"errors"
	"time"

	"steno/gateway/dialect"
	"steno/gateway/wsconn"
)

// Limits on the time and bytes until a client has named its session.
const (
	startWithin = 10 * time.Second
	startBytes  = 64 << 10
)

// listen reads from a client which session it asks for, unless its request has named it. It returns
// false for a client that has left, or that did not name it and was closed.
func (s *door) listen(o *opening) bool {
	if o.known && o.begins.Greet == nil {
		return true
	}
	late := time.AfterFunc(s.patience(o), o.Conn.Cut)
	defer late.Stop()
	defer context.AfterFunc(s.life, o.Conn.Cut)()
	if !o.greet() {
		return false
	}
	if o.known {
		return true
	}
	err := s.hearStart(o)
	if err == nil {
		return o.made == nil || o.greet()
	}
	if fault, ok := errors.AsType[*misspoken](err); ok {
		s.clients.Close(o.Conn, o.Encoder, fault.ending, refusedCloseTimeout)
	}
	return false
}

// patience returns how long a client may take to name its session: as long as it may be idle if its
// credential is known.
func (s *door) patience(o *opening) time.Duration {
	if o.begins.Credential != "" {
		return max(startWithin, s.cfg.Limits.Idle)
	}
	return startWithin
}

// greet writes the dialect's greeting, and reports whether that succeeded.
func (o *opening) greet() bool {
	if o.begins.Greet == nil {
		return true
	}
	for _, text := range o.begins.Greet(o.made) {
		if o.Conn.WriteText(text) != nil {
			return false
		}
	}
	return true
}

// hearStart reads messages until one states where the client starts, and makes the session that it
// asks for. Errors: misspoken, or that of the connection.
func (s *door) hearStart(o *opening) error {
	start, first, err := hear(o.Conn, o.begins.Listen)
	if err != nil {
		return err
	}
	if start.Again {
		o.First = &first
	}
	if start.Request != nil {
		return s.makeLate(o, start)
	}
	o.start(start)
	return nil
}

// misspoken reports a client that does not name its session.
type misspoken struct{ ending dialect.Ending }

func (m *misspoken) Error() string { return m.ending.Detail }

// hear reads messages until one states where the client starts, and returns both. Errors:
// misspoken, or that of the connection.
func hear(conn *wsconn.Conn, listen func(dialect.Message) (*dialect.Start, error)) (*dialect.Start, dialect.Message,
	error) {
	buf := make([]byte, startBytes)
	for total := 0; ; {
		m, err := hearOne(conn, buf[total:])
		if err != nil {
			return nil, m, err
		}
		total += len(m.Data)
		start, err := listen(m)
		if err != nil {
			return nil, m, &misspoken{dialect.Ending{Why: dialect.Misuse, Detail: err.Error()}}
		}
		if m.Long && (start == nil || !start.Again) {
			return nil, m, &misspoken{dialect.Ending{Why: dialect.TooBig}}
		}
		if start != nil {
			return start, m, nil
		}
	}
}

// hearOne reads a message, or as much of it as fits into the buffer.
func hearOne(conn *wsconn.Conn, buf []byte) (m dialect.Message, err error) {
	kind, err := conn.Next()
	if err != nil {
		return m, err
	}
	for n := 0; ; {
		if n == len(buf) {
			return dialect.Message{Binary: kind == wsconn.Binary, Data: buf, Long: true}, nil
		}
		got, last, err := conn.Read(buf[n:])
		if n += got; err != nil {
			return m, err
		}
		if last {
			return dialect.Message{Binary: kind == wsconn.Binary, Data: buf[:n]}, nil
		}
	}
}
