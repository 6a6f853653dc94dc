package loadtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/coder/websocket"
)

const (
	maxMessage  = 4 << 20          // bytes of a message of the server
	resendFrame = 512 << 10        // bytes of a frame when audio is sent again, as the public client libraries do
	stuckAfter  = 30 * time.Second // a write that takes longer loses the socket
	dialTimeout = 10 * time.Second
	// closeTimeout is how long the end of a socket that takes no more may be waited for.
	closeTimeout = 5 * time.Second
)

// socket is one connection of a session. Reads and writes use a context that never ends, which spares the library
// work on every frame: whatever ends the socket early closes the connection under them.
type socket struct {
	conn     *websocket.Conn
	pace     pace
	listener *listener
	figures  *figures
}

// dial opens a socket.
func dial(ctx context.Context, client *http.Client, url string) (*websocket.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, url, &websocket.DialOptions{HTTPClient: client, CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		return nil, fmt.Errorf("open socket: %w", err)
	}
	conn.SetReadLimit(maxMessage)
	return conn, nil
}

// run sends what is left of the track in real time, then the stop, and returns when the socket has been closed: with
// the code of the close frame, -1 when there was none. It ends early with ctx.
func (s *socket) run(ctx context.Context) (code int, stopSent bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	kill := context.AfterFunc(ctx, func() { _ = s.conn.CloseNow() })
	defer kill()
	defer s.conn.CloseNow() //nolint:errcheck // closed by then or lost anyway

	from, stop := s.listener.acked, !s.listener.stopAcked
	received := make(chan error, 1)
	gone, lost := context.WithCancel(ctx)
	defer lost()
	go func() {
		received <- s.receive()
		lost() // nothing more can be sent either
	}()
	stopSent, sendErr := s.send(gone, from, stop)
	if sendErr != nil { // the receiver may still find a close frame that says why
		late := time.AfterFunc(closeTimeout, func() { _ = s.conn.CloseNow() })
		defer late.Stop()
	}
	err = <-received
	return int(websocket.CloseStatus(err)), stopSent, err
}

// receive hands everything that arrives to the listener until the socket is closed.
func (s *socket) receive() error {
	var buf bytes.Buffer
	for {
		kind, r, err := s.conn.Reader(context.Background())
		if err != nil {
			return err
		}
		buf.Reset()
		if _, err := buf.ReadFrom(r); err != nil {
			return err
		}
		if kind != websocket.MessageText {
			return errors.New("binary message from the server")
		}
		if err := s.listener.receive(buf.Bytes(), time.Now()); err != nil {
			return err
		}
	}
}

// send streams the track from byte pos on: first what should have been sent long ago, in large frames, then every
// chunk when it is due; after the last one, if asked for, the stop. It ends early, with an error, when gone does.
func (s *socket) send(gone context.Context, pos int64, stop bool) (stopSent bool, err error) {
	stuck := time.AfterFunc(stuckAfter, func() { _ = s.conn.CloseNow() })
	defer stuck.Stop()
	write := func(kind websocket.MessageType, b []byte) error {
		stuck.Reset(stuckAfter)
		return s.conn.Write(context.Background(), kind, b)
	}
	backlog := s.pace.recorded(time.Now())
	timer := time.NewTimer(0)
	defer timer.Stop()
	for pos < s.pace.track.length {
		stuck.Stop() // until the next write
		ready, err := s.pace.await(gone, pos, timer)
		if err != nil {
			return false, err
		}
		size := s.pace.step
		if pos < backlog {
			size = resendFrame
		}
		b := s.pace.track.read(pos, min(size, ready-pos))
		if err := write(websocket.MessageBinary, b); err != nil {
			return false, err
		}
		if pos >= backlog {
			s.figures.delay(senderLag, time.Since(s.pace.due(pos+int64(len(b)))))
		}
		pos += int64(len(b))
	}
	if !stop {
		return false, nil
	}
	if err := write(websocket.MessageText, []byte(stopFrame)); err != nil {
		return false, err
	}
	return true, nil
}
