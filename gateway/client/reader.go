package client

import (
	"context"
	"errors"
	"sync"
	"time"

	"steno/gateway/dialect"
	"steno/gateway/metrics"
	"steno/gateway/wsconn"
	"steno/messages"
)

const (
	firstBuffer = 16 << 10 // bytes: half a second of audio; a reader's own buffer grows with its client's messages
	maxBuffer   = 64 << 10 // bytes that each socket may hold; a longer text is parsed as a stream
	pieceSize   = 64 << 10 // bytes of a long binary message that are passed on in one piece
	roomWait    = 10 * time.Second

	// mostEmpty is how often in a row a poll may find no message before a goroutine waits for the
	// next one. Clients are late now and then, and another poll costs less.
	mostEmpty = 3
)

var (
	// errTooBig reports a message over its limit.
	errTooBig = errors.New("message is over the limit")
	// errOverload reports that all sockets together hold as many bytes as they may.
	errOverload = errors.New("no room for a long message")
)

// reader reads the messages of one socket. Except for waits it is used by one goroutine at a time:
// its own or, while messages accumulate, one of the read queue.
type reader struct {
	client  *Client
	intake  *intake
	buf     []byte // nil between messages unless it has grown
	misuse  int    // messages that were not understood
	direct  bool   // the next messages must not accumulate
	empty   int    // polls in a row that found no message
	failed  bool   // it has panicked
	refused bool   // audio of the message was refused because the recording is stopped

	first    *dialect.Message     // a message that was read already; nil: none
	binaries dialect.BinaryParser // reads binary messages; nil: they are audio
	hearer   dialect.Hearer       // hears the audio of binary messages; nil: no parser does
}

// buffers holds spare buffers.
var buffers = sync.Pool{New: func() any { return new([firstBuffer]byte) }}

// read reads messages until they are to accumulate or the connection ends. It returns how long they
// accumulate, after which gathered is to be called; with 0, err is why the connection ended.
func (r *reader) read() (pause time.Duration, err error) {
	if m := r.first; m != nil {
		r.first = nil
		if err := r.judge(r.again(m)); err != nil {
			return 0, err
		}
	}
	for !r.failed {
		if pause := r.await(); pause > 0 {
			return pause, nil
		}
		if r.short() {
			continue
		}
		if err := r.message(); err != nil {
			return 0, err
		}
	}
	return 0, nil
}

// await waits until there is something to read. If messages are to accumulate instead, it returns
// for how long.
func (r *reader) await() time.Duration {
	if r.client.conn.Ready() {
		return 0
	}
	if !r.direct {
		if pause := r.intake.rest(); pause > 0 {
			return pause
		}
	}
	r.direct = false
	r.client.conn.Await()
	return 0
}

// gathered reads the accumulated short messages of audio. It returns how long the next ones
// accumulate; 0: read must be called. It waits only for a session that is slow.
func (r *reader) gathered() (pause time.Duration) {
	if !r.intake.held() {
		if r.client.conn.Try() {
			r.empty = 0
			return r.shorts()
		}
		if r.empty++; r.empty < mostEmpty {
			if pause := r.intake.rest(); pause > 0 {
				return pause
			}
		}
	}
	r.intake.acks.rest(0)
	r.direct, r.empty = true, 0
	return 0
}

// shorts is gathered after something has arrived.
func (r *reader) shorts() (pause time.Duration) {
	for r.short() {
		if !r.client.conn.Ready() {
			return r.intake.rest()
		}
	}
	return 0
}

// message reads one message. An error means that the connection has ended.
func (r *reader) message() error {
	kind, err := r.client.conn.Next()
	if err == nil {
		err = r.take(kind)
	}
	return r.judge(err)
}

