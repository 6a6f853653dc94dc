package web

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"syscall"
)

// ConnCatcher is a response that knows the connection below it once it was hijacked, as for a WebSocket.
type ConnCatcher struct {
	http.ResponseWriter
	Conn net.Conn // nil before
}

// socketBuffer is the size, in bytes, of each of the buffers of a WebSocket: some frames of 20 ms, or one event. What is longer
// passes them by.
const socketBuffer = 1 << 10

// Hijack implements http.Hijacker. Its buffers are small: those of net/http are 8 KiB for each connection.
func (w *ConnCatcher) Hijack() (conn net.Conn, buffers *bufio.ReadWriter, err error) {
	conn, buffers, err = http.NewResponseController(w.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	w.Conn = conn
	early, err := buffers.Peek(buffers.Reader.Buffered()) // what the client has sent after its request
	if err != nil {
		return nil, nil, err
	}
	r := bufio.NewReaderSize(io.MultiReader(bytes.NewReader(bytes.Clone(early)), conn), max(socketBuffer, len(early)))
	if _, err := r.Peek(len(early)); err != nil { // as net/http has it: what came early is in the buffer
		return nil, nil, err
	}
	return conn, bufio.NewReadWriter(r, bufio.NewWriterSize(conn, socketBuffer)), nil
}

// HasLeft reports whether the other side of a connection is known to send nothing more than what it may have sent already: it
// has closed its half of the connection, or the connection is broken. It neither waits nor takes anything from what was received.
// Where the system does not tell, it answers as HungUp does.
func HasLeft(conn net.Conn) bool {
	if over, known := closedByPeer(conn); known {
		return over
	}
	return HungUp(conn)
}

// HungUp reports whether the other side of a connection is known to have closed it. It neither waits nor takes anything from
// what was received; where there is something, or the connection is not one of the system's, it reports false.
func HungUp(conn net.Conn) bool {
	raw, ok := rawConn(conn)
	if !ok {
		return false
	}
	over := false
	err := raw.Read(func(fd uintptr) bool {
		n, _, err := syscall.Recvfrom(int(fd), make([]byte, 1), syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		over = n == 0 && err == nil || err != nil && !errors.Is(err, syscall.EAGAIN) && !errors.Is(err, syscall.EINTR)
		return true
	})
	return over || errors.Is(err, net.ErrClosed)
}

// rawConn returns the system's connection below one. ok is false where there is none.
func rawConn(conn net.Conn) (raw syscall.RawConn, ok bool) {
	system, ok := conn.(syscall.Conn)
	if !ok {
		return nil, false
	}
	raw, err := system.SyscallConn()
	return raw, err == nil
}
