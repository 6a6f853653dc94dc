package gateway

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// clientFrame returns a client's frame, masked with a key that is not zero.
func clientFrame(first byte, payload string) string {
	b := []byte{first}
	switch n := len(payload); {
	case n < 126:
		b = append(b, 0x80|byte(n))
	case n < 1<<16:
		b = binary.BigEndian.AppendUint16(append(b, 0x80|126), uint16(n))
	default:
		b = binary.BigEndian.AppendUint64(append(b, 0x80|127), uint64(n))
	}
	key := []byte{0x5a, 0xff, 1, 0x80}
	b = append(b, key...)
	for i := range len(payload) {
		b = append(b, payload[i]^key[i%4])
	}
	return string(b)
}

// controlHeader returns the header of a masked control frame with a length of 16 or 64 bits.
func controlHeader(first byte, size uint64) string {
	if size < 1<<16 {
		return string(append(binary.BigEndian.AppendUint16([]byte{first, 0x80 | 126}, uint16(size)), 0, 0, 0, 0))
	}
	return string(append(binary.BigEndian.AppendUint64([]byte{first, 0x80 | 127}, size), 0, 0, 0, 0))
}

// The opcodes of frames, whole and unfinished.
const (
	moreFrame, textFrame, binaryFrame, closeFrame, pingFrame, pongFrame = 0x80, 0x81, 0x82, 0x88, 0x89, 0x8a
	textBegins, binaryBegins, moreFollows                               = 0x01, 0x02, 0x00
)

// rawSocket opens a WebSocket, sends bytes on it and returns the code with which the server closes
// it, 0 for none, and how many of the bytes were read.
func rawSocket(t *testing.T, dial func() (net.Conn, error), path, sent string) (code, taken int) {
	t.Helper()
	conn, err := dial()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(patience))
	_, err = io.WriteString(conn, "GET "+path+" HTTP/1.1\r\nHost: x\r\nx-service-key: "+testKey+
		"\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
	if err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(conn)
	resp, err := http.ReadResponse(in, nil)
	if err != nil || resp.StatusCode != http.StatusSwitchingProtocols {
		t.Fatal(resp, err)
	}
	wrote := make(chan int, 1)
	go func() {
		n, _ := io.WriteString(conn, sent) // it may not be taken whole
		wrote <- n
	}()
	for {
		var head [2]byte
		if _, err = io.ReadFull(in, head[:]); err != nil {
			break
		}
		size := int64(head[1])
		if size >= 126 {
			long := make([]byte, 8)[:2+6*(size-126)]
			_, _ = io.ReadFull(in, long)
			size = 0
			for _, b := range long {
				size = size<<8 | int64(b)
			}
		}
		payload, _ := io.ReadAll(io.LimitReader(in, size))
		if head[0] == closeFrame && len(payload) >= 2 {
			code = int(binary.BigEndian.Uint16(payload))
			break
		}
	}
	_ = conn.Close()
	return code, <-wrote
}

