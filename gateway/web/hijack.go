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
	Conn net.Conn // nil before
}

// Hijack implements http.Hijacker.
func (w *ConnCatcher) Hijack() (conn net.Conn, buffers *bufio.ReadWriter, err error) {
	conn, buffers, err = http.NewResponseController(w.ResponseWriter).Hijack()
	w.Conn = conn
	return conn, buffers, err
}

// HungUp reports whether the other side of a connection is known to have closed it. It neither waits nor takes anything from
// what was received; where there is something, or the connection is not one of the system's, it reports false.
func HungUp(conn net.Conn) bool {
	system, ok := conn.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := system.SyscallConn()
	if err != nil {
		return false
	}
	over := false
	err = raw.Read(func(fd uintptr) bool {
		n, _, err := syscall.Recvfrom(int(fd), make([]byte, 1), syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		over = n == 0 && err == nil || err != nil && !errors.Is(err, syscall.EAGAIN) && !errors.Is(err, syscall.EINTR)
		return true
	})
	return over || errors.Is(err, net.ErrClosed)
}
