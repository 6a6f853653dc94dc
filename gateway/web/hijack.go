package web

import (
	"bufio"
	"errors"
	"net"
	"net/http"
	"syscall"
)

// ConnCatcher is a response that knows the connection below it once it was hijacked, as for a WebSocket.
type ConnCatcher struct {
	http.ResponseWriter
	Conn   net.Conn    // nil before
	Socket *SocketConn // above Conn, what the library of WebSockets has; nil before
}

const (
	// socketBuffer is the size, in bytes, of the buffer of a WebSocket that cannot share one: some frames of 20 ms.
	socketBuffer = 1 << 10
	// libraryBuffer is that of each of the two that the library has above a SocketConn: enough for the head of a frame.
	libraryBuffer = 64
)

// Hijack implements http.Hijacker. Its buffers are small: those of net/http are 8 KiB for each connection.
func (w *ConnCatcher) Hijack() (conn net.Conn, buffers *bufio.ReadWriter, err error) {
	conn, buffers, err = http.NewResponseController(w.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	early, err := buffers.Peek(min(buffers.Reader.Buffered(), aheadSize)) // what the client has sent after its request
	if err != nil {
		return nil, nil, err
	}
	w.Conn, w.Socket = conn, newSocketConn(conn, early)
	return w.Socket, bufio.NewReadWriter(bufio.NewReaderSize(w.Socket, libraryBuffer), bufio.NewWriterSize(w.Socket, libraryBuffer)), nil
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
