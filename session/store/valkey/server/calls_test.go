package server

import (
	"context"
	"fmt"
	"net"
	"testing"

	"github.com/valkey-io/valkey-go"
)

// TestAnotherCallIsGivenUp makes a connection with the context of another call, which has ended: a
// call that waited for that connection is made again, and one whose own context has ended is not.
func TestAnotherCallIsGivenUp(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	others, giveUp := context.WithCancel(t.Context())
	giveUp()
	for _, test := range []struct {
		own  context.Context
		want int
	}{{t.Context(), 2}, {others, 1}} {
		attempts := 0
		_, err := send(test.own, func() (m valkey.ValkeyMessage, err error) {
			if attempts++; attempts == 1 {
				_, err = new(net.Dialer).DialContext(others, "tcp", l.Addr().String())
				err = fmt.Errorf("connect: %w", err)
			}
			return m, err
		})
		if attempts != test.want || (err == nil) != (test.want == 2) {
			t.Errorf("%d attempts, want %d; error %v", attempts, test.want, err)
		}
	}
}
