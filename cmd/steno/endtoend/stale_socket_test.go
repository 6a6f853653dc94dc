package endtoend_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/coder/websocket"

	"steno/session/store/valkeytest"
)

// TestStaleSocket has clients ask a gateway that stands still for a socket, and disconnect. When it
// continues, they take nothing from the client that is attached, which may have come to it, or to
// another gateway, later than they.
func TestStaleSocket(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and starts the programs")
	}
	t.Parallel()
	g := newGateway(t, build(t), "scripted")
	ctx, cancel := context.WithTimeout(t.Context(), readyWithin)
	defer cancel()
	var job struct{ ID, URL string }
	if err := g.call(ctx, http.MethodPost, "/v2/live", `{}`, &job); err != nil {
		t.Fatal(err)
	}
	conn, _, err := websocket.Dial(ctx, job.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	beAttached(ctx, t, conn)
	process := g.current().cmd.Process
	standStill(t, process)
	for range 5 {
		askAndGiveUp(t, g.addr, job.URL)
	}
	_ = process.Signal(syscall.SIGCONT)
	if status, err := get(ctx, g.url()+"/healthz"); err != nil || status != http.StatusOK {
		t.Fatalf("the gateway does not go on: %d, %v", status, err)
	}
	stopNormally(ctx, t, conn)
}

// TestStaleSocketElsewhere has a client leave a gateway that stands still, after it has sent audio
// there, for another one. When the first continues it takes nothing from the client, though its
// audio waits to be read.
func TestStaleSocketElsewhere(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and starts the programs")
	}
	valkeytest.Program(t)
	t.Parallel()
	c := newCluster(t, build(t), "scripted", 2, []string{"--appendonly", "yes"})
	still, alive := c.nodes[0], c.nodes[1]
	ctx, cancel := context.WithTimeout(t.Context(), readyWithin)
	defer cancel()
	var job struct{ ID, URL string }
	if err := still.call(ctx, http.MethodPost, "/v2/live", `{}`, &job); err != nil {
		t.Fatal(err)
	}
	process := still.current().cmd.Process
	standStill(t, process)
	for range 5 {
		askAndGiveUp(t, still.addr, job.URL, make([]byte, 64<<10)...)
	}
	conn, _, err := websocket.Dial(ctx, strings.Replace(job.URL, still.addr, alive.addr, 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	beAttached(ctx, t, conn)
	_ = process.Signal(syscall.SIGCONT)
	if status, err := get(ctx, still.url()+"/readyz"); err != nil || status != http.StatusOK {
		t.Fatalf("the gateway does not go on: %d, %v", status, err)
	}
	stopNormally(ctx, t, conn)
}

// standStill stops a process that the test has started, and waits until each of its threads stands
// still: until then those continue that have not seen the signal.
func standStill(t testing.TB, p *os.Process) {
	t.Helper()
	if err := p.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(p.Pid, &status, syscall.WUNTRACED, nil); err != nil || !status.Stopped() {
		t.Fatalf("the process does not stand still: %v, %v", status, err)
	}
}

// beAttached sends a second of audio and waits for the answer.
func beAttached(ctx context.Context, t *testing.T, conn *websocket.Conn) {
	t.Helper()
	if err := conn.Write(ctx, websocket.MessageBinary, babble(t).pcm[:2*clipRate]); err != nil {
		t.Fatal(err)
	}
	if _, _, err := conn.Read(ctx); err != nil {
		t.Fatal(err)
	}
}

// stopNormally requests the end of the recording, and expects the socket to be closed as after the
// last message.
func stopNormally(ctx context.Context, t *testing.T, conn *websocket.Conn) {
	t.Helper()
	err := conn.Write(ctx, websocket.MessageText, []byte(`{"type":"stop_recording"}`))
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, _, err = conn.Read(ctx)
	}
	if code := websocket.CloseStatus(err); code != websocket.StatusNormalClosure {
		t.Errorf("closed with %d: %v", code, err)
	}
}

// askAndGiveUp requests a socket, sends more after the request, and closes the connection.
func askAndGiveUp(t *testing.T, addr, url string, more ...byte) {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, path, _ := strings.Cut(strings.TrimPrefix(url, "ws://"), "/")
	request := "GET /" + path + " HTTP/1.1\r\nHost: " + addr + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
	if _, err := io.WriteString(conn, request+string(more)); err != nil {
		t.Fatal(err)
	}
}
