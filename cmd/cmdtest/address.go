package cmdtest

import (
	"fmt"
	"math/rand/v2"
	"net"
	"testing"
)

// The ports of Address: below those that Linux picks when any is asked for, from 32768 on.
const (
	firstPort = 10_000
	ports     = 20_000
)

// Address returns an address of this machine for a server that a test starts, and may start again:
// nothing listens there, and nothing will that does not ask for this port. It may be called from
// any goroutine.
func Address(t testing.TB) string {
	t.Helper()
	var failure error
	for range 100 {
		address := fmt.Sprintf("127.0.0.1:%d", firstPort+rand.IntN(ports))
		l, err := net.Listen("tcp", address)
		if err == nil {
			_ = l.Close() // nobody has connected
			return address
		}
		failure = err
	}
	t.Fatal(failure)
	return ""
}
