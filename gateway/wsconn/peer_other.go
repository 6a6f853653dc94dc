//go:build !linux

package wsconn

import "net"

// closedByPeer knows nothing.
func closedByPeer(net.Conn) (closed, known bool) { return false, false }

// setLowWater cannot do that.
func setLowWater(uintptr, int) bool { return false }
