package wyoming

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"steno/gateway/dialect"
	"steno/messages"
)

// conversation is a connection of a client. Its events are read, and answered, by one goroutine; of
// a session under way another one hands the events on.
type conversation struct {
	port     *dialect.Port
	in       *bufio.Reader
	settings settings // of the next utterance
	link     dialect.Link
	end      func()        // of the link's context
	sent     chan struct{} // closed when all events of the link's session are handed on
	piece    [pieceSize]byte

	mu sync.Mutex // held while an event is written
}

// converse serves a connection until its client leaves, what it sends cannot be understood, or the
// context ends.
func converse(ctx context.Context, p *dialect.Port) {
	c := &conversation{port: p, in: bufio.NewReaderSize(p.Conn, maxLine)}
	defer context.AfterFunc(ctx, func() { _ = p.Conn.Close() })()
	defer c.drop()
	for {
		err := c.next(ctx)
		if err == nil {
			continue
		}
		if fault, ok := errors.AsType[*refusal](err); ok {
			_ = c.write(line("error", fault))
		}
		return
	}
}

// refusal is the data of an error event, after which the connection is closed.
type refusal struct {
	Text string `json:"text"`
	Code string `json:"code,omitempty"`
}

func (r *refusal) Error() string { return r.Text }

// badEvent is the code of what cannot be understood.
const badEvent = "bad-event"

// next reads an event and does what it asks for. After an error nothing more is read.
func (c *conversation) next(ctx context.Context) error {
	_ = c.port.Conn.SetReadDeadline(time.Now().Add(c.port.Idle))
	e, err := readEvent(c.in)
	if err == nil && e.kind != "audio-chunk" {
		_, err = io.CopyN(io.Discard, c.in, int64(e.payload))
	}
	if err == nil {
		err = c.carryOut(ctx, e)
	}
	if errors.Is(err, errLine) || errors.Is(err, errSizes) || errors.Is(err, errData) {
		return &refusal{err.Error(), badEvent}
	}
	return err
}

// carryOut does what an event asks for.
func (c *conversation) carryOut(ctx context.Context, e event) error {
	switch e.kind {
	case "describe":
		return c.write(line("info", describe(c.port.Models(ctx))))
	case "ping":
		var ping struct {
			Text *string `json:"text"`
		}
		if err := e.read(&ping); err != nil {
			return err
		}
		return c.write(line("pong", ping))
	case "transcribe":
		c.settings = settings{}
		return e.read(&c.settings)
	case "audio-start":
		c.drop()
		return c.open(ctx, e)
	case "audio-chunk":
		return c.audio(ctx, e)
	case "audio-stop":
		return c.finish(ctx)
	}
	return nil // other services' events
}

// open opens a session for audio of the format that an event has.
func (c *conversation) open(ctx context.Context, e event) error {
	s := c.settings
	if err := e.read(&s.Format); err != nil {
		return err
	}
	link, err := c.port.Dial(ctx, url.Values{parameter: {string(dialect.JSON(s))}})
	if err != nil {
		return refusalOf(err)
	}
	var linked context.Context
	linked, c.end = context.WithCancel(ctx)
	c.link, c.sent = link, make(chan struct{})
	go c.hand(linked, link, c.sent)
	return nil
}

// refusalOf is what a client gets to know of an error of Dial.
func refusalOf(err error) error {
	p, ok := errors.AsType[*messages.Problem](err)
	if !ok {
		return &refusal{"internal error", strconv.Itoa(http.StatusInternalServerError)}
	}
	return &refusal{p.Text(), strconv.Itoa(p.Status)}
}

// audio hands the payload of an event to the session, which is opened where the client has not said
// that audio begins.
func (c *conversation) audio(ctx context.Context, e event) error {
	if c.link == nil {
		if err := c.open(ctx, e); err != nil {
			return err
		}
	}
	for left := e.payload; left > 0; {
		n, err := io.ReadFull(c.in, c.piece[:min(left, pieceSize)])
		if err != nil {
			return err
		}
		if err := c.link.Audio(ctx, c.piece[:n]); err != nil {
			<-c.sent // it has reported why
			return io.ErrClosedPipe
		}
		left -= n
	}
	return nil
}

// finish ends the audio of the session, and returns when the client has all of its events.
func (c *conversation) finish(ctx context.Context) error {
	if c.link == nil {
		return c.write(line("transcript", spoken{})) // of no audio
	}
	_ = c.link.Text(ctx, []byte("stop")) // if it has ended already, that is reported
	<-c.sent
	c.drop()
	return ctx.Err()
}

// drop leaves the session under way, if there is one: what was said of it is kept.
func (c *conversation) drop() {
	if c.link == nil {
		return
	}
	c.end()
	c.link.Close()
	<-c.sent
	c.link = nil
}

// hand hands the events of a session to the client until it ends. An end before all of it was
// recognized is an error event, and closes the connection: clients would wait for ever.
func (c *conversation) hand(ctx context.Context, link dialect.Link, sent chan struct{}) {
	defer close(sent)
	for {
		text, err := link.Read(ctx)
		if err == nil {
			if err = c.write(text); err == nil {
				continue
			}
		}
		closed, ended := errors.AsType[*dialect.Closed](err)
		if ctx.Err() != nil || ended && closed.Code == closeDone {
			return
		}
		if ended {
			_ = c.write(line("error", refusal{Text: closed.Reason, Code: strconv.Itoa(closed.Code)}))
		}
		_ = c.port.Conn.Close()
		return
	}
}

// write writes an event. A client that does not read it is left.
func (c *conversation) write(text []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = c.port.Conn.SetWriteDeadline(time.Now().Add(c.port.Idle))
	_, err := c.port.Conn.Write(text)
	if err != nil && !errors.Is(err, net.ErrClosed) {
		_ = c.port.Conn.Close()
	}
	return err
}
