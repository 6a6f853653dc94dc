package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// frame is a message of the server.
type frame struct {
	SessionID    string `json:"session_id"`
	Type         string `json:"type"`
	Acknowledged *bool  `json:"acknowledged"`
	Error        *struct{ Message string }
	Data         json.RawMessage `json:"data"`

	text string
}

// final returns the id of the utterance if the frame is its final.
func (f frame) final() string {
	var data struct {
		ID      string `json:"id"`
		IsFinal bool   `json:"is_final"`
	}
	if f.Type != "transcript" || json.Unmarshal(f.Data, &data) != nil || !data.IsFinal {
		return ""
	}
	return data.ID
}

// byteRange returns the byte range of an ack.
func (f frame) byteRange() (from, to int64, ok bool) {
	var data struct {
		ByteRange *[2]int64 `json:"byte_range"`
	}
	if f.Type != "audio_chunk" || json.Unmarshal(f.Data, &data) != nil || data.ByteRange == nil {
		return 0, 0, false
	}
	return data.ByteRange[0], data.ByteRange[1], true
}

// caller is a client that behaves like the public client libraries: it keeps audio until it is
// acknowledged, sends the rest again on the next socket, and trusts the ends of byte ranges.
type caller struct {
	t    testing.TB
	url  string
	dial func(ctx context.Context, network, addr string) (net.Conn, error)

	loose bool          // does not care about acks
	stall time.Duration // after which a write fails; 0: patience

	conn   *websocket.Conn
	closed chan struct{} // the reader of conn has ended
	code   websocket.StatusCode
	reason string
	status int // of the last handshake; 0: none was answered

	mu      sync.Mutex
	kept    []byte // audio not acknowledged
	acked   int64
	frames  []frame
	arrived chan struct{}
}

func call(t testing.TB, url string) *caller {
	c := &caller{t: t, url: url, arrived: make(chan struct{}, 1)}
	t.Cleanup(c.hangUp)
	return c
}

// connect opens a socket and sends again what is not acknowledged.
func (c *caller) connect() error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	transport := &http.Transport{DialContext: c.dial, DisableKeepAlives: true}
	conn, resp, err := websocket.Dial(ctx, c.url,
		&websocket.DialOptions{HTTPClient: &http.Client{Transport: transport}})
	if c.status = 0; resp != nil {
		c.status = resp.StatusCode
	}
	if err != nil {
		return err
	}
	conn.SetReadLimit(-1)
	c.conn, c.closed = conn, make(chan struct{})
	go c.listen(conn, c.closed)
	c.mu.Lock()
	again := c.kept
	c.mu.Unlock()
	const most = 512 << 10
	for len(again) > 0 {
		n := min(most, len(again))
		if err := c.write(websocket.MessageBinary, again[:n]); err != nil {
			return err
		}
		again = again[n:]
	}
	return nil
}

func (c *caller) mustConnect() *caller {
	c.t.Helper()
	if err := c.connect(); err != nil {
		c.t.Fatal(err)
	}
	return c
}

func (c *caller) listen(conn *websocket.Conn, closed chan struct{}) {
	defer close(closed)
	for {
		_, text, err := conn.Read(context.Background())
		if err != nil {
			c.code = websocket.CloseStatus(err)
			var closed websocket.CloseError
			if errors.As(err, &closed) {
				c.reason = closed.Reason
			}
			return
		}
		var f frame
		if err := json.Unmarshal(text, &f); err != nil {
			c.t.Errorf("server sent %q: %v", text, err)
			return
		}
		f.text = string(text)
		c.take(f)
	}
}

func (c *caller) take(f frame) {
	c.mu.Lock()
	c.frames = append(c.frames, f)
	if _, end, ok := f.byteRange(); ok && f.Acknowledged != nil && *f.Acknowledged && !c.loose {
		// A boundary below the last one makes the library keep garbage.
		if end < c.acked || end > c.acked+int64(len(c.kept)) {
			c.t.Errorf("ack up to %d after %d, with %d bytes kept", end, c.acked, len(c.kept))
		} else {
			c.kept = c.kept[end-c.acked:]
			c.acked = end
		}
	}
	c.mu.Unlock()
	select {
	case c.arrived <- struct{}{}:
	default:
	}
}

// send keeps and sends audio.
func (c *caller) send(p []byte) error {
	c.mu.Lock()
	c.kept = append(c.kept, p...)
	c.mu.Unlock()
	return c.write(websocket.MessageBinary, p)
}

func (c *caller) text(s string) error { return c.write(websocket.MessageText, []byte(s)) }

func (c *caller) stop() error { return c.text(`{"type":"stop_recording"}`) }

func (c *caller) write(kind websocket.MessageType, p []byte) error {
	ctx, cancel := context.WithTimeout(context.Background(), cmp.Or(c.stall, patience))
	defer cancel()
	return c.conn.Write(ctx, kind, p)
}

// hangUp cuts the connection.
func (c *caller) hangUp() {
	if c.conn != nil {
		_ = c.conn.CloseNow()
		<-c.closed
	}
}

// end waits for the server's close and returns its code; -1 where the connection was just lost.
func (c *caller) end() websocket.StatusCode {
	c.t.Helper()
	select {
	case <-c.closed:
	case <-time.After(patience):
		c.t.Fatal("the server does not close the socket")
	}
	return c.code
}

// await waits for a frame for which pleases returns true.
func (c *caller) await(what string, pleases func(frame) bool) frame {
	c.t.Helper()
	late := time.After(patience)
	for seen := 0; ; {
		c.mu.Lock()
		frames := c.frames[seen:]
		c.mu.Unlock()
		for _, f := range frames {
			if pleases(f) {
				return f
			}
		}
		seen += len(frames)
		select {
		case <-c.arrived:
		case <-late:
			c.t.Fatalf("no %s among %d frames", what, seen)
		}
	}
}

// ackedTo waits for an ack up to a boundary.
func (c *caller) ackedTo(n int64) {
	c.t.Helper()
	c.await("ack", func(f frame) bool { _, end, ok := f.byteRange(); return ok && end >= n })
}

func (c *caller) all() []frame {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]frame(nil), c.frames...)
}

// brittleConn is a connection that breaks after a number of bytes in either direction.
type brittleConn struct {
	net.Conn
	writes, reads atomic.Int64
}

var errBroken = errors.New("connection broke")

func (b *brittleConn) Write(p []byte) (int, error) {
	left := b.writes.Add(-int64(len(p)))
	if left < 0 {
		n, _ := b.Conn.Write(p[:max(0, int64(len(p))+left)])
		_ = b.Conn.Close()
		return n, errBroken
	}
	return b.Conn.Write(p)
}

func (b *brittleConn) Read(p []byte) (int, error) {
	n, err := b.Conn.Read(p)
	if b.reads.Add(-int64(n)) < 0 {
		_ = b.Conn.Close()
		return 0, errBroken
	}
	return n, err
}

// breakAfter makes the caller's next connections break after these numbers of bytes sent or
// received.
func (c *caller) breakAfter(sent, received int64) {
	c.dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
		var d net.Dialer
		conn, err := d.DialContext(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		b := &brittleConn{Conn: conn}
		b.writes.Store(sent)
		b.reads.Store(received)
		return b, nil
	}
}

func parseFrame(t testing.TB, text string) frame {
	t.Helper()
	f := frame{text: text}
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		t.Fatal(err)
	}
	return f
}
