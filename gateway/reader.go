package gateway

import (
	"errors"
	"io"

	"github.com/coder/websocket"

	"steno/messages"
)

const (
	firstBuffer = 4 << 10  // bytes: a tenth of a second of most formats
	pieceSize   = 64 << 10 // bytes of a long binary message given on at a time
	keptBuffer  = 64 << 10 // a longer buffer is let go after the message that needed it
)

// errTooBig says that a message is over its limit.
var errTooBig = errors.New("message is over the limit")

// read takes messages until the connection ends; its error says how.
func (k *socket) read() error {
	for {
		kind, r, err := k.conn.Reader(unbounded)
		if err != nil {
			return err
		}
		k.busy.Store(true)
		if kind == websocket.MessageBinary {
			err = k.binary(r)
		} else {
			err = k.text(r)
		}
		k.touch()
		k.busy.Store(false)
		if errors.Is(err, errTooBig) {
			k.out.end(messages.CloseTooBig)
			return k.drainClosing()
		}
		if err != nil {
			return err
		}
		if k.misuse >= k.server.cfg.Limits.Misuse {
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
		got, err := r.Read(buf[n:])
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
	whole, err := k.wholeText(r)
	if err != nil {
		return err
	}
	m, err := messages.ParseClient(whole)
	switch {
	case err != nil:
		k.misuse++
		k.session.Refuse(messages.AudioAck{Refused: err.Error()})
	case m.Kind == messages.ClientStop:
		k.stop()
	case m.Kind == messages.ClientKeepAlive:
		k.heardAudio(true, false)
	case m.Kind == messages.ClientAudio:
		k.heardAudio(false, k.audio(m.Audio))
	}
	if cap(k.buf) > keptBuffer {
		k.buf = make([]byte, 0, firstBuffer)
	}
	return nil
}

// wholeText reads a message into the buffer, which grows with what has come, not with what is announced.
func (k *socket) wholeText(r io.Reader) ([]byte, error) {
	limit := int(k.server.cfg.Limits.TextFrame)
	n := 0
	for {
		got, last, err := k.more(r, n)
		if err != nil {
			return nil, err
		}
		if n += got; n > limit {
			return nil, errTooBig
		}
		if last {
			return k.buf[:n], nil
		}
		longer := make([]byte, min(4*cap(k.buf), limit+1+firstBuffer))
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