// Violations of RFC 6455, and text that is not UTF-8, close every kind of socket with their code,
// whatever follows.
func TestViolationsCloseWithTheirCode(t *testing.T) {
	long := strings.Repeat("ä€😀", 5_000)
	cases := map[string]struct {
		sent string
		code int
	}{
		"no text":                  {clientFrame(textFrame, "\xff"), 1007},
		"no text in JSON":          {clientFrame(textFrame, `{"type":"x","x":"`+"\xc3("+`"}`), 1007},
		"surrogate":                {clientFrame(textFrame, `{"type":"`+"\xed\xa0\x80"), 1007},
		"text within a character":  {clientFrame(textFrame, "{}\xe2\x82"), 1007},
		"long, no text at the end": {clientFrame(textFrame, long+"\xf0\x9f\x98"), 1007},
		"long, no text in it":      {clientFrame(textFrame, long[:len(long)/2]+"\xf0\x9f\""+long), 1007},
		"no text in the parts": {clientFrame(textBegins, "a\xe2") + clientFrame(pingFrame, "") +
			clientFrame(moreFrame, "\x82"), 1007},
		"reason that is no text":   {clientFrame(closeFrame, "\x03\xe8\xff\xfe"), 1007},
		"reserved bit 1":           {clientFrame(textFrame|0x40, "{}"), 1002},
		"reserved bit 2 of binary": {clientFrame(binaryFrame|0x20, "ab"), 1002},
		"reserved bit 3 of a pong": {clientFrame(pongFrame|0x10, ""), 1002},
		"reserved bit of a part":   {clientFrame(binaryBegins, "ab") + clientFrame(moreFrame|0x40, "cd"), 1002},
		"opcode 3":                 {clientFrame(0x83, ""), 1002},
		"opcode 11":                {clientFrame(0x8b, ""), 1002},
		"no mask":                  {"\x82\x02ab", 1002},
		"text without a mask":      {"\x81\x02{}", 1002},
		"close without a mask":     {"\x88\x00", 1002},
		"pong without a mask":      {"\x8a\x00", 1002},
		"length of 64 bits":        {string(frameHeader(binaryFrame, -1)), 1002},
		"short, but for a bit":     {string(frameHeader(binaryFrame, -1<<63|4)) + "abcd", 1002},
		"ping of 126 bytes":        {clientFrame(pingFrame, strings.Repeat("x", 126)), 1002},
		"close of 300 bytes":       {clientFrame(closeFrame, "\x03\xe8"+strings.Repeat("x", 300)), 1002},
		"pong of 64 KiB":           {clientFrame(pongFrame, strings.Repeat("x", 1<<16)), 1002},
		"ping in parts":            {clientFrame(pingFrame&^0x80, "a") + clientFrame(moreFrame, "b"), 1002},
		"close in parts":           {clientFrame(closeFrame&^0x80, "\x03\xe8"), 1002},
		"part of nothing":          {clientFrame(moreFrame, "{}"), 1002},
		"more of nothing":          {clientFrame(moreFollows, "{}"), 1002},
		"message within a message": {clientFrame(binaryBegins, "ab") + clientFrame(binaryFrame, "cd"), 1002},
		"text within text":         {clientFrame(textBegins, "{") + clientFrame(textFrame, "}"), 1002},
		"half a code":              {clientFrame(closeFrame, "\x03"), 1002},
		"code 999":                 {clientFrame(closeFrame, "\x03\xe7"), 1002},
		"code 1005":                {clientFrame(closeFrame, "\x03\xed"), 1002},
		"code 1016":                {clientFrame(closeFrame, "\x03\xf8"), 1002},
		"code 5000":                {clientFrame(closeFrame, "\x13\x88"), 1002},
	}
	for _, first := range []byte{closeFrame, pingFrame, pongFrame, 0x09, 0x0a, 0x8b} {
		for _, size := range []uint64{126, 1 << 10, 1 << 20, 1 << 40, 1<<63 - 1, 1 << 63, 1<<64 - 1} {
			cases[fmt.Sprintf("frame %x of %d", first, size)] = struct {
				sent string
				code int
			}{controlHeader(first, size), 1002}
		}
	}
	r := newTestServer(t, nil)
	id, url := r.create(`{}`)
	_, token, _ := strings.Cut(url, "?")
	dial := func() (net.Conn, error) { return net.Dial("tcp", r.http.Listener.Addr().String()) }
	follows := []string{"", clientFrame(textFrame, "{}"), strings.Repeat("\xff", 200_000)}
	turn := 0 // so that of the sockets each case is tried with all that follows
	for socket, path := range map[string]string{
		"speaker": "/v2/live?" + token, "follower": "/v2/live/" + id + "/events", "account": "/v2/events",
		"several": "/v2/events?session=" + id,
	} {
		turn++
		for name, c := range cases {
			behind := follows[(turn+len(name))%len(follows)]
			if code, _ := rawSocket(t, dial, path, c.sent+behind); code != c.code {
				t.Errorf("%s: %s, and %d bytes: closed with %d, not %d", socket, name, len(behind), code, c.code)
			}
		}
		// Valid frames are no violation: text in parts, cut within a character, pings between them,
		// a bare close.
		fine := clientFrame(textBegins, `{"type":"keep_alive","x":"ä`+"\xe2") + clientFrame(pingFrame,
			strings.Repeat("\xff", 125)) +
			clientFrame(moreFollows, "\x82") + clientFrame(pongFrame, "\xff") + clientFrame(moreFrame, "\xac😀\"}") +
			clientFrame(binaryBegins, "\xff") + clientFrame(moreFrame, "") + clientFrame(binaryFrame, "") +
			clientFrame(textFrame, long[:900])
		if code, _ := rawSocket(t, dial, path, fine+clientFrame(closeFrame, "\x0f\xa0ä")); code != 4000 {
			t.Errorf("%s: what is allowed is closed with %d", socket, code)
		}
	}
}

