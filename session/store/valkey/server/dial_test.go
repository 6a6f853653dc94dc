package server

import (
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"steno/session/store/valkeytest"
)

// TestDenied connects from another address than loopback to a server in protected mode: the error
// contains the server's answer.
func TestDenied(t *testing.T) {
	host := outerAddress(t)
	s := valkeytest.Start(t, "--bind", "0.0.0.0", "--protected-mode", "yes")
	_, port, _ := net.SplitHostPort(s.Addr())
	_, err := Connect(t.Context(), Options{Addr: net.JoinHostPort(host, port)})
	if err == nil || !strings.Contains(err.Error(), "the server denies the connection: ") ||
		!strings.Contains(err.Error(), "protected mode") {
		t.Errorf("error is %v", err)
	}
}

func TestUnixSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	valkeytest.Start(t, "--unixsocket", path)
	s, err := Connect(t.Context(), Options{Addr: "unix://" + path})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Ping(t.Context()); err != nil {
		t.Error(err)
	}
}

// outerAddress is an address of this machine that others have for it.
func outerAddress(t *testing.T) string {
	t.Helper()
	all, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok && n.IP.IsGlobalUnicast() && n.IP.To4() != nil {
			return n.IP.String()
		}
	}
	t.Skip("this machine has no address but loopback")
	return ""
}

// Connections that a crowd of waiting commands has opened are closed once they are not used.
func TestIdleConnectionsAreClosed(t *testing.T) {
	const crowd = 12
	v := valkeytest.Start(t)
	s, err := Connect(t.Context(), Options{Addr: v.Addr(), Idle: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	open := func() int {
		info, err := v.Command("INFO", "clients")
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(info, "connected_clients:")
		n, err := strconv.Atoi(strings.TrimSpace(strings.SplitN(rest, "\n", 2)[0]))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := open()
	var waiting sync.WaitGroup
	for range crowd {
		waiting.Go(func() {
			_ = s.Client.Do(t.Context(), s.Client.B().Blpop().Key("nothing").Timeout(0.5).Build()).Error() // none comes
		})
	}
	for open() < before+crowd {
		time.Sleep(time.Millisecond)
	}
	waiting.Wait()
	for deadline := time.Now().Add(10 * time.Second); open() > before+spareConnections; {
		if time.Now().After(deadline) {
			t.Fatalf("%d connections are left, %d were open before", open(), before)
		}
		time.Sleep(time.Millisecond)
	}
}
