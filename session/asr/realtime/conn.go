package realtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"steno/session/asr"
	"steno/session/asr/remote"
)

const (
	// maxMessage bounds a server's message: the text of a minute takes some KB.
	maxMessage = 1 << 20
	// maxEvents is how many events wait for an utterance's goroutine. Beyond it reading waits.
	maxEvents = 32
	// closing is how long a server may take to answer that a connection is closed.
	closing = time.Second
)

// conn is a connection to a server. Its reader owns ws's reading half; all else is used by the one
// goroutine that has it.
type conn struct {
	ws      *websocket.Conn
	variant *variant
	born    time.Time
	set     settings
	ready   bool // it was configured
	reused  bool // an utterance was answered on it before

	cancel context.CancelFunc // ends the reader
	events chan event         // closed when the reader has ended
	busy   atomic.Bool        // events are received; else they are dropped
	idle   *time.Timer        // closes it while it is in the pool
}

// connection returns a connection with the settings, a new one unless one of the pool may do. The
// caller closes it or puts it into the pool.
func (r *Recognizer) connection(ctx context.Context, s settings, fresh bool) (*conn, error) {
	ctx, cancel := context.WithTimeout(ctx, r.config.Connect)
	defer cancel()
	c := r.pool.take(s, fresh)
	if c == nil {
		var err error
		if c, err = r.dial(ctx); err != nil {
			return nil, err
		}
	}
	if err := r.configure(ctx, c, s); err != nil {
		c.cut()
		if c.reused && ctx.Err() == nil {
			return r.connection(ctx, s, true) // the server has closed it meanwhile
		}
		return nil, s.blame(err)
	}
	return c, nil
}

// blame returns the failure to configure a connection as the server's, unless something of the
// utterance's own is among the settings.
func (s settings) blame(err error) error {
	f, ok := errors.AsType[*remote.Failure](err)
	if !ok || s.prompt != "" || s.keywords != "" {
		return err
	}
	servers := *f
	servers.Own = false
	return &servers
}

// address returns the URL of the WebSocket. Servers that do not know a parameter ignore it.
func (r *Recognizer) address() string {
	query := url.Values{"intent": {"transcription"}, "model": {r.config.Model}}
	return strings.TrimSuffix(r.config.URL, "/") + "/realtime?" + query.Encode()
}

// dial opens a connection and waits for the server's greeting.
func (r *Recognizer) dial(ctx context.Context) (*conn, error) {
	header := http.Header{}
	if r.config.Key != "" {
		header.Set("Authorization", "Bearer "+r.config.Key)
	}
	ws, response, err := websocket.Dial(ctx, r.address(), &websocket.DialOptions{
		HTTPClient: &r.client.Client, HTTPHeader: header, CompressionMode: websocket.CompressionDisabled,
	})
	if err != nil {
		return nil, unanswered(response, err)
	}
	ws.SetReadLimit(maxMessage)
	reading, cancel := context.WithCancel(r.server.Lifetime())
	c := &conn{ws: ws, born: time.Now(), cancel: cancel, events: make(chan event, maxEvents)}
	c.busy.Store(true)
	if !r.server.Begin(func() { r.read(reading, c) }) {
		cancel()
		_ = ws.CloseNow()
		return nil, remote.ErrClosed
	}
	greeting, err := c.await(ctx, created)
	if err != nil {
		c.cut()
		return nil, settings{}.blame(err)
	}
	c.variant = r.find(greeting)
	return c, nil
}

// unanswered is the failure of a handshake.
func unanswered(response *http.Response, err error) error {
	if response == nil || response.StatusCode == http.StatusSwitchingProtocols {
		late := errors.Is(err, context.DeadlineExceeded)
		if dial, ok := errors.AsType[*net.OpError](err); ok {
			err = dial
		} else if late {
			err = context.DeadlineExceeded
		} else {
			err = remote.Plain(err)
		}
		return &remote.Failure{Text: "connect to server", Cause: err, Again: !late}
	}
	status := response.StatusCode
	f := &remote.Failure{Text: strings.TrimSpace(fmt.Sprintf("connect to server: HTTP %d %s", status,
		http.StatusText(status)))}
	switch {
	case status >= 500, status == http.StatusTooManyRequests, status == http.StatusRequestTimeout,
		status == http.StatusTooEarly:
		f.Again, f.Asked = true, remote.RetryAfter(response.Header.Get("Retry-After"))
	}
	return f
}