// A client that keeps sending after the close for its violation is soon cut off.
func TestFloodAfterViolation(t *testing.T) {
	inBubble(t, func(t *testing.T, w *bubble) {
		id, url := w.create()
		_, token, _ := strings.Cut(url, "?")
		dial := func() (net.Conn, error) { return w.net.Dial(t.Context(), "tcp", "x") }
		for _, path := range []string{"/v2/live?" + token, "/v2/live/" + id + "/events", "/v2/events"} {
			began := time.Now()
			code, taken := rawSocket(t, dial, path, controlHeader(pingFrame, 1<<40)+strings.Repeat("x", 16<<20))
			if took := time.Since(began); code != 1002 || took > 10*time.Second || taken > 4<<20 {
				t.Errorf("%s: %d bytes taken in %v, closed with %d", path, taken, took, code)
			}
		}
	})
}

// rawRequest sends bytes on a connection of its own and returns the answers until the connection
// ends, and when that was.
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

// Connections end on which no more bytes arrive: after part of a request, after a whole one, and
// before the first. Length and transfer encoding together do not make one request into two.
func TestSilentConnectionsEnd(t *testing.T) {
	head := func(method, path, more string) string {
		return method + " " + path + " HTTP/1.1\r\nHost: x\r\nx-service-key: " + testKey + "\r\n" + more + "\r\n"
	}
	smuggled := head("GET", "/v2/models", "")
	for what, c := range map[string]struct {
		sent string
		most time.Duration
	}{
		"nothing":     {"", 15 * time.Second},
		"half a line": {"GET /v2/mod", 15 * time.Second},
		"half a head": {"GET /v2/models HTTP/1.1\r\nHost: x\r\nx-", 15 * time.Second},
		"no body":     {head("POST", "/v2/live", "Content-Length: 100\r\n"), 45 * time.Second},
		"half a body": {head("POST", "/v2/live", "Content-Length: 100\r\n") + "{", 45 * time.Second},
		"half a chunk": {head("POST", "/v2/live", "Transfer-Encoding: chunked\r\n") + "64\r\n{",
			45 * time.Second},
		"no body, no key": {"POST /v2/live HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n", 45 * time.Second},
		"no upload": {head("POST", "/v2/upload",
			"Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000\r\n"), 90 * time.Second},
		"idle": {head("GET", "/v2/models", ""), 45 * time.Second},
		"both, then nothing": {head("POST", "/v2/live", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"),
			45 * time.Second},
		"both, in one": {head("POST", "/v2/tickets",
			fmt.Sprintf("Content-Length: %d\r\nTransfer-Encoding: chunked\r\n", 5+len(smuggled))) + "0\r\n\r\n" +
			smuggled, 45 * time.Second},
		"two lengths": {head("POST", "/v2/live", "Content-Length: 2\r\nContent-Length: 3\r\n") + "{}",
			15 * time.Second},
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
