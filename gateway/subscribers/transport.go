package subscribers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"steno/gateway/web"
	"steno/messages"
)

// How a subscription goes to its client. The names are those of the metrics.
const (
	transportSSE       = "sse"
	transportWebSocket = "websocket"
)

const (
	closeTimeout = time.Second         // for a client to answer the close of its WebSocket
	pongWait     = 2 * heartbeat       // for a client to answer a ping
	maxInbound   = 64 << 10            // bytes of a message of a client, of which all are ignored
	reconnect    = 2 * time.Second     // that a browser waits before it opens the subscription again
	sseType      = "text/event-stream" // of the answer
	comment      = ": \n\n"            // a heartbeat: clients ignore it
)

// transport is the connection of a subscription. Its methods are called by the subscription, cut by any goroutine.
type transport interface {
	// send writes publications. A publication with position 0 has no id.
	send(publications []*publication) error
	// tell writes a message about the subscription, which is at a position.
	tell(kind string, text []byte, position string) error
	// heartbeat writes something that clients ignore, so that nothing on the way takes the connection for dead.
	heartbeat() error
	// close ends the subscription. position is where it is.
	close(e ending, session, position string)
	// cut closes the connection without a word, and does not wait.
	cut()
}

// connection is a transport that is opened for a request.
type connection interface {
	transport
	// open begins the answer. The context that it returns ends when the client is gone. After a success the caller must call
	// wait, which closes what is left.
	open(w http.ResponseWriter, r *http.Request) (context.Context, error)
	wait()
	// name is that of the metrics.
	name() string
}

// newConnection returns the connection that a request asks for. It is not open yet.
func newConnection(w http.ResponseWriter, r *http.Request, query *messages.EventsQuery) connection {
	control := http.NewResponseController(w)
	if web.IsUpgrade(r) {
		return &socket{control: control, numbered: query.Numbered}
	}
	return &sse{w: w, control: control}
}

// sse sends server-sent events. Its writes have the deadlines of the server's connections.
type sse struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

func (s *sse) name() string { return transportSSE }
func (s *sse) wait()        {}

func (s *sse) open(_ http.ResponseWriter, r *http.Request) (context.Context, error) {
	h := s.w.Header()
	h.Set("Content-Type", sseType)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	s.w.WriteHeader(http.StatusOK)
	return r.Context(), s.write(fmt.Appendf(nil, "retry: %d\n\n", reconnect.Milliseconds()))
}

func (s *sse) write(texts ...[]byte) error {
	for _, text := range texts {
		if _, err := s.w.Write(text); err != nil {
			return err
		}
	}
	return s.control.Flush()
}

func (s *sse) send(publications []*publication) error {
	texts := make([][]byte, len(publications))
	for i, f := range publications {
		texts[i] = f.sse()
	}
	return s.write(texts...)
}

func (s *sse) tell(kind string, text []byte, position string) error {
	return s.write(eventText(position, kind, text))
}

func (s *sse) heartbeat() error { return s.write([]byte(comment)) }

// close tells why the subscription ends, where the client is not to open it again. A browser does so nevertheless; it sends the
// position, and gets 204 or 401, which stops it.
func (s *sse) close(e ending, session, position string) {
	if e.reason == "" {
		return
	}
	if text, err := newNotice(session, typeEnd, End{e.reason}); err == nil {
		_ = s.tell(typeEnd, text, position) // a client that is gone cannot be told
	}
}

func (s *sse) cut() { _ = s.control.SetWriteDeadline(time.Now()) } // in tests the connection may not support deadlines

// socket sends messages over a WebSocket. Each message is framed once for all subscribers, and what waits goes out with one
// write, to the connection below the library's. Writes to that are whole frames on either side: the library's are pings,
// pongs and the close, each written at once.
type socket struct {
	conn      *websocket.Conn
	below     net.Conn                 // of conn
	control   *http.ResponseController // of the connection below conn
	numbered  bool                     // logged messages begin with their number
	gone      context.CancelFunc
	helpers   sync.WaitGroup // the reader and the ping
	pinging   atomic.Bool
	violation atomic.Pointer[web.Violation] // of the client, which is gone then
}

func (s *socket) name() string { return transportWebSocket }

// open accepts the WebSocket.
func (s *socket) open(w http.ResponseWriter, r *http.Request) (context.Context, error) {
	caught := web.ConnCatcher{ResponseWriter: w}
	conn, err := websocket.Accept(&caught, r, &websocket.AcceptOptions{InsecureSkipVerify: true}) // who may read is decided by the token
	if err != nil {
		return nil, err
	}
	ctx, gone := context.WithCancel(r.Context())
	s.conn, s.below, s.gone = conn, caught.Conn, gone
	conn.SetReadLimit(-1)
	s.helpers.Go(s.read)
	return ctx, nil
}

// read ignores what the client sends, until the connection ends or the client must be told to end it.
func (s *socket) read() {
	defer s.gone()
	for {
		err := s.ignore()
		if violation, ok := errors.AsType[*web.Violation](err); ok {
			s.violation.Store(violation)
		}
		if err != nil {
			return
		}
	}
}

// ignore reads a message.
func (s *socket) ignore() error {
	kind, message, err := s.conn.Reader(context.Background())
	if err != nil {
		return err
	}
	var text web.Text
	n, err := io.CopyN(io.Discard, text.Checked(kind, message), maxInbound+1)
	switch {
	case n > maxInbound:
		return &web.Violation{Close: messages.CloseTooBig}
	case err == io.EOF:
		return nil
	}
	return err
}

func (s *socket) send(publications []*publication) error {
	frames := make(net.Buffers, len(publications))
	for i, p := range publications {
		if s.numbered {
			frames[i] = p.numberedFrame()
		} else {
			frames[i] = p.frame()
		}
	}
	if _, plain := s.below.(*net.TCPConn); !plain && len(frames) > 1 {
		frames = net.Buffers{slices.Concat(frames...)} // only a plain connection writes several slices at once
	}
	_, err := frames.WriteTo(s.below)
	return err
}

func (s *socket) tell(_ string, text []byte, _ string) error {
	_, err := s.below.Write(frame(text))
	return err
}

// heartbeat sends a ping, unless the pong of the last one is still awaited, and cuts the connection of a client that does not
// answer.
func (s *socket) heartbeat() error {
	if s.pinging.Swap(true) {
		return nil
	}
	s.helpers.Go(func() {
		defer s.pinging.Store(false)
		ctx, cancel := context.WithTimeout(context.Background(), pongWait)
		defer cancel()
		if s.conn.Ping(ctx) != nil {
			s.gone()
		}
	})
	return nil
}

func (s *socket) close(e ending, _, _ string) {
	_ = s.control.SetReadDeadline(time.Now().Add(closeTimeout)) // in tests the connection may not support deadlines
	_ = s.conn.Close(websocket.StatusCode(e.close.Code), e.close.Reason)
}

func (s *socket) cut() {
	_ = s.control.SetReadDeadline(time.Now())
	_ = s.control.SetWriteDeadline(time.Now())
}

// wait closes what is left, for a violation of the client with its code, and waits for the helpers.
func (s *socket) wait() {
	if v := s.violation.Load(); v != nil {
		s.close(ending{close: v.Close}, "", "")
	}
	_ = s.conn.CloseNow() // mostly closed already
	s.helpers.Wait()
	s.gone()
}
