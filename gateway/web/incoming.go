package web

import (
	"io"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// incoming is the side of a SocketConn that is read.
type incoming struct {
	conn  net.Conn
	raw   syscall.RawConn    // nil: the connection is not one of the system's
	ready func(uintptr) bool // of raw.Read
	pong  func([]byte)       // nil: pongs are as all else
	phase int64              // of the ends of pauses, ns; 0: not chosen yet

	mu     sync.Mutex // held by read and await, which wait with it
	raised bool       // the low-water mark: the system tells of what comes only once it is as much as a buffer holds
	hasty  bool       // receive is not to wait

	buf      []byte // what was read and not given on is buf[from:to]; nil while there is nothing, if raw is not
	from, to int
	left     int64 // bytes of the frame that is given on
	parts    bool  // it is not the last of its message
	broken   bool  // a frame was a violation
	full     bool  // the last read filled the buffer: there may be more
	got      error // of receive
	err      error // of await, until it is told

	ahead atomic.Bool // the buffer has something
	whole atomic.Bool // and all that follows of the message under way
}

// init takes what was read from the connection before: at most aheadSize bytes.
func (in *incoming) init(conn net.Conn, early []byte) {
	in.conn = conn
	if raw, ok := rawConn(conn); ok {
		in.raw, in.ready = raw, in.receive
	} else {
		in.buf = make([]byte, max(socketBuffer, len(early)))
	}
	if len(early) > 0 {
		in.take()
		in.to = copy(in.buf, early)
		in.tell()
	}
}

// await fills the buffer, unless there is something in it. It does nothing where the buffer is not shared.
func (in *incoming) await() {
	if in.raw == nil {
		return
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.get()
}

// try is await without waiting, of which it reports whether it would have returned. It does not wait either for another goroutine that
// reads.
func (in *incoming) try() bool {
	if in.raw == nil || !in.mu.TryLock() {
		return false
	}
	defer in.mu.Unlock()
	in.hasty = true
	defer func() { in.hasty = false }()
	return in.get()
}

// get fills the buffer unless there is something in it, and reports whether there is now, or an end or an error: where it is hasty there
// may be nothing.
func (in *incoming) get() bool {
	for in.from == in.to && in.err == nil {
		err := in.fill()
		if err == syscall.EAGAIN {
			return false
		}
		in.err = err
		in.takePongs()
	}
	in.tell()
	return true
}

// GatherStep is what ends of pauses are multiples of, since 1970. Sockets whose pauses end together are read one after the other, and the
// process sleeps in between, instead of waking for each.
const GatherStep = 5 * time.Millisecond

// gatherers counts the connections, to spread their pauses.
var gatherers atomic.Int64

// gather lets come what comes during a pause, and returns how long that lasts from now on; 0: it is left out.
func (in *incoming) gather(pause time.Duration) time.Duration {
	if in.raw == nil || !in.mu.TryLock() {
		return 0
	}
	defer in.mu.Unlock()
	if in.full || in.from < in.to || in.err != nil {
		return 0
	}
	if !in.raised {
		_ = in.raw.Control(func(fd uintptr) { in.raised = setLowWater(fd, gatherSize) }) // where the socket is closed, reading says so
	}
	if in.phase == 0 {
		in.phase = gatherers.Add(1) * int64(GatherStep)
	}
	return untilGathered(time.Now().UnixNano(), in.phase, pause)
}

// untilGathered is how long a pause lasts that begins now: up to the whole of it less, so that the ends of the pauses of a
// connection lie a pause apart. Those of all connections then stay spread as their phases are, however late one of them was
// read: else they would collect.
func untilGathered(now, phase int64, pause time.Duration) time.Duration {
	return pause - time.Duration((now-phase)%int64(pause))
}

// takePongs takes out the pongs that the buffer begins with, those that are there as a whole.
func (in *incoming) takePongs() {
	for {
		head, frame, whole := frameHead(in.buf[in.from:in.to])
		if !whole || !in.isPong(frame-int64(head)) || int64(in.to-in.from) < frame {
			return
		}
		in.takePong(head, int(frame))
	}
}

func (in *incoming) read(p []byte) (int, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	defer in.tell()
	if len(p) == 0 {
		return 0, nil
	}
	if in.broken {
		return 0, in.discard()
	}
	if in.left == 0 {
		if err := in.nextFrame(); err != nil {
			return 0, err
		}
	}
	p = p[:min(int64(len(p)), in.left)]
	if in.from == in.to && len(p) >= aheadSize {
		if in.raised {
			_ = in.raw.Control(in.lower) // where the socket is closed, reading says so
		}
		n, err := in.conn.Read(p)
		in.left -= int64(n)
		return n, err
	}
	if in.from == in.to {
		if err := in.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(p, in.buf[in.from:in.to])
	in.left -= int64(n)
	in.consume(n)
	return n, nil
}

// tell notes what there is, for other goroutines.
func (in *incoming) tell() {
	if ahead := in.from < in.to; in.ahead.Load() != ahead {
		in.ahead.Store(ahead)
	}
	if whole := !in.parts && in.left <= int64(in.to-in.from); in.whole.Load() != whole {
		in.whole.Store(whole)
	}
}

// nextFrame reads the head of the next frame that is given on, and checks it; of a close all.
func (in *incoming) nextFrame() error {
	for {
		in.takePongs()
		b := in.buf[in.from:in.to]
		if head, frame, whole := frameHead(b); whole && !in.isPong(frame-int64(head)) {
			if err := in.check(b, head, frame); err != nil {
				in.broken = true
				return err
			}
			if b[0]&opcodes != opcodeClose || int64(len(b)) >= frame {
				in.begin(frame)
				return nil
			}
		}
		if err := in.fill(); err != nil {
			return err
		}
	}
}

// check returns a Violation if the frame whose head b begins with, and of which more may be missing, is not allowed.
func (in *incoming) check(b []byte, head int, frame int64) error {
	err := checkFrame(b, frame-int64(head), in.parts)
	if err != nil || b[0]&opcodes != opcodeClose || int64(len(b)) < frame {
		return err
	}
	payload := make([]byte, frame-int64(head))
	unmask(payload, b[head:frame], [maskBytes]byte(b[head-maskBytes:]))
	return checkClose(payload)
}

// maxDiscarded is how many bytes are read after a violation, which a client may have sent before it knew.
const maxDiscarded = 1 << 20

// discard reads what follows a violation, until the client closes the connection or has sent too much. It returns why it ended.
func (in *incoming) discard() error {
	for n := 0; n < maxDiscarded; {
		n += in.to - in.from
		in.consume(in.to - in.from)
		if err := in.fill(); err != nil {
			return err
		}
	}
	return io.EOF
}

// takeBinary takes the message that begins now, if all of it is in the buffer, it is a binary one in one frame that is masked, and p
// has room for it: it puts the payload into p and returns how long that is, else 0. An empty message is left where it is.
func (in *incoming) takeBinary(p []byte) int {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.left > 0 || in.parts || in.broken {
		return 0
	}
	in.takePongs()
	if in.from == in.to || in.buf[in.from] != finalFrame|opcodeBinary {
		in.tell()
		return 0
	}
	head, frame, whole := frameHead(in.buf[in.from:in.to])
	empty := frame == int64(head) // and so not to be told from none: the library gives it on
	if !whole || empty || frame > int64(min(in.to-in.from, head+len(p))) || in.buf[in.from+1]&maskedFrame == 0 {
		return 0
	}
	b := in.buf[in.from : in.from+int(frame)]
	unmask(p, b[head:], [maskBytes]byte(b[head-maskBytes:]))
	in.consume(int(frame))
	in.tell()
	return int(frame) - head
}

// begin begins to give a frame on. Frames of control may lie between those of a message.
func (in *incoming) begin(frame int64) {
	in.left = frame
	if first := in.buf[in.from]; first&control == 0 {
		in.parts = first&finalFrame == 0
	}
}

// isPong reports whether the frame that begins now is a pong to be taken out: whole and masked. Others are faults, which the
// library finds.
func (in *incoming) isPong(payload int64) bool {
	return in.pong != nil && in.buf[in.from] == finalFrame|opcodePong && in.buf[in.from+1]&maskedFrame != 0 && payload <= maxControl
}

func (in *incoming) takePong(head, frame int) {
	b := in.buf[in.from : in.from+frame]
	payload := b[head:]
	unmask(payload, payload, [maskBytes]byte(b[head-maskBytes:]))
	in.pong(payload)
	in.consume(frame)
}

// consume drops n bytes from the buffer.
func (in *incoming) consume(n int) {
	if in.from += n; in.from == in.to {
		in.from, in.to = 0, 0
		in.giveBack()
	}
}

// take gets a buffer if there is none.
func (in *incoming) take() {
	if in.buf == nil {
		in.buf = aheads.Get().(*[aheadSize]byte)[:]
	}
}

// giveBack gives back an empty buffer that is shared.
func (in *incoming) giveBack() {
	if in.raw != nil && in.buf != nil {
		aheads.Put((*[aheadSize]byte)(in.buf))
		in.buf = nil
	}
}

// fill reads what has come behind what is there: nothing, less than the head of a frame, or less than a pong.
func (in *incoming) fill() error {
	if err := in.err; err != nil {
		in.err = nil
		return err
	}
	if in.from > 0 {
		in.to = copy(in.buf, in.buf[in.from:in.to])
		in.from = 0
	}
	if in.raw != nil {
		if err := in.raw.Read(in.ready); err != nil {
			return err
		}
		return in.got
	}
	n, err := in.conn.Read(in.buf[in.to:])
	in.to += n
	in.full = in.to == len(in.buf)
	if n > 0 {
		return nil
	}
	return err
}

// receive takes what the system has, and reports whether that was anything, an end or an error included, or it is not to be waited
// for. While it is waited for there is no buffer, unless the beginning of a frame is in it.
func (in *incoming) receive(fd uintptr) bool {
	in.take()
	n, err := readNow(fd, in.buf[in.to:])
	if err == syscall.EAGAIN && in.raised && !in.hasty {
		in.lower(fd)
		n, err = readNow(fd, in.buf[in.to:]) // what came before that
	}
	if err == nil && n == 0 {
		err = io.EOF
	}
	in.to += max(n, 0)
	in.full, in.got = in.to == len(in.buf), err
	if in.to == 0 {
		in.giveBack()
	}
	return err != syscall.EAGAIN || in.hasty
}

// lower lowers the low-water mark: the system tells of all that comes.
func (in *incoming) lower(fd uintptr) { in.raised = !setLowWater(fd, 1) }

// readNow reads what a connection has, if it has anything.
func readNow(fd uintptr, p []byte) (n int, err error) {
	for {
		if n, err = syscall.Read(int(fd), p); err != syscall.EINTR {
			return n, err
		}
	}
}
