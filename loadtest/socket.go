package loadtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
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
	// slowRead is how long a slow reader waits before each message.
	slowRead = 250 * time.Millisecond
)

// socket is one connection of a session. Reads and writes use a context that never ends, which
// spares the library work on every frame: whatever ends the socket early closes the connection
// under them.
type socket struct {
	conn     *websocket.Conn
	pace     pace
	listener *listener
	figures  *figures
	schedule *schedule
	slow     bool          // it reads slowly
	drop     time.Duration // after which the connection is lost; 0: it is not
	sent     int64         // bytes of the track that have been sent when it has ended, from the beginning of the track
}

// dial opens a socket. The error does not tell the address, in which there is the token of a
// session.
func dial(ctx context.Context, client *http.Client, address string, header http.Header) (*websocket.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, address, &websocket.DialOptions{HTTPClient: client, HTTPHeader: header,
		CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err
		}
		return nil, fmt.Errorf("open socket: %w", err)
	}
	conn.SetReadLimit(maxMessage)
	return conn, nil
}

// run sends what is left of the track in real time, then the stop, and returns when the socket has
// been closed: with the code of the close frame, -1 when there was none. It ends early with ctx.
func (s *socket) run(ctx context.Context) (code int, stopSent bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	kill := context.AfterFunc(ctx, func() { _ = s.conn.CloseNow() })
	defer kill()
	defer s.conn.CloseNow() //nolint:errcheck // closed by then or lost anyway
	if s.drop > 0 {
		loss := time.AfterFunc(s.drop, func() {
			s.figures.add(func(c *counts) { c.Dropped++ })
			_ = s.conn.CloseNow()
		})
		defer loss.Stop()
	}

	from, stop := s.listener.acked.Load(), !s.listener.stopAcked
	received := make(chan error, 1)
	gone, lost := context.WithCancel(ctx)
	defer lost()
	go func() {
		received <- s.receive()
		lost() // nothing more can be sent either
	}()
	stopSent, sendErr := s.send(gone, from, stop)
	if sendErr != nil { // the receiver may still find a close frame with the reason
		late := time.AfterFunc(closeTimeout, func() { _ = s.conn.CloseNow() })
		defer late.Stop()
	}
	err = <-received
	return int(websocket.CloseStatus(err)), stopSent, err
}

// receive hands everything that arrives to the listener until the socket is closed.
func (s *socket) receive() error {
	return receive(s.conn, func(b []byte) error {
		if s.slow {
			time.Sleep(slowRead)
		}
		return s.listener.receive(b, time.Now())
	})
}

// receive calls take for each text message of a connection until it is closed. The slice is valid
// during the call.
func receive(conn *websocket.Conn, take func(b []byte) error) error {
	var buf bytes.Buffer
	for {
		kind, r, err := conn.Reader(context.Background())
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
		if err := take(buf.Bytes()); err != nil {
			return err
		}
	}
}

// send streams the track from byte pos on; after its end, if asked for, it sends the stop. It ends
// early, with an error, when gone does.
func (s *socket) send(gone context.Context, pos int64, stop bool) (stopSent bool, err error) {
	defer func() { s.sent = pos }()
	for pos < s.pace.track.length {
		if pos, err = s.catchUp(gone, pos); err != nil {
			return false, err
		}
		if pos < s.pace.track.length {
			if pos, err = s.follow(gone, pos); err != nil {
				return false, err
			}
		}
	}
	if !stop {
		return false, nil
	}
	if err := s.conn.Write(context.Background(), websocket.MessageText, []byte(stopFrame)); err != nil {
		return false, err
	}
	return true, nil
}

// follow has the schedule send from byte pos on, and returns how far it came when the schedule
// returns the socket.
func (s *socket) follow(gone context.Context, pos int64) (int64, error) {
	n := &sender{conn: s.conn, pace: s.pace, acked: &s.listener.acked, pos: pos, place: -1, back: make(chan error, 1)}
	s.schedule.add(n)
	select {
	case err := <-n.back:
		return n.pos, err
	case <-gone.Done():
		_ = s.conn.CloseNow() // ends a write
		s.schedule.remove(n)
		return n.pos, context.Cause(gone)
	}
}

// catchUp sends from byte pos on until the server has acknowledged nearly all of what is due: first
// what should have been sent long ago, in large frames, then every chunk when it is due. Its writes
// wait for a server that does not read.
func (s *socket) catchUp(gone context.Context, pos int64) (int64, error) {
	stuck := time.AfterFunc(stuckAfter, func() { _ = s.conn.CloseNow() })
	defer stuck.Stop()
	timer := time.NewTimer(0)
	defer timer.Stop()
	backlog := s.pace.recorded(time.Now())
	for pos < s.pace.track.length {
		if pos >= backlog && pos-s.listener.acked.Load() <= inFlight/2 {
			return pos, nil
		}
		stuck.Stop() // until the next write
		ready, waited, err := s.pace.await(gone, pos, timer)
		if err != nil {
			return pos, err
		}
		size := s.pace.step
		if pos < backlog {
			size = resendFrame
		}
		b := s.pace.track.read(pos, min(size, ready-pos))
		if waited { // else the write before this one made it late
			s.figures.sent([]time.Duration{time.Since(s.pace.due(pos + int64(len(b))))})
		}
		stuck.Reset(stuckAfter)
		if err := s.conn.Write(context.Background(), websocket.MessageBinary, b); err != nil {
			return pos, err
		}
		pos += int64(len(b))
	}
	return pos, nil
}
