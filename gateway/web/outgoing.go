package web

import (
	"encoding/binary"
	"math"
	"net"
	"sync"
	"syscall"
)

// outgoing is the side of a SocketConn that is written.
type outgoing struct {
	conn net.Conn
	raw  syscall.RawConn    // nil: the connection is not one of the system's
	take func(uintptr) bool // of raw.Write

	mu   sync.Mutex
	kept []byte // of the frame under way, or what the system did not take of the last one; in one of kepts; nil: nothing
	took int    // bytes, by take
	got  error  // of take
	head [longestHead]byte
	seen int   // bytes of head, while it is not complete
	left int64 // bytes of the frame under way that are still to be written
	over bool  // a close was written
	ping []byte
}

func (o *outgoing) init(conn net.Conn) {
	o.conn = conn
	if raw, ok := rawConn(conn); ok {
		o.raw, o.take = raw, o.writeNow
	}
}

// tryText is text for a short message, as far as the system takes it at once: what it does not take is kept. It does nothing and
// reports false also where something is kept already, and where the system cannot be asked.
func (o *outgoing) tryText(p []byte) (done bool, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.raw == nil || o.over || !o.between() || o.kept != nil || longestHead+len(p)+len(o.ping) > keptSize {
		return false, nil
	}
	var head [longestHead]byte
	o.keep(textHead(head[:0], len(p)))
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

// writeNow writes what is kept, as far as the system takes it at once.
func (o *outgoing) writeNow(fd uintptr) bool {
	o.took, o.got = 0, nil
	n, err := syscall.Write(int(fd), o.kept)
	if err != syscall.EAGAIN && err != syscall.EINTR {
		o.took, o.got = max(n, 0), err
	}
	return true
}

// behind reports whether something is kept of a frame that was tried.
func (o *outgoing) behind() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.kept != nil && o.between()
}

// catchUp writes what is kept of a frame that was tried.
func (o *outgoing) catchUp() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.between() {
		return nil
	}
	return o.flush()
}

// text writes a message of text in one frame, and the ping behind it. It does nothing and reports false where a frame of the library is
// under way or a close was written: the library waits, or says so.
func (o *outgoing) text(p []byte) (done bool, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.over || !o.between() {
		return false, nil
	}
	if err = o.flush(); err != nil { // what was tried
		return true, err
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
	if o.between() || len(o.kept)+len(p) > keptSize {
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
		o.kept = kepts.Get().(*[keptSize]byte)[:0]
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
	if len(o.kept)+len(p)+len(ping) <= keptSize {
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
	o.giveBack()
	return err
}

// giveBack drops what is kept.
func (o *outgoing) giveBack() {
	kepts.Put((*[keptSize]byte)(o.kept[:keptSize]))
	o.kept = nil
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
