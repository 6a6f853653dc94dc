package wsconn

import (
	"encoding/binary"
	"net"
	"slices"
	"sync"
	"syscall"
)

// keptSize is the size, in bytes, of the buffers that connections share to write from: an event.
const keptSize = 8 << 10

// kepts holds the buffers that no connection needs at the moment.
var kepts = sync.Pool{New: func() any { return new([keptSize]byte) }}

// outgoing writes the frames of a server.
type outgoing struct {
	conn net.Conn
	raw  syscall.RawConn    // nil: the connection is not one of the system's
	take func(uintptr) bool // of raw.Write

	mu   lock
	kept []byte // to be written next, or not taken of the last frame; in one of kepts; nil: nothing
	took int    // bytes, by take
	got  error  // of take
	over bool   // a close was written
	ping []byte // a frame that follows the next message
}

func (o *outgoing) init(conn net.Conn) {
	o.conn, o.mu = conn, make(lock, 1)
	if raw, ok := rawConn(conn); ok {
		o.raw, o.take = raw, o.writeNow
	}
}

// WriteText writes a message of text, as one frame, and waits for the client. Errors: net.ErrClosed
// after a close was written, and those of the connection.
func (c *Conn) WriteText(p []byte) error {
	o := &c.out
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.over {
		return net.ErrClosed
	}
	if err := o.flush(); err != nil { // what was tried
		return err
	}
	var head [longestHead]byte
	o.keep(appendHead(head[:0], opcodeText, len(p)))
	return o.send(p)
}

// TryText is WriteText for a message that the system may not take whole without waiting: the rest
// is written by CatchUp, or before whatever is written next. done is false, and nothing was
// written, where such a rest is left of an earlier message, the message is long, the connection is
// not one of the system's, or a close was written.
func (c *Conn) TryText(p []byte) (done bool, err error) {
	o := &c.out
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.raw == nil || o.over || o.kept != nil || longestHead+len(p)+len(o.ping) > keptSize {
		return false, nil
	}
	var head [longestHead]byte
	o.keep(appendHead(head[:0], opcodeText, len(p)))
	o.keep(p)
	o.keep(o.ping)
	o.ping = o.ping[:0]
	if err = o.raw.Write(o.take); err == nil {
		err = o.got
	}
	if err != nil || o.took == len(o.kept) {
		o.giveBack()
		return true, err
	}
	o.kept = o.kept[:copy(o.kept, o.kept[o.took:])]
	return true, nil
}

// HasRest reports whether TryText has left a rest.
func (c *Conn) HasRest() bool {
	c.out.mu.Lock()
	defer c.out.mu.Unlock()
	return c.out.kept != nil
}

// CatchUp writes what TryText has left.
func (c *Conn) CatchUp() error {
	c.out.mu.Lock()
	defer c.out.mu.Unlock()
	return c.out.flush()
}

// WriteFrames writes frames that [Frame] has made, and waits for the client. The errors are those
// of WriteText.
func (c *Conn) WriteFrames(frames ...[]byte) error {
	o := &c.out
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.over {
		return net.ErrClosed
	}
	if err := o.flush(); err != nil {
		return err
	}
	if _, plain := o.conn.(*net.TCPConn); !plain && len(frames) > 1 {
		frames = [][]byte{slices.Concat(frames...)} // only a plain connection writes several slices with one call
	}
	_, err := (*net.Buffers)(&frames).WriteTo(o.conn)
	return err
}

// PingBehind puts a ping after the next message that is written.
func (c *Conn) PingBehind(payload []byte) {
	c.out.mu.Lock()
	defer c.out.mu.Unlock()
	c.out.setPing(payload)
}

// Ping writes a ping.
func (c *Conn) Ping(payload []byte) error {
	c.out.mu.Lock()
	defer c.out.mu.Unlock()
	c.out.setPing(payload)
	return c.out.send(nil)
}

func (o *outgoing) setPing(payload []byte) {
	o.ping = append(o.ping[:0], finalFrame|opcodePing, byte(len(payload)))
	o.ping = append(o.ping, payload...)
}

// control writes a frame of control. After a close nothing is written, and its error is
// net.ErrClosed.
func (o *outgoing) control(opcode byte, payload []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.over {
		return net.ErrClosed
	}
	o.over = opcode == opcodeClose
	if err := o.flush(); err != nil {
		return err
	}
	o.keep(append(appendHead(make([]byte, 0, shortestHead+maxControl), opcode, len(payload)), payload...))
	return o.flush()
}

// closePayload is that of a close frame.
func closePayload(code int, reason string) []byte {
	return append(binary.BigEndian.AppendUint16(nil, uint16(code)), reason...)
}

// writeNow writes what is kept, as far as the system takes it without waiting.
func (o *outgoing) writeNow(fd uintptr) bool {
	o.took, o.got = 0, nil
	n, err := syscall.Write(int(fd), o.kept)
	if err != syscall.EAGAIN && err != syscall.EINTR {
		o.took, o.got = max(n, 0), err
	}
	return true
}

// keep keeps bytes until the next ones are sent.
func (o *outgoing) keep(p []byte) {
	if o.kept == nil && len(p) > 0 {
		o.kept = kepts.Get().(*[keptSize]byte)[:0]
	}
	o.kept = append(o.kept, p...)
}

// send writes what was kept, p and the ping after it, with one call if that is short.
func (o *outgoing) send(p []byte) error {
	defer func() { o.ping = o.ping[:0] }()
	if len(o.kept)+len(p)+len(o.ping) <= keptSize {
		o.keep(p)
		o.keep(o.ping)
		return o.flush()
	}
	if err := o.flush(); err != nil {
		return err
	}
	if _, err := o.conn.Write(p); err != nil {
		return err
	}
	o.keep(o.ping)
	return o.flush()
}

// flush writes what was kept.
func (o *outgoing) flush() error {
	if o.kept == nil {
		return nil
	}
	_, err := o.conn.Write(o.kept)
	o.giveBack()
	return err
}

// giveBack drops what is kept.
func (o *outgoing) giveBack() {
	kepts.Put((*[keptSize]byte)(o.kept[:keptSize]))
	o.kept = nil
}
