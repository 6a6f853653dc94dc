package wsconn

import (
	"errors"
	"net"
	"syscall"
)

// HasLeft reports whether the client is known to send nothing more than what it may have sent
// already: it has closed its half of the connection, or the connection is broken. It neither waits
// nor reads. Where the system does not tell, it answers as HungUp does.
func (c *Conn) HasLeft() bool {
	if over, known := closedByPeer(c.conn); known {
		return over
	}
	return c.HungUp()
}

// HungUp reports whether the client is known to have closed the connection. It neither waits nor
// reads; where something was received that is not read yet, or the connection is not one of the
// system's, it reports false.
func (c *Conn) HungUp() bool {
	raw, ok := rawConn(c.conn)
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
