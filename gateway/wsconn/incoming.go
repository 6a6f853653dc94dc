package wsconn

import (
	"io"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	// aheadSize is the size, in bytes, of the buffers that connections share to read into: half a
	// second of audio, so that a process that is late reads what has come meanwhile with one call.
	aheadSize = 16 << 10
	// gatherSize is how many bytes end a pause in which messages gather: some frames of 20 ms, or
	// two of 100 ms.
	gatherSize = 8 << 10
	// ownSize is the size, in bytes, of the buffer of a connection that cannot share one: some
	// frames of 20 ms.
	ownSize = 1 << 10
)

// aheads holds the buffers that no connection needs at the moment.
var aheads = sync.Pool{New: func() any { return new([aheadSize]byte) }}

// incoming is the buffer of what was received and not read yet.
type incoming struct {
	conn  net.Conn
	raw   syscall.RawConn    // nil: the connection is not one of the system's
	ready func(uintptr) bool // of raw.Read
	phase int64              // of the ends of pauses, ns; 0: not chosen yet

	mu     lock // held by those who read, who wait with it
	raised bool // the low-water mark: the system reports what comes only once it is as much as a buffer holds
	hasty  bool // receive is not to wait

	buf      []byte // what was received and not read is buf[from:to]; nil while there is nothing, if raw is not
	from, to int
	full     bool  // the last read filled the buffer: there may be more
	got      error // of receive
	err      error // why nothing more is received; nil: more may be

	ahead atomic.Bool // the buffer has something
}

// init makes the buffer that of a connection. early is what was received before: at most aheadSize
// bytes.
func (in *incoming) init(conn net.Conn, early []byte) {
	in.conn, in.mu = conn, make(lock, 1)
	if raw, ok := rawConn(conn); ok {
		in.raw, in.ready = raw, in.receive
	} else {
		in.buf = make([]byte, max(ownSize, len(early)))
	}
	if len(early) > 0 {
		in.borrow()
		in.to = copy(in.buf, early)
		in.tell()
	}
}

// tell notes whether there is something, for those who do not hold mu.
func (in *incoming) tell() {
	if ahead := in.from < in.to; in.ahead.Load() != ahead {
		in.ahead.Store(ahead)
	}
}

// received is what is in the buffer. It is valid until the next call.
func (in *incoming) received() []byte { return in.buf[in.from:in.to] }

// consume drops n bytes from the buffer.
func (in *incoming) consume(n int) {
	if in.from += n; in.from == in.to {
		in.from, in.to = 0, 0
		in.giveBack()
	}
}

// borrow gets a buffer if there is none.
func (in *incoming) borrow() {
	if in.buf == nil {
		in.buf = aheads.Get().(*[aheadSize]byte)[:]
	}
}

// giveBack returns an empty buffer that is shared.
func (in *incoming) giveBack() {
	if in.raw != nil && in.buf != nil {
		aheads.Put((*[aheadSize]byte)(in.buf))
		in.buf = nil
	}
}

// fill receives more after what is there, which is less than a frame of control or than the head
// of one. Its errors are those of the connection, and EAGAIN where it is hasty.
func (in *incoming) fill() error {
	if in.err != nil {
		return in.err
	}
	if in.from > 0 {
		in.to = copy(in.buf, in.buf[in.from:in.to])
		in.from = 0
	}
	err := in.more()
	if err != syscall.EAGAIN {
		in.err = err
	}
	return err
}

func (in *incoming) more() error {
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

// receive reads what the system has, and reports whether that was anything, an end or an error
// included, or it is not to be waited for. While it is waited for there is no buffer, unless the
// beginning of a frame is in it.
func (in *incoming) receive(fd uintptr) bool {
	in.borrow()
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

// short reads the next message into p if all of it is in the buffer, it is a binary one in one
// frame that is masked, and p has room for it. It returns how long that is, else 0. An empty
// message is left where it is, since it cannot be distinguished from none.
func (in *incoming) short(p []byte) int {
	b := in.received()
	if len(b) < shortestHead || b[0] != finalFrame|opcodeBinary || b[1]&maskedFrame == 0 {
		return 0
	}
	head, frame, whole := frameHead(b)
	if !whole || frame == int64(head) || frame > int64(min(len(b), head+len(p))) {
		return 0
	}
	unmask(p, b[head:frame], [maskBytes]byte(b[head-maskBytes:]))
	in.consume(int(frame))
	return int(frame) - head
}

// maxDiscarded is how many bytes are read after a violation, which a client may have sent before it
// knew.
const maxDiscarded = 1 << 20

// discard receives what follows a violation and drops it, until the client closes the connection or
// has sent too much. It returns why it ended.
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

// direct receives past the buffer, which is empty.
func (in *incoming) direct(p []byte) (int, error) {
	if in.err != nil {
		return 0, in.err
	}
	if in.raised {
		_ = in.raw.Control(in.lower) // where the connection is closed, reading reports it
	}
	n, err := in.conn.Read(p)
	if n > 0 {
		return n, nil
	}
	in.err = err
	return 0, err
}

// lower lowers the low-water mark: the system reports all that comes.
func (in *incoming) lower(fd uintptr) { in.raised = !setLowWater(fd, 1) }

// readNow reads what a connection has, if it has anything.
func readNow(fd uintptr, p []byte) (n int, err error) {
	for {
		if n, err = syscall.Read(int(fd), p); err != syscall.EINTR {
			return n, err
		}
	}
}

// GatherStep is what ends of pauses are multiples of, since 1970. Connections whose pauses end
// together are read one after the other, and the process sleeps in between, instead of waking for
// each.
const GatherStep = 5 * time.Millisecond

// gatherers counts the connections, to spread their pauses.
var gatherers atomic.Int64

// Gather begins a pause in which messages gather, so that one read takes all that has come: it
// returns how long the caller is to leave the connection alone before it calls Try. That is up to
// the pause less: the ends of a connection's pauses lie a pause apart, those of all connections are
// spread, at multiples of GatherStep. It returns 0 where more has come already, or the connection
// cannot be left alone.
func (c *Conn) Gather(pause time.Duration) time.Duration {
	in := &c.in
	if in.raw == nil || !in.mu.TryLock() {
		return 0
	}
	defer in.mu.Unlock()
	if in.full || in.from < in.to || in.err != nil {
		return 0
	}
	if !in.raised {
		raise := func(fd uintptr) { in.raised = setLowWater(fd, gatherSize) }
		_ = in.raw.Control(raise) // where the connection is closed, reading reports it
	}
	if in.phase == 0 {
		in.phase = gatherers.Add(1) * int64(GatherStep)
	}
	return untilGathered(time.Now().UnixNano(), in.phase, pause)
}

// untilGathered is how long a pause lasts that begins now: up to the whole of it less, so that the
// ends of the pauses of a connection lie a pause apart. Those of all connections then stay spread
// as their phases are, however late one of them was read: else they would collect.
func untilGathered(now, phase int64, pause time.Duration) time.Duration {
	return pause - time.Duration((now-phase)%int64(pause))
}