// judge closes the connection if the error of a message requires it. An error means that the
// connection has ended.
func (r *reader) judge(err error) error {
	violation, violated := errors.AsType[*wsconn.Violation](err)
	switch {
	case violated:
		return r.refuse(dialect.Ending{Why: endOf(violation), Detail: violation.Reason})
	case errors.Is(err, errTooBig):
		return r.refuse(dialect.Ending{Why: dialect.TooBig})
	case errors.Is(err, errOverload):
		r.client.all.cfg.Metrics.Drop(metrics.DropOverload)
		return r.refuse(dialect.Ending{Why: dialect.Overload})
	case err != nil:
		return err
	case r.misuse >= r.client.all.cfg.Limits.Misuse:
		return r.refuse(dialect.Ending{Why: dialect.Misuse})
	}
	return nil
}

// endOf returns the end for a violation.
func endOf(v *wsconn.Violation) dialect.Why {
	if v.Code == wsconn.CodeNotText {
		return dialect.NotText
	}
	return dialect.Protocol
}

// refuse has the writer close the connection, and waits for that.
func (r *reader) refuse(e dialect.Ending) error {
	r.client.out.end(e)
	<-r.client.written
	return errTooBig
}

// take handles one message.
func (r *reader) take(kind wsconn.Kind) error {
	r.intake.begin(1)
	r.refused = false
	r.borrow()
	defer r.giveBack()
	if kind == wsconn.Binary {
		return r.binary()
	}
	return r.text()
}

// again handles a message of which all or the beginning was read before the client was attached.
func (r *reader) again(m *dialect.Message) error {
	r.intake.begin(1)
	r.refused = false
	r.borrow()
	defer r.giveBack()
	switch {
	case !m.Binary && m.Long:
		return r.longText(m.Data)
	case !m.Binary:
		r.client.parser.Text(m.Data, r)
		return nil
	case r.binaries != nil:
		r.binaries.Binary(m.Data, !m.Long, r)
	default:
		refused := r.pass(m.Data)
		if !m.Long {
			r.intake.acknowledge(len(m.Data) == 0, refused)
		}
	}
	if m.Long {
		return r.binary()
	}
	return nil
}

// borrow ensures that there is a buffer.
func (r *reader) borrow() {
	if r.buf == nil {
		r.buf = buffers.Get().(*[firstBuffer]byte)[:0]
	}
}

// giveBack frees the buffer unless it has grown.
func (r *reader) giveBack() {
	if cap(r.buf) == firstBuffer {
		buffers.Put((*[firstBuffer]byte)(r.buf[:firstBuffer]))
		r.buf = nil
	}
}

// binary reads a message of audio and passes its bytes on as they arrive. Complete messages that
// follow are added to its last piece.
func (r *reader) binary() error {
	total, refused := int64(0), false
	for {
		n, last, err := r.client.conn.Read(r.buf[:cap(r.buf)])
		if err != nil {
			return err
		}
		if total += int64(n); total > r.client.all.cfg.Limits.BinaryFrame {
			return errTooBig
		}
		if r.binaries != nil {
			r.binaries.Binary(r.buf[:n], last, r)
			if last {
				return nil
			}
			continue
		}
		if last && n > 0 {
			more, count := r.batch(n)
			n += more
			r.intake.count += count
		}
		refused = r.pass(r.buf[:n]) || refused
		if last {
			break
		}
		if cap(r.buf) < pieceSize {
			r.buf = make([]byte, 0, pieceSize)
		}
	}
	r.intake.acknowledge(total == 0, refused)
	return nil
}

// short handles the next messages of audio that have arrived completely and fit into a buffer, and
// reports whether there was one. Most messages are of this sort.
func (r *reader) short() bool {
	if r.binaries != nil || !r.client.conn.Buffered() || r.client.closing.Load() {
		return false
	}
	r.borrow()
	defer r.giveBack()
	n, messages := r.batch(0)
	if n == 0 {
		return false
	}
	r.intake.begin(messages)
	r.intake.acknowledge(false, r.pass(r.buf[:n]))
	return true
}

// pass hands audio of binary messages on, and reports whether any was refused.
func (r *reader) pass(p []byte) (refused bool) {
	if r.hearer != nil {
		r.hearer.Hear(p)
	}
	return r.intake.audio(p)
}

