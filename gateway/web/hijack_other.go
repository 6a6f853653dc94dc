//go:build !linux

package web

import "net"

// closedByPeer knows nothing.
func closedByPeer(net.Conn) (closed, known bool) { return false, false }

// tellFrom cannot do that.
func tellFrom(uintptr, int) bool { return false }
