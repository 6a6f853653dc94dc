package gateway

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// Text that is not UTF-8 ends its socket with 1007, be it short, long or cut within a character; what is UTF-8 does not. The
// session goes on with the next socket.
func TestTextMustBeUTF8(t *testing.T) {
	r := newTestServer(t, nil)
	_, url := r.create(`{}`)
	long := strings.Repeat("ä€😀", 20_000)
	for _, text := range []string{
		"\xff", `{"type":"stop_recording","x":"` + "\xc3(" + `"}`, `{"type":"` + "\xed\xa0\x80", "{}\xe2\x82", `{"x":"` + long + "\xf0\x9f\"}",
		`{"x":"` + long + `"}` + "\xf0\x9f\x98", `{"x":"` + long[1:] + `"}`,
	} {
		c := call(t, url).mustConnect()
		_ = c.text(text) // may be refused half-way
		if code := c.end(); code != websocket.StatusInvalidFramePayloadData {
			t.Errorf("%.40q of %d bytes: closed with %d", text, len(text), code)
		}
	}
	c := call(t, url).mustConnect()
	for _, text := range []string{`{"type":"keep_alive","x":"ä€😀"}`, `{"x":"` + long + `"}`, `{"type":"stop_recording"}`} {
		if err := c.text(text); err != nil {
			t.Fatal(err)
		}
	}
	if code := c.end(); code != websocket.StatusNormalClosure {
		t.Errorf("text that is UTF-8: closed with %d", code)
	}
}

// controlHeader begins a masked frame of control with a length of 16 or 64 bits.
func controlHeader(first byte, size uint64) []byte {
	if size < 1<<16 {
		return append(binary.BigEndian.AppendUint16([]byte{first, 0x80 | 126}, uint16(size)), 0, 0, 0, 0)
	}
	return append(binary.BigEndian.AppendUint64([]byte{first, 0x80 | 127}, size), 0, 0, 0, 0)
}

// A frame of control that is longer than any may be, or in parts, ends its connection within seconds, whatever follows, on sockets of
// sessions and of subscribers.
func TestAbsurdControlFrames(t *testing.T) {
	for _, first := range []byte{0x88, 0x89, 0x8a, 0x09, 0x0a, 0x8b} {
		for _, size := range []uint64{126, 1 << 10, 1 << 20, 1 << 40, 1<<63 - 1, 1 << 63, 1<<64 - 1} {
			inBubble(t, func(t *testing.T, w *bubble) {
				_, url := w.create()
				conn := w.wire(url)
				began := time.Now()
				_, err := conn.Write(controlHeader(first, size))
				block, sent := make([]byte, 4<<10), 0
				for err == nil && sent < 16<<20 {
					_, err = conn.Write(block)
					sent += len(block)
				}
				if took := time.Since(began); err == nil || took > 10*time.Second || sent > 4<<20 {
					t.Errorf("frame %x of %d: %d bytes taken in %v, %v", first, size, sent, took, err)
				}
			})
		}
	}
}

// rawRequest sends bytes on a connection of its own and returns what is answered until the connection ends, and when.
func rawRequest(t *testing.T, w *bubble, sent string) (answers []string, took time.Duration) {
	t.Helper()
	conn, err := w.net.Dial(t.Context(), "tcp", "x")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	began := time.Now()
	go io.WriteString(conn, sent) // it may not be taken whole
	in := bufio.NewReader(conn)
	for {
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			return answers, time.Since(began)
		}
		body, _ := io.ReadAll(resp.Body)
		answers = append(answers, fmt.Sprintf("%d %.100s", resp.StatusCode, body))
		_ = resp.Body.Close()
	}
}

// Connections on which nothing comes any more end: with a request that is not whole, behind one, and before the first. Length and
// transfer encoding together do not make one request into two.
func TestSilentConnectionsEnd(t *testing.T) {
	head := func(method, path, more string) string {
		return method + " " + path + " HTTP/1.1\r\nHost: x\r\nx-service-key: " + testKey + "\r\n" + more + "\r\n"
	}
	smuggled := head("GET", "/v2/models", "")
	for what, c := range map[string]struct {
		sent string
		most time.Duration
	}{
		"nothing":            {"", 15 * time.Second},
		"half a line":        {"GET /v2/mod", 15 * time.Second},
		"half a head":        {"GET /v2/models HTTP/1.1\r\nHost: x\r\nx-", 15 * time.Second},
		"no body":            {head("POST", "/v2/live", "Content-Length: 100\r\n"), 45 * time.Second},
		"half a body":        {head("POST", "/v2/live", "Content-Length: 100\r\n") + "{", 45 * time.Second},
		"half a chunk":       {head("POST", "/v2/live", "Transfer-Encoding: chunked\r\n") + "64\r\n{", 45 * time.Second},
		"no body, no key":    {"POST /v2/live HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n", 45 * time.Second},
		"no upload":          {head("POST", "/v2/upload", "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000\r\n"), 90 * time.Second},
		"idle":               {head("GET", "/v2/models", ""), 45 * time.Second},
		"both, then nothing": {head("POST", "/v2/live", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"), 45 * time.Second},
		"both, in one":       {head("POST", "/v2/tickets", fmt.Sprintf("Content-Length: %d\r\nTransfer-Encoding: chunked\r\n", 5+len(smuggled))) + "0\r\n\r\n" + smuggled, 45 * time.Second},
		"two lengths":        {head("POST", "/v2/live", "Content-Length: 2\r\nContent-Length: 3\r\n") + "{}", 15 * time.Second},
	} {
		t.Run(what, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *bubble) {
				answers, took := rawRequest(t, w, c.sent)
				if took > c.most || len(answers) > 1 {
					t.Errorf("answers %q, ended after %v", answers, took)
				}
			})
		})
	}
}