// read receives events until the connection ends, which it then closes.
func (r *Recognizer) read(ctx context.Context, c *conn) {
	defer c.cut()
	defer r.pool.drop(c)
	defer close(c.events) // before drop: put sees one of the two
	for {
		_, b, err := c.ws.Read(ctx)
		if err != nil {
			return
		}
		e, ok := parse(b)
		if !ok || e.kind == other || !c.busy.Load() {
			continue
		}
		select {
		case c.events <- e:
		case <-ctx.Done():
			return
		}
	}
}

// await receives events until one of the kind. Errors: a failure, or the cause of ctx.
func (c *conn) await(ctx context.Context, want kind) (event, error) {
	for {
		select {
		case e, ok := <-c.events:
			switch {
			case !ok:
				return event{}, errLost
			case e.kind == want:
				return e, nil
			case e.kind == errored && !c.mild():
				return event{}, refusal(e)
			}
		case <-ctx.Done():
			return event{}, expired(ctx, "the server does not answer")
		}
	}
}

// mild reports whether errors beside a confirmation are not to be heeded.
func (c *conn) mild() bool { return c.variant != nil && c.variant.mild }

var errLost = &remote.Failure{Text: "the connection was lost", Again: true, Own: true}

// expired returns the failure of what took until a time of this package was over, or the cause by
// which the context ended before.
func expired(ctx context.Context, text string) error {
	cause := context.Cause(ctx)
	if errors.Is(cause, context.DeadlineExceeded) || errors.Is(cause, remote.ErrBudget) {
		return &remote.Failure{Text: text, Own: true}
	}
	return cause
}

// hopeless are errors that another attempt meets as well.
var hopeless = map[string]bool{
	"insufficient_quota": true, "invalid_api_key": true, "model_not_found": true, "model_not_validated": true,
	"authentication_error": true, "permission_error": true,
}

// refusal is the failure that an event reports. A language that the server does not have is
// ErrLanguage.
func refusal(e event) error {
	if strings.HasSuffix(e.param, "language") {
		return asr.ErrLanguage
	}
	text := "the server reports an error"
	if e.code != "" {
		text += ": " + e.code
	}
	return &remote.Failure{Text: text, Again: !hopeless[e.code], Own: !hopeless[e.code]}
}

// configure sets the settings of the connection, unless it has them.
func (r *Recognizer) configure(ctx context.Context, c *conn, s settings) error {
	if c.ready && c.set == s {
		return nil
	}
	if err := c.send(ctx, c.variant.update(r.config.Model, s)); err != nil {
		return err
	}
	if c.variant.confirms {
		if _, err := c.await(ctx, updated); err != nil {
			return err
		}
	}
	c.set, c.ready = s, true
	return nil
}

// send sends an object.
func (c *conn) send(ctx context.Context, o object) error {
	b, err := json.Marshal(o)
	if err != nil {
		return fmt.Errorf("encode message: %w", err)
	}
	return c.write(ctx, b)
}

func (c *conn) write(ctx context.Context, b []byte) error {
	if c.ws.Write(ctx, websocket.MessageText, b) == nil {
		return nil
	}
	if ctx.Err() != nil {
		return expired(ctx, "the server takes nothing")
	}
	return errLost
}

// drain drops the events that wait. It returns false if the connection has ended.
func (c *conn) drain() bool {
	for {
		select {
		case _, ok := <-c.events:
			if !ok {
				return false
			}
		default:
			return true
		}
	}
}

// cut breaks the connection off.
func (c *conn) cut() {
	c.cancel()
	_ = c.ws.CloseNow()
}

// leave closes the connection in the way that servers expect.
func (c *conn) leave() {
	defer time.AfterFunc(closing, c.cut).Stop()
	_ = c.ws.Close(websocket.StatusNormalClosure, "")
	c.cut()
}
