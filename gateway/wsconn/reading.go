package wsconn

import "syscall"

// Kind is what a message consists of.
type Kind byte

// The kinds of messages.
const (
	Text   Kind = opcodeText
	Binary Kind = opcodeBinary
)

// reading is where the reader of a connection stands in its messages. It is guarded by incoming.mu.
type reading struct {
	pong   func([]byte)    // nil: pongs are ignored
	left   int64           // bytes of the frame under way
	key    [maskBytes]byte // of these
	parts  bool            // that frame is not the last of its message
	kind   Kind            // of the message under way
	text   utf8Check       // of it
	broken bool            // a frame was a violation
}

// OnPong has pongs given to a function, on the goroutine that reads. It is called before the first
// read. The payload is valid during the call.
func (c *Conn) OnPong(heard func(payload []byte)) { c.pong = heard }

// Ready notes that the reader has dealt with what it has read and waits for the client from now on.
// It reports whether something was received that is not read.
func (c *Conn) Ready() bool {
	c.rest()
	return c.Buffered()
}

// Buffered reports whether something was received that is not read.
func (c *Conn) Buffered() bool { return c.in.ahead.Load() }

// Await waits until something was received, an end or an error included, which Next returns. Next
// waits too; a goroutine that waits here, between messages, has little on its stack, which then
// takes little memory. Where the buffer is not shared it does nothing.
func (c *Conn) Await() {
	if c.in.raw == nil {
		return
	}
	c.in.mu.Lock()
	defer c.in.mu.Unlock()
	c.get()
}

// Try is Await without waiting, of which it reports whether it would have returned. It does not
// wait either for another goroutine that reads.
func (c *Conn) Try() bool {
	if c.in.raw == nil || !c.in.mu.TryLock() {
		return false
	}
	defer c.in.mu.Unlock()
	c.in.hasty = true
	defer func() { c.in.hasty = false }()
	return c.get()
}

// get fills the buffer unless there is something in it, and reports whether there is now, or an end
// or an error: where it is hasty there may be nothing.
func (c *Conn) get() bool {
	defer c.in.tell()
	for c.in.from == c.in.to && c.in.err == nil {
		if c.in.fill() == syscall.EAGAIN {
			return false
		}
		c.takePongs()
	}
	return true
}

// takePongs takes out the pongs that the buffer begins with, those that are there as a whole.
// Others, and those that break a rule, are left to nextFrame.
func (c *Conn) takePongs() {
	for c.left == 0 && !c.broken {
		b := c.in.received()
		if len(b) == 0 || b[0] != finalFrame|opcodePong {
			return
		}
		head, frame, whole := frameHead(b)
		if !whole || int64(len(b)) < frame || checkFrame(b, frame-int64(head), c.parts) != nil {
			return
		}
		_ = c.control(b[:frame], head) // of a pong none
	}
}

// Batch reads the short binary messages that come next and were received as a whole, each of at
// most most bytes and masked, one after the other into p, and returns how many bytes and messages
// these are. It stops before all others, also before an empty one. It does not wait, and is called
// between messages.
func (c *Conn) Batch(p []byte, most int) (n, messages int) {
	c.in.mu.Lock()
	defer c.in.mu.Unlock()
	defer c.in.tell()
	if c.left > 0 || c.parts || c.broken || c.closing.Load() {
		return 0, 0
	}
	for {
		c.takePongs()
		got := c.in.short(p[n:min(n+most, len(p))])
		if got == 0 {
			break
		}
		n += got
		messages++
	}
	if messages > 0 {
		c.begin()
	}
	return n, messages
}

// Next waits for the next message and begins it. The one before must have been read to its end.
// Errors: a Violation, a CloseError, or that of the connection. After an error only Close and Cut
// may be called.
func (c *Conn) Next() (Kind, error) {
	c.in.mu.Lock()
	defer c.in.mu.Unlock()
	defer c.in.tell()
	if c.closing.Load() {
		return 0, c.drain()
	}
	if err := c.nextFrame(); err != nil {
		return 0, err
	}
	c.begin()
	return c.kind, nil
}

