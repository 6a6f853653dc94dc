package subscribers

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"steno/gateway/web"
	"steno/gateway/wsconn"
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

// transport is the connection of a subscription. Its methods are called by the subscription, cut by
// any goroutine.
type transport interface {
	// send writes publications. A publication with position 0 has no id.
	send(publications []*publication) error
	// tell writes a message about the subscription, which is at a position.
	tell(kind string, text []byte, position string) error
	// heartbeat writes something that clients ignore, so that nothing on the way takes the
	// connection for dead.
	heartbeat() error
	// close ends the subscription. position is where it is.
	close(e ending, session, position string)
	// cut closes the connection without a word, and does not wait.
	cut()
}

// connection is a transport that is opened for a request.
type connection interface {
	transport
	// open begins the answer. The context that it returns ends when the client is gone. After a
	// success the caller must call wait, which closes what is left.
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

// close tells why the subscription ends, where the client is not to open it again. A browser does
// so nevertheless; it sends the position, and gets 204 or 401, which stops it.
func (s *sse) close(e ending, session, position string) {
	if e.reason == "" {
		return
	}
	if text, err := newNotice(session, typeEnd, End{e.reason}); err == nil {
		_ = s.tell(typeEnd, text, position) // a client that is gone cannot be notified
	}
}

func (s *sse) cut() { _ = s.control.SetWriteDeadline(time.Now()) } // in tests the connection may not support deadlines

// socket sends messages over a WebSocket. Each message is framed once for all subscribers, and what
// waits goes out with one write.
type socket struct {
	control   *http.ResponseController
	numbered  bool // logged messages begin with their number
	conn      *wsconn.Conn
	gone      context.CancelFunc
	reader    sync.WaitGroup
	violation atomic.Pointer[wsconn.Violation] // of the client, which is gone then

	mu   sync.Mutex
	ping uint64      // number of the last one
	late *time.Timer // cuts the connection of a client that does not answer; nil: no pong is awaited
}

func (s *socket) name() string { return transportWebSocket }

// open accepts the WebSocket. Who may read is decided by the token.
func (s *socket) open(w http.ResponseWriter, r *http.Request) (context.Context, error) {
	conn, err := wsconn.Accept(w, r)
	if err != nil {
		return nil, err
	}
	conn.OnPong(s.pong)
	ctx, gone := context.WithCancel(r.Context())
	s.conn, s.gone = conn, gone
	s.reader.Go(s.read)
	return ctx, nil
}

// read ignores what the client sends, until the connection ends or the client must be asked to end
// it.
func (s *socket) read() {
	defer s.gone()
	for {
		err := s.ignore()
		if violation, ok := errors.AsType[*wsconn.Violation](err); ok {
			s.violation.Store(violation)
		}
		if err != nil {
			return
		}
	}
}

// ignore reads a message.
func (s *socket) ignore() error {
	if _, err := s.conn.Next(); err != nil {
		return err
	}
	var piece [512]byte
	for total := 0; ; {
		n, last, err := s.conn.Read(piece[:])
		switch total += n; {
		case err != nil:
			return err
		case total > maxInbound:
			return &wsconn.Violation{Code: messages.CloseTooBig.Code, Reason: messages.CloseTooBig.Reason}
		case last:
			return nil
		}
	}
}

func (s *socket) send(publications []*publication) error {
	frames := make([][]byte, len(publications))
	for i, p := range publications {
		if s.numbered {
			frames[i] = p.numberedFrame()
		} else {
			frames[i] = p.frame()
		}
	}
	return s.conn.WriteFrames(frames...)
}

func (s *socket) tell(_ string, text []byte, _ string) error { return s.conn.WriteText(text) }

// heartbeat sends a ping, unless the pong of the last one is still awaited. The connection of a
// client that does not answer is cut.
func (s *socket) heartbeat() error {
	ping := s.nextPing()
	if ping == nil {
		return nil
	}
	return s.conn.Ping(ping)
}

// nextPing returns the payload of a ping, and begins to wait for its pong; nil: one is awaited.
func (s *socket) nextPing() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.late != nil {
		return nil
	}
	s.late = time.AfterFunc(pongWait, s.conn.Cut)
	s.ping++
	return strconv.AppendUint(nil, s.ping, 10)
}

// pong notes that the client is there.
func (s *socket) pong(payload []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.late != nil && string(payload) == strconv.FormatUint(s.ping, 10) {
		s.late.Stop()
		s.late = nil
	}
}

func (s *socket) close(e ending, _, _ string) {
	s.conn.Close(e.close.Code, e.close.Reason, closeTimeout)
}

func (s *socket) cut() {
	_ = s.control.SetReadDeadline(time.Now())
	_ = s.control.SetWriteDeadline(time.Now())
}

// wait closes what is left, for a violation of the client with its code, and waits for the reader.
func (s *socket) wait() {
	if v := s.violation.Load(); v != nil {
		s.conn.Close(v.Code, v.Reason, closeTimeout)
	}
	s.conn.Cut() // mostly closed already
	s.reader.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.late != nil {
		s.late.Stop()
	}
	s.gone()
}