// batch reads complete messages of audio into the buffer after its first n bytes, as far as they
// fit, and returns how many bytes and messages it has read.
func (r *reader) batch(n int) (bytes, messages int) {
	return r.client.conn.Batch(r.buf[n:cap(r.buf)], int(min(r.client.all.cfg.Limits.BinaryFrame, pieceSize)))
}

// text reads a message of text.
func (r *reader) text() error {
	text, whole, err := r.beginning()
	switch {
	case err != nil:
		return err
	case !whole:
		return r.longText(text)
	}
	r.client.parser.Text(text, r)
	return nil
}

// Audio implements [dialect.Input].
func (r *reader) Audio(p []byte) {
	r.intake.texts = r.intake.texts || len(p) > 0
	r.refused = r.intake.audio(p) || r.refused
}

// EndAudio implements [dialect.Input].
func (r *reader) EndAudio() { r.intake.acknowledge(false, r.refused) }

// KeepAlive implements [dialect.Input].
func (r *reader) KeepAlive() { r.intake.acknowledge(true, false) }

// Mark implements [dialect.Input].
func (r *reader) Mark(m messages.Mark) { r.intake.mark(m) }

// Update implements [dialect.Input].
func (r *reader) Update(u messages.Update) { r.intake.update(u) }

// Answer implements [dialect.Input].
func (r *reader) Answer(text []byte) {
	r.client.out.Send(messages.Event{Key: messages.Key{Kind: messages.KindAnswer}, Body: text})
}

// End implements [dialect.Input].
func (r *reader) End(e dialect.Ending) { r.client.out.end(e) }

// Stop implements [dialect.Input].
func (r *reader) Stop() { r.intake.stop() }

// Reject implements [dialect.Input].
func (r *reader) Reject(fault error) {
	r.misuse++
	r.intake.session.Refuse(messages.AudioAck{Refused: fault.Error()})
	r.intake.acknowledgeOwed() // of the audio before the fault
}

// longText reads a message that is too long for a buffer, starting with the part already read. It
// passes the audio on as it arrives. The rest must be within its own limit, and within what all
// sockets together may hold.
func (r *reader) longText(beginning []byte) error {
	limits := &r.client.all.cfg.Limits
	room := false
	r.intake.texts = true
	stream := r.client.parser.Stream(int(limits.TextMessage), r)
	total, last, piece := int64(0), false, beginning
	for {
		if total += int64(len(piece)); total > limits.TextFrame || stream.Write(piece) != nil {
			return errTooBig
		}
		if last {
			break
		}
		if !room && !stream.Streamed() {
			if !r.reserve() {
				return errOverload
			}
			defer r.client.all.longMessages.Release(r.client.seat.Holder, 1)
			room = true
		}
		n, ended, err := r.client.conn.Read(r.buf[:cap(r.buf)])
		if err != nil {
			return err
		}
		piece, last = r.buf[:n], ended
	}
	stream.End()
	return nil
}

// reserve waits until the socket may hold a long message, and reports whether it may. Nothing is
// read in the meantime.
func (r *reader) reserve() bool {
	ctx, cancel := context.WithTimeout(r.client.all.life, roomWait)
	defer cancel()
	return r.client.all.longMessages.Acquire(ctx, r.client.seat.Holder, 1) == nil
}

// beginning reads as much of a message as a socket may hold. The buffer grows with the bytes
// received, not with the announced length. It reports whether that is the whole message.
func (r *reader) beginning() (text []byte, whole bool, err error) {
	limit := int(r.client.all.cfg.Limits.TextFrame)
	n := 0
	for {
		got, last, err := r.client.conn.Read(r.buf[n:cap(r.buf)])
		if err != nil {
			return nil, false, err
		}
		if n += got; n > limit {
			return nil, false, errTooBig
		}
		if last || n >= maxBuffer {
			return r.buf[:n], last, nil
		}
		longer := make([]byte, maxBuffer)
		copy(longer, r.buf[:n])
		r.buf = longer[:0]
	}
}