// Read reads more of the message that Next has begun, and waits until p is full or the message
// ends, which last reports. Its errors are those of Next.
func (c *Conn) Read(p []byte) (n int, last bool, err error) {
	c.in.mu.Lock()
	defer c.in.mu.Unlock()
	defer c.in.tell()
	for {
		if c.closing.Load() {
			return n, false, c.drain()
		}
		last = c.left == 0 && !c.parts
		if last || n == len(p) {
			break
		}
		got, err := c.some(p[n:])
		n += got
		if err != nil {
			return n, false, err
		}
	}
	if c.kind == Text && (!c.text.add(p[:n]) || last && !c.text.whole()) {
		return n, false, notText()
	}
	return n, last, nil
}

// some reads some bytes of the message under way, or none where a frame of it is empty.
func (c *Conn) some(p []byte) (n int, err error) {
	if c.parts || c.left > int64(len(c.in.received())) { // more may have to be received
		c.await()
	}
	defer func() { c.got(n) }()
	if c.left == 0 {
		return 0, c.nextFrame()
	}
	return c.payload(p)
}

// payload reads bytes of the frame under way, of which some are left, and removes their mask.
func (c *Conn) payload(p []byte) (n int, err error) {
	p = p[:min(int64(len(p)), c.left)]
	switch {
	case c.in.from < c.in.to:
		n = copy(p, c.in.received())
		c.in.consume(n)
	case len(p) >= aheadSize:
		n, err = c.in.direct(p)
	default:
		return 0, c.in.fill()
	}
	unmask(p[:n], p[:n], c.key)
	c.key = rotated(c.key, n)
	c.left -= int64(n)
	return n, err
}

// nextFrame begins the next frame of a message, after it has dealt with the frames of control
// before it. Errors: those of Next.
func (c *Conn) nextFrame() error {
	if c.broken {
		return c.in.discard()
	}
	for {
		b := c.in.received()
		head, frame, whole := frameHead(b)
		if whole {
			if err := checkFrame(b, frame-int64(head), c.parts); err != nil {
				c.broken = true
				return err
			}
			if b[0]&control == 0 {
				c.startFrame(b, head, frame)
				c.in.consume(head)
				return nil
			}
			if int64(len(b)) >= frame {
				if err := c.control(b[:frame], head); err != nil {
					return err
				}
				continue
			}
		}
		if err := c.in.fill(); err != nil {
			return err
		}
	}
}

// startFrame begins a frame of a message, which b begins with.
func (r *reading) startFrame(b []byte, head int, frame int64) {
	if opcode := b[0] & opcodes; opcode != opcodeMore {
		r.kind, r.text = Kind(opcode), utf8Check{}
	}
	r.key = [maskBytes]byte(b[head-maskBytes:])
	r.left, r.parts = frame-int64(head), b[0]&finalFrame == 0
}

// control deals with a frame of control, b. It returns an error for a close, and for an answer that
// was not written.
func (c *Conn) control(b []byte, head int) error {
	payload := b[head:]
	unmask(payload, payload, [maskBytes]byte(b[head-maskBytes:head]))
	defer c.in.consume(len(b))
	switch b[0] & opcodes {
	case opcodePong:
		if c.pong != nil {
			c.pong(payload)
		}
		return nil
	case opcodePing:
		return c.within(func() error { return c.out.control(opcodePong, payload) })
	}
	return c.closed(payload)
}

// closed answers a close with its own payload, unless the server has sent one, and closes the
// connection, unless Close does that.
func (c *Conn) closed(payload []byte) error {
	reason, err := parseClose(payload)
	if err != nil {
		c.broken = true
		return err
	}
	c.in.err = reason
	_ = c.within(func() error { return c.out.control(opcodeClose, payload) }) // a client that is gone needs none
	if !c.closing.Swap(true) {
		_ = c.conn.Close()
	}
	return reason
}

// drain discards what follows, until the client has answered a close, the connection ends or breaks
// a rule. It returns why it ended.
func (c *Conn) drain() error {
	for {
		if c.left == 0 {
			if err := c.nextFrame(); err != nil {
				return err
			}
		}
		if n := min(c.left, int64(len(c.in.received()))); n > 0 {
			c.in.consume(int(n))
			c.left -= n
		} else if c.left > 0 {
			if err := c.in.fill(); err != nil {
				return err
			}
		}
	}
}
