package subscribers

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"

	"steno/cmd/cmdtest"
)

// natsMessage is the length of a message's body, as that of an event in BenchmarkFanOut.
const natsMessage = 500

// BenchmarkNATS is BenchmarkFanOut of nats-server, to compare with: messages of one subject to
// subscribers over its WebSocket, which are kept nowhere. It counts the server, the network and the
// clients, which do no more than read.
func BenchmarkNATS(b *testing.B) {
	program, err := exec.LookPath("nats-server")
	if err != nil {
		b.Skip("nats-server is not installed")
	}
	for _, n := range []int{300, 10} {
		b.Run(strconv.Itoa(n), func(b *testing.B) { benchNATS(b, program, n) })
	}
}

func benchNATS(b *testing.B, program string, subscribers int) {
	server, publisher, address := startNATS(b, program)
	var received atomic.Int64
	var all sync.WaitGroup
	for range subscribers {
		conn := subscribeNATS(b, address)
		all.Go(func() { _, _ = io.Copy(countBytes{&received}, conn) })
		b.Cleanup(func() { _ = conn.Close() })
	}
	message := fmt.Appendf(nil, "PUB s %d\r\n%s\r\n", natsMessage, bytes.Repeat([]byte("x"), natsMessage))
	publish := func(n int64) {
		for range n {
			if _, err := publisher.Write(message); err != nil {
				b.Fatal(err)
			}
		}
	}
	sent := int64(0)
	published := func() bool { return received.Load() >= sent*natsMessage*int64(subscribers) }
	b.ResetTimer()
	began := cpuTime() + cpuTimeOf(b, server)
	for left := int64(b.N); left > 0; left -= 16 {
		n := min(left, 16)
		publish(n)
		sent += n
		waitUntil(b, "what was published is read", published) // no faster than they read
	}
	b.ReportMetric(float64(b.N*subscribers)/(cpuTime()+cpuTimeOf(b, server)-began).Seconds(), "messages/core-s")
	b.ReportMetric(0, "ns/op")
}

// startNATS starts a server, connects a publisher to it and returns the address of its WebSocket.
func startNATS(b *testing.B, program string) (server *os.Process, publisher net.Conn, address string) {
	b.Helper()
	plain, web := cmdtest.Address(b), cmdtest.Address(b)
	config := filepath.Join(b.TempDir(), "nats.conf")
	text := fmt.Sprintf("listen: %q\nwebsocket {\n listen: %q\n no_tls: true\n}\n", plain, web)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(program, "-c", config)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	waitUntil(b, "nats-server listens", func() bool {
		conn, err := net.Dial("tcp", web)
		if err != nil {
			return false
		}
		_ = conn.Close()
		publisher, err = net.Dial("tcp", plain)
		return err == nil
	})
	b.Cleanup(func() { _ = publisher.Close() })
	if _, err := io.WriteString(publisher, `CONNECT {"verbose":false}`+"\r\n"); err != nil {
		b.Fatal(err)
	}
	return cmd.Process, publisher, web
}

// subscribeNATS opens a WebSocket that receives the messages, and returns its connection.
func subscribeNATS(b *testing.B, address string) net.Conn {
	b.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		b.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn,
		error) {
		return conn, nil
	}}}
	socket, _, err := websocket.Dial(b.Context(), "ws://"+address, &websocket.DialOptions{HTTPClient: client})
	if err == nil {
		err = socket.Write(b.Context(), websocket.MessageBinary,
			[]byte(`CONNECT {"verbose":false}`+"\r\nSUB s 1\r\nPING\r\n"))
	}
	if err != nil {
		b.Fatal(err)
	}
	var answer []byte
	for piece := make([]byte, 4096); !bytes.Contains(answer, []byte("PONG")); {
		n, err := conn.Read(piece)
		if err != nil {
			b.Fatal(err)
		}
		answer = append(answer, piece[:n]...)
	}
	return conn
}

// countBytes counts what is written to it.
type countBytes struct{ n *atomic.Int64 }

func (c countBytes) Write(p []byte) (int, error) {
	c.n.Add(int64(len(p)))
	return len(p), nil
}

// cpuTimeOf is how long another process has kept cores busy, in steps of 10 ms.
func cpuTimeOf(b *testing.B, p *os.Process) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Pid))
	if err != nil {
		b.Fatal(err)
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	user, _ := strconv.Atoi(fields[11]) // fields 14 and 15 of the line, in hundredths of a second
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}
