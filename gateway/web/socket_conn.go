package web

import (
	"encoding/binary"
	"math"
	"net"
	"sync"
	"time"
)

const (
	// aheadSize is the size, in bytes, of the buffers that WebSockets share to read into: half a second of audio, so that a process
	// that is late takes what has come meanwhile at once.
	aheadSize = 16 << 10
	// gatherSize is how many bytes end a pause in which messages gather: some frames of 20 ms, or two of 100 ms.
	gatherSize = 8 << 10
	// keptSize is the size, in bytes, of the buffers that they share to write from: an event.
	keptSize = 8 << 10
)

// aheads and kepts hold the buffers that no WebSocket needs at the moment.
var (
	aheads = sync.Pool{New: func() any { return new([aheadSize]byte) }}
	kepts  = sync.Pool{New: func() any { return new([keptSize]byte) }}
)

// SocketConn is the connection below a WebSocket. It knows where frames begin in both directions, and for the library above it
// does what that would do at a higher price:
//
//   - It reads what has come into a buffer that it has only as long as there is something in it, many frames at a time if the
//     reader lets them gather.
//   - It writes a frame, and a ping behind it, at once.
//   - It takes pongs out of what is read, and gives short binary messages on.
//   - It writes whole messages of text.
//
// It checks the frames that it gives on. After a [Violation] of a client it discards what follows, up to a limit, and then
// ends: so the client sees the close, which is lost where a connection is closed with bytes that nobody has read.
//
// Gather, Try, Await and TakeBinary are called by the goroutine that reads messages, all else by any: the library reads the answer to a close on the
// goroutine that closes.
type SocketConn struct {
	net.Conn
	in  incoming
	out outgoing
}

// newSocketConn returns the connection with what the client has sent behind its request.
func newSocketConn(conn net.Conn, early []byte) *SocketConn {
	c := &SocketConn{Conn: conn}
	c.in.init(conn, early)
	c.out.init(conn)
	return c
}

// OnPong has pongs given to a function, on the goroutine that reads. Without it they are read as all else. It is called before
// the first Read. The payload is valid during the call.
func (c *SocketConn) OnPong(take func(payload []byte)) { c.in.pong = take }

// Gather begins a pause in which messages gather, so that one read takes all that has come: it returns how long the caller is to
// leave the connection alone before it calls Try. That is up to the pause less: the ends of a connection's pauses lie a pause apart,
// those of all connections are spread, at multiples of GatherStep. It returns 0 where more has come already, or the connection cannot
// be left alone.
func (c *SocketConn) Gather(pause time.Duration) time.Duration { return c.in.gather(pause) }

// Try reads what has come from the connection, and reports whether that was anything, an end or an error included, which Read
// returns. It does not wait.
func (c *SocketConn) Try() bool { return c.in.try() }

// Await waits until something was read from the connection, as Try reports it. Read waits too; a
// goroutine that waits here, between messages, has little on its stack, which then takes little memory.
func (c *SocketConn) Await() { c.in.await() }

// Empty reports whether everything that was read from the connection has been given on.
func (c *SocketConn) Empty() bool { return !c.in.ahead.Load() }

// Awaits reports whether more of the message under way may have to be read from the connection.
func (c *SocketConn) Awaits() bool { return !c.in.whole.Load() }

// TakeBinary takes the message that follows past the library, if all of it was read from the connection, it is a binary one in one
// frame, not empty, and p has room for it. It puts the message into p and returns its length in bytes, else 0. It is called between
// messages by the goroutine that reads them.
func (c *SocketConn) TakeBinary(p []byte) int { return c.in.takeBinary(p) }

// Read implements net.Conn.
func (c *SocketConn) Read(p []byte) (int, error) { return c.in.read(p) }

// Write implements net.Conn. Of a frame that is written in pieces the first ones may be kept until the last.
func (c *SocketConn) Write(p []byte) (int, error) { return c.out.write(p) }

// WriteText writes a message of text past the library, as one frame. done is false, and nothing was written, where the library has to
// write it: a frame of its own is under way, or a close was written.
func (c *SocketConn) WriteText(p []byte) (done bool, err error) { return c.out.text(p) }

// TryText is WriteText for a message that the system may not take whole without waiting: the rest is written by CatchUp, or before
// whatever is written next. done is also false, and nothing was written, where such a rest is left of an earlier message, the message is
// long, or the connection is not one of the system's.
func (c *SocketConn) TryText(p []byte) (done bool, err error) { return c.out.tryText(p) }

// Behind reports whether TryText has left a rest.
func (c *SocketConn) Behind() bool { return c.out.behind() }

// CatchUp writes what TryText has left.
func (c *SocketConn) CatchUp() error { return c.out.catchUp() }

// PingBehind puts a ping behind the next frame that is written.
func (c *SocketConn) PingBehind(payload []byte) { c.out.pingBehind(payload) }

// Ping writes a ping, between frames or behind the one under way.
func (c *SocketConn) Ping(payload []byte) error { return c.out.pingNow(payload) }

const (
	opcodeMore   = 0
	opcodeText   = 1
	opcodeBinary = 2
	opcodeClose  = 8
	opcodePing   = 9
	opcodePong   = 10
	opcodes      = 15
	control      = 8 // set in the opcodes of frames of control
	finalFrame   = 0x80
	reserved     = 0x70
	maskedFrame  = 0x80
	maxControl   = 125 // bytes of the payload of a ping or pong
	maskBytes    = 4
	maxPayload   = math.MaxInt64 - longestHead - 1 // bytes that a frame may have
	longestHead  = 2 + 8 + maskBytes
	shortestHead = 2
)

// frameHead reads the head of a frame: how long it is, and how long the whole frame. whole is false where bytes are missing.
func frameHead(b []byte) (head int, frame int64, whole bool) {
	if len(b) < shortestHead {
		return 0, 0, false
	}
	payload := int64(b[1] &^ maskedFrame)
	head = shortestHead
	switch payload {
	case 126:
		head += 2
	case 127:
		head += 8
	}
	if b[1]&maskedFrame != 0 {
		head += maskBytes
	}
	if len(b) < head {
		return 0, 0, false
	}
	switch payload {
	case 126:
		payload = int64(binary.BigEndian.Uint16(b[2:]))
	case 127:
		payload = int64(min(binary.BigEndian.Uint64(b[2:]), maxPayload+1)) // that many are a violation, as all above are
	}
	return head, payload + int64(head), true
}

// unmask sets dst to the payload src of a client's frame without its mask (RFC 6455, section 5.3). They may be the same memory; dst
// is at least as long as src.
func unmask(dst, src []byte, key [maskBytes]byte) {
	half := uint64(binary.LittleEndian.Uint32(key[:]))
	wide := half<<32 | half
	for len(src) >= 8 && len(dst) >= 8 {
		binary.LittleEndian.PutUint64(dst, binary.LittleEndian.Uint64(src)^wide)
		dst, src = dst[8:], src[8:]
	}
	for i, v := range src {
		dst[i] = v ^ key[i%maskBytes]
	}
}
