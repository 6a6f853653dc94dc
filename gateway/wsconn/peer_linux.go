package wsconn

import (
	"net"

	"golang.org/x/sys/unix"
)

// closedByPeer asks the system for the state of a connection. known is false where it has none of
// the system's.
func closedByPeer(conn net.Conn) (closed, known bool) {
	raw, ok := rawConn(conn)
	if !ok {
		return false, false
	}
	err := raw.Control(func(fd uintptr) {
		state := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLRDHUP}}
		if _, err := unix.Poll(state, 0); err == nil {
			known = true
			closed = state[0].Revents&(unix.POLLRDHUP|unix.POLLHUP|unix.POLLERR) != 0
		}
	})
	return closed || err != nil, known || err != nil // an error means that it is closed here
}

// setLowWater sets the low-water mark for receiving: the system reports what a connection has
// received from so many bytes on, or at its end. It reports whether the system will.
func setLowWater(fd uintptr, bytes int) bool {
	return unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RCVLOWAT, bytes) == nil
}
