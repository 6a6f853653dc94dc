package subscribers

import (
	"context"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"

	"steno/messages"
)

// BenchmarkFanOut logs events of 500 bytes for the subscribers of one session and reports how many
// messages a second of one core brings to them. It counts the whole process: the log, the network
// and the clients, which do no more than read.
func BenchmarkFanOut(b *testing.B) {
	for _, c := range []struct {
		transport string
		n         int
	}{{transportWebSocket, 300}, {transportSSE, 300}, {transportWebSocket, 10}} {
		b.Run(c.transport+"/"+strconv.Itoa(c.n), func(b *testing.B) { benchFanOut(b, c.transport, c.n) })
	}
}

func benchFanOut(b *testing.B, transport string, subscribers int) {
	s := newTestServer(b, nil)
	k := s.testSession("a1")
	var all sync.WaitGroup
	for range subscribers {
		conn := s.subscribe(transport, "/v2/live/a1/events")
		all.Go(func() { _, _ = io.Copy(io.Discard, conn) })
	}
	waitUntil(b, "all have joined", func() bool { return s.clients() == subscribers })
	b.ResetTimer()
	began := cpuTime()
	for i := range b.N {
		k.logs(messages.KindFinal, strconv.Itoa(i), 400)
		if i%16 == 0 { // no faster than they are read
			waitUntil(b, "what was logged is written", func() bool { return s.held() == 0 })
		}
	}
	k.ends()
	all.Wait()
	b.ReportMetric(float64(b.N*subscribers)/(cpuTime()-began).Seconds(), "messages/core-s")
	b.ReportMetric(0, "ns/op")
}

// subscribe opens a subscription and returns its connection.
func (s *testServer) subscribe(transport, path string) net.Conn {
	s.t.Helper()
	address := strings.TrimPrefix(s.http.URL, "http://")
	conn, err := net.Dial("tcp", address)
	must(s.t, err)
	s.t.Cleanup(func() { _ = conn.Close() })
	if transport == transportWebSocket {
		client := &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn,
			error) {
			return conn, nil
		}}}
		_, _, err := websocket.Dial(s.t.Context(), s.http.URL+path, &websocket.DialOptions{HTTPClient: client})
		must(s.t, err)
		return conn
	}
	_, err = io.WriteString(conn, "GET "+path+" HTTP/1.1\r\nHost: "+address+"\r\nConnection: close\r\n\r\n")
	must(s.t, err)
	return conn
}

// cpuTime is how long the process has kept cores busy.
func cpuTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // fails for bad arguments only
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
