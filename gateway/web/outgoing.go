package web

import (
	"encoding/binary"
	"math"
	"net"
	"sync"
)

// outgoing is the side of a SocketConn that is written.
type outgoing struct {
	conn net.Conn

	mu   sync.Mutex
	kept []byte // of the frame under way, in one of aheads; nil: nothing
	head [longestHead]byte
	seen int   // bytes of head, while it is not complete
	left int64 // bytes of the frame under way that are still to be written
	over bool  // a close was written
	ping []byte
}

// text writes a message of text in one frame, and the ping behind it. It does nothing and reports false where a frame of the library is
// under way or a close was written: the library waits, or says so.
func (o *outgoing) text(p []byte) (done bool, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.over || !o.between() {
		return false, nil
	}
	var head [longestHead]byte
	o.keep(textHead(head[:0], len(p)))
	_, err = o.send(p)
	return true, err
}

// textHead appends the head of a server's frame that is a whole message of text with so many bytes.
func textHead(b []byte, size int) []byte {
	b = append(b, finalFrame|opcodeText)
	switch {
	case size <= maxControl:
		return append(b, byte(size))
	case size <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(b, 126), uint16(size))
	}
	return binary.BigEndian.AppendUint64(append(b, 127), uint64(size))
}

func (o *outgoing) write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.follow(p)
	if o.between() || len(o.kept)+len(p) > aheadSize {
		return o.send(p)
	}
	o.keep(p)
	return len(p), nil
}

// follow notes where the bytes lead to within frames.
func (o *outgoing) follow(p []byte) {
	for len(p) > 0 {
		if o.left > 0 {
			n := min(o.left, int64(len(p)))
			o.left -= n
			p = p[n:]
			continue
		}
		o.head[o.seen] = p[0]
		o.seen++
		p = p[1:]
		if head, frame, whole := frameHead(o.head[:o.seen]); whole {
			o.left, o.seen = frame-int64(head), 0
			o.over = o.over || o.head[0]&opcodes == opcodeClose
		}
	}
}

// between reports whether no frame is under way.
func (o *outgoing) between() bool { return o.left == 0 && o.seen == 0 }

// keep keeps bytes until the next ones are sent.
func (o *outgoing) keep(p []byte) {
	if o.kept == nil && len(p) > 0 {
		o.kept = aheads.Get().(*[aheadSize]byte)[:0]
	}
	o.kept = append(o.kept, p...)
}

// send writes what was kept, p, and the ping where no frame is under way behind it: at once if that is short.
func (o *outgoing) send(p []byte) (int, error) {
	var ping []byte
	if o.between() {
		ping = o.ping
		defer func() { o.ping = o.ping[:0] }()
	}
	if len(o.kept)+len(ping) == 0 {
		return o.conn.Write(p)
	}
	if len(o.kept)+len(p)+len(ping) <= aheadSize {
		o.keep(p)
		o.keep(ping)
		return len(p), o.flush()
	}
	if err := o.flush(); err != nil {
		return 0, err
	}
	n, err := o.conn.Write(p)
	if err != nil {
		return n, err
	}
	o.keep(ping)
	return n, o.flush()
}

// flush writes what was kept.
func (o *outgoing) flush() error {
	if o.kept == nil {
		return nil
	}
	_, err := o.conn.Write(o.kept)
	aheads.Put((*[aheadSize]byte)(o.kept[:aheadSize]))
	o.kept = nil
	return err
}

func (o *outgoing) pingBehind(payload []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.setPing(payload)
}

func (o *outgoing) pingNow(payload []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.setPing(payload)
	if !o.between() {
		return nil
	}
	_, err := o.send(nil)
	return err
}

func (o *outgoing) setPing(payload []byte) {
	o.ping = append(o.ping[:0], finalFrame|opcodePing, byte(len(payload)))
	o.ping = append(o.ping, payload...)
}
