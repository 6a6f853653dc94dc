package gateway

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/coder/websocket"

	"steno/gateway/metrics"
	"steno/messages"
)

const (
	firstBuffer = 4 << 10  // bytes: a tenth of a second of most formats
	pieceSize   = 64 << 10 // bytes of a long binary message given on at a time
	keptBuffer  = 64 << 10 // bytes that each socket may hold; a longer text is read as a stream
	roomWait    = 10 * time.Second
)

var (
	// errTooBig says that a message is over its limit.
	errTooBig = errors.New("message is over the limit")
	// errOverload says that all sockets together hold as much as they may.
	errOverload = errors.New("no room for a long message")
)

// read takes messages until the connection ends; its error says how.
func (k *socket) read() error {
	for {
		k.reading.await()
		kind, r, err := k.conn.Reader(unbounded)
		if err != nil {
			return err
		}
		k.reading.begin()
		k.owing = false
		if kind == websocket.MessageBinary {
			err = k.binary(r)
		} else {
			err = k.text(r)
		}
		k.reading.end()
		switch {
		case errors.Is(err, errTooBig):
			k.out.end(messages.CloseTooBig)
			return k.drainClosing()
		case errors.Is(err, errOverload):
			k.server.metrics.Drop(metrics.DropOverload)
			k.out.end(messages.CloseOverload)
			return k.drainClosing()
		case err != nil:
			return err
		case k.misuse >= k.server.cfg.Limits.Misuse:
			k.out.end(messages.CloseMisuse)
			return k.drainClosing()
		}
	}
}

// drainClosing leaves the connection to the writer, which closes it.
func (k *socket) drainClosing() error {
	<-k.shut
	return errTooBig
}

// binary takes a message of audio bytes, giving them on as they come.
func (k *socket) binary(r io.Reader) error {
	total, refused := int64(0), false
	for {
		n, last, err := k.fill(r)
		if err != nil {
			return err
		}
		if total += int64(n); total > k.server.cfg.Limits.BinaryFrame {
			return errTooBig
		}
		refused = k.audio(k.buf[:n]) || refused
		if last {
			break
		}
		if cap(k.buf) < pieceSize {
			k.buf = make([]byte, 0, 4*cap(k.buf))
		}
	}
	k.heardAudio(total == 0, refused)
	return nil
}

// fill reads as much as the buffer has room for; last says that the message ends there.
func (k *socket) fill(r io.Reader) (n int, last bool, err error) {
	buf := k.buf[:cap(k.buf)]
	for n < len(buf) {
		k.reading.await()
		got, err := r.Read(buf[n:min(len(buf), n+readSize)])
		k.reading.got(got)
		n += got
		if errors.Is(err, io.EOF) {
			return n, true, nil
		}
		if err != nil {
			return n, false, err
		}
	}
	return n, false, nil
}

// text takes a message of text.
func (k *socket) text(r io.Reader) error {
	text, whole, err := k.beginning(r)
	switch {
	case err != nil:
		return err
	case !whole:
		return k.longText(text, r)
	}
	m, err := messages.ParseClient(text)
	k.message(m, err, len(m.Audio) > 0 && k.audio(m.Audio))
	return nil
}

// message does what a message says, whose audio has been given on.
func (k *socket) message(m messages.ClientMessage, fault error, refused bool) {
	switch {
	case fault != nil:
		k.misuse++
		k.session.Refuse(messages.AudioAck{Refused: fault.Error()})
		if k.owing { // what came before the fault was seen
			k.heardAudio(false, false)
		}
	case m.Kind == messages.ClientStop:
		k.stop()
	case m.Kind == messages.ClientKeepAlive:
		k.heardAudio(true, false)
	case m.Kind == messages.ClientAudio:
		k.heardAudio(false, refused)
	}
}

// longText takes a message that is too long to be held, of which the beginning has come. Its audio is given on as it comes;
// what else is held of it must fit into its limit, and into what all sockets may hold together.
func (k *socket) longText(beginning []byte, r io.Reader) error {
	limits := &k.server.cfg.Limits
	refused, room := false, false
	stream := messages.NewClientStream(int(limits.TextMessage), func(p []byte) { refused = k.audio(p) || refused })
	total, last, piece := int64(0), false, beginning
	for {
		if total += int64(len(piece)); total > limits.TextFrame || stream.Write(piece) != nil {
			return errTooBig
		}
		if last {
			break
		}
		if !room && !stream.Streamed() {
			if !k.takeRoom(limits.TextMessage) {
				return errOverload
			}
			defer k.server.room.Release(limits.TextMessage)
			room = true
		}
		n, ended, err := k.fill(r)
		if err != nil {
			return err
		}
		piece, last = k.buf[:n], ended
	}
	m, fault := stream.End()
	k.message(m, fault, len(m.Audio) > 0 && k.audio(m.Audio) || refused)
	return nil
}

// takeRoom waits for a part of what all sockets may hold. Meanwhile nothing is read.
func (k *socket) takeRoom(bytes int64) bool {
	ctx, cancel := context.WithTimeout(k.server.life, roomWait)
	defer cancel()
	return k.server.room.Acquire(ctx, bytes) == nil
}

// beginning reads as much of a message as a socket may hold, into the buffer, which grows with what has come, not with
// what is announced. It tells whether that is the whole message.
func (k *socket) beginning(r io.Reader) (text []byte, whole bool, err error) {
	limit := int(k.server.cfg.Limits.TextFrame)
	n := 0
	for {
		got, last, err := k.more(r, n)
		if err != nil {
			return nil, false, err
		}
		if n += got; n > limit {
			return nil, false, errTooBig
		}
		if last || n >= keptBuffer {
			return k.buf[:n], last, nil
		}
		longer := make([]byte, 4*cap(k.buf))
		copy(longer, k.buf[:n])
		k.buf = longer[:0]
	}
}

// more fills the buffer from n on.
func (k *socket) more(r io.Reader, n int) (got int, last bool, err error) {
	whole := k.buf
	k.buf = whole[n:n:cap(whole)]
	got, last, err = k.fill(r)
	k.buf = whole
	return got, last, err
}
