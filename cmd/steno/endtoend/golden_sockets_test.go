package endtoend_test

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"
)

// sockets keeps what followers are sent, how a client resumes, how sockets are closed and how
// handshakes are refused.
func (n *goldenRun) sockets(t *testing.T) {
	t.Run("followers", n.followers)
	t.Run("resume", n.resume)
	t.Run("closes", n.closes)
	t.Run("frames", n.frames)
	t.Run("handshakes", n.handshakes)
}

// everything is a session whose client and followers are sent all messages.
var everything = map[string]any{"messages_config": map[string]any{
	"receive_lifecycle_events": true, "receive_errors": true, "receive_pre_processing_events": true,
}}

// followers has a session followed by server-sent events and WebSockets, from its beginning and
// after its end.
func (n *goldenRun) followers(t *testing.T) {
	s := n.gateway.openLive(t, "/v2/live", everything)
	path := n.gateway.url() + "/v2/live/" + s.id + "/events"
	var told [4][]string
	var all sync.WaitGroup
	all.Go(func() { told[0] = n.followSSE(t, path, "") })
	all.Go(func() { told[1] = n.followSocket(t, path+"?seq=true") })
	n.stream(t, s, n.clip.pcm, false)
	s.stop()
	if _, err := s.rest(); websocket.CloseStatus(err) != websocket.StatusNormalClosure {
		t.Fatal(err)
	}
	all.Wait()
	told[2] = n.followSSE(t, path+"?receive_lifecycle_events=true&receive_final_transcripts=false", "")
	told[3] = n.followSocket(t, path+"?from=3")
	for i, name := range []string{"SSE", "numbered", "SSE later", "from 3"} {
		n.keep(t, "followed "+name, told[i], "")
	}
}

// followSSE returns the server-sent events of an address, with their ids and names, to the end.
func (n *goldenRun) followSSE(t *testing.T, url, last string) (told []string) {
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Error(err)
		return nil
	}
	req.Header.Set("x-service-key", testKey)
	if last != "" {
		req.Header.Set("Last-Event-ID", last)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Error(err)
		return nil
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Error(err)
	}
	for part := range strings.SplitSeq(string(text), "\n\n") {
		told = append(told, strings.ReplaceAll(part, "\n", " | "))
	}
	return append(told, resp.Status+" "+resp.Header.Get("Content-Type"))
}

// followSocket returns the messages of a WebSocket, to its close.
func (n *goldenRun) followSocket(t *testing.T, url string) (told []string) {
	options := &websocket.DialOptions{HTTPHeader: http.Header{"X-Service-Key": {testKey}}}
	conn, _, err := websocket.Dial(t.Context(), url, options)
	if err != nil {
		t.Error(err)
		return nil
	}
	defer conn.CloseNow()
	conn.SetReadLimit(1 << 20)
	for {
		_, text, err := conn.Read(t.Context())
		if err != nil {
			return append(told, closeOf(err))
		}
		told = append(told, string(text))
	}
}

// closeOf is how a connection was closed.
func closeOf(err error) string {
	return fmt.Sprintf(`{"type":"~closed","code":%d,"why":%q}`, websocket.CloseStatus(err), reasonOf(err))
}

func reasonOf(err error) string {
	_, why, _ := strings.Cut(err.Error(), "status = ")
	return why
}

// stream sends audio, as base64 in messages of text or as binary messages.
func (n *goldenRun) stream(t *testing.T, s *liveClient, pcm []byte, asText bool) {
	for piece := range slices.Chunk(pcm, 4000) {
		if asText {
			s.sendAudio(piece)
		} else if err := s.conn.Write(t.Context(), websocket.MessageBinary, piece); err != nil {
			t.Fatal(err)
		}
	}
}

// rest returns the messages that are left, and how the socket ended.
func (c *liveClient) rest() (told []string, err error) {
	for {
		_, text, err := c.conn.Read(c.t.Context())
		if err != nil {
			return append(told, closeOf(err)), err
		}
		told = append(told, string(text))
	}
}

// resume cuts the socket of a client, which continues after the last ack it has seen, sends some
// bytes again, and then all as text.
func (n *goldenRun) resume(t *testing.T) {
	s := n.gateway.openLive(t, "/v2/live", everything)
	cut := len(n.clip.pcm) / 2 &^ 1
	n.stream(t, s, n.clip.pcm[:cut], true)
	acked := int64(0)
	s.receiveUntil(func(m message) bool {
		if m.Type == "audio_chunk" {
			acked = m.Data.ByteRange[1]
		}
		return acked >= int64(cut)/2
	})
	_ = s.conn.CloseNow()
	s.connect()
	n.stream(t, s, n.clip.pcm[acked:], false)
	s.stop()
	if _, err := s.rest(); websocket.CloseStatus(err) != websocket.StatusNormalClosure {
		t.Fatal(err)
	}
	record, err := n.gateway.text(t, "GET", "/v2/live/"+s.id, "")
	if err != nil {
		t.Fatal(err)
	}
	file, err := n.gateway.text(t, "GET", "/v2/live/"+s.id+"/file", "")
	if err != nil {
		t.Fatal(err)
	}
	n.keep(t, "resumed", nil, record+fmt.Sprintf("\n%d bytes of recording\n", len(file)))
}

// closes keeps the codes, the reasons and the last messages of sockets that are closed.
func (n *goldenRun) closes(t *testing.T) {
	var told []string
	note := func(what string, messages []string) {
		for _, m := range messages {
			if strings.Contains(m, `"acknowledged":false`) {
				m = strings.ReplaceAll(m, `"type":"audio_chunk"`, `"type":"~refused"`) // which is kept, unlike acks
			}
			told = append(told, what+" "+m)
		}
	}
	open := func() *liveClient { return n.gateway.openLive(t, "/v2/live", map[string]any{}) }
	closed := func(what string, s *liveClient, do func()) {
		do()
		messages, _ := s.rest()
		note(what, messages)
	}
	s := open()
	s.url = strings.Replace(s.url, "token=", "token=X", 1)
	s.connect()
	closed("unknown token", s, func() {})
	s = open()
	closed("misuse", s, func() {
		for i := range 10 {
			s.sendJSON(map[string]any{"type": "nothing", "n": i})
		}
	})
	s = open()
	before := s.conn
	s.connect()
	closed("replaced", &liveClient{t: t, conn: before}, func() {})
	s.conn.CloseNow()
	s = open()
	closed("too big", s, func() { _ = s.conn.Write(t.Context(), websocket.MessageBinary, make([]byte, 4<<20+1)) })
	s = open()
	closed("refused", s, func() {
		for _, text := range []string{
			`{`, `[]`, `{"type":"audio_chunk"}`, `{"type":"audio_chunk","data":{"chunk":"%"}}`,
			`{"type":"audio_chunk","data":{"chunk":"AAA"}}`,
			`{"type":"stop_recording"}`, `{"type":"stop_recording"}`,
		} {
			if err := s.conn.Write(t.Context(), websocket.MessageText, []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
	})
	n.keep(t, "closes", told, "")
}

// rawFrame is a frame as clients send it, with a mask that changes nothing.
func rawFrame(first byte, payload string) string {
	b := []byte{first}
	if n := len(payload); n < 126 {
		b = append(b, 0x80|byte(n))
	} else {
		b = binary.BigEndian.AppendUint16(append(b, 0x80|126), uint16(n))
	}
	return string(b) + "\x00\x00\x00\x00" + payload
}

// frames keeps the bytes with which frames of all kinds are answered, by the session's socket and
// by a follower's.
func (n *goldenRun) frames(t *testing.T) {
	cases := map[string]string{
		"pong":           rawFrame(0x89, "who is there") + rawFrame(0x88, ""),
		"close":          rawFrame(0x88, "\x03\xe8bye"),
		"close 4000":     rawFrame(0x88, "\x0f\xa0"),
		"empty messages": rawFrame(0x82, "") + rawFrame(0x82, "") + rawFrame(0x88, "\x03\xe9"),
		"parts": rawFrame(0x01, `{"type":"stop_`) + rawFrame(0x89, "x") + rawFrame(0x00, "") +
			rawFrame(0x80, `recordin"}`) + rawFrame(0x88, ""),
		"no mask":          "\x82\x02ab",
		"reserved bit":     rawFrame(0x81|0x40, "{}"),
		"unknown opcode":   rawFrame(0x83, ""),
		"no text":          rawFrame(0x81, "\xff"),
		"message within":   rawFrame(0x01, "{") + rawFrame(0x81, "}"),
		"continues none":   rawFrame(0x80, "x"),
		"long ping":        rawFrame(0x89, strings.Repeat("x", 126)),
		"half a code":      rawFrame(0x88, "\x03"),
		"code not for use": rawFrame(0x88, "\x03\xed"),
	}
	var told []string
	for name, sent := range cases {
		for _, follower := range []bool{false, true} {
			s := n.gateway.openLive(t, "/v2/live", map[string]any{})
			path := strings.TrimPrefix(s.url, "ws://"+n.gateway.addr)
			if follower {
				path = "/v2/live/" + s.id + "/events"
			} else {
				_ = s.conn.CloseNow()
			}
			told = append(told, fmt.Sprintf("%s %v %q", name, follower, n.raw(t, path, sent)))
		}
	}
	n.keep(t, "frames", told, "")
}

// readFrame reads a frame of a server.
func readFrame(in *bufio.Reader) ([]byte, error) {
	frame := make([]byte, 2, 128)
	if _, err := io.ReadFull(in, frame); err != nil {
		return nil, err
	}
	size := int64(frame[1])
	if size >= 126 {
		long := make([]byte, 2+6*(size-126))
		if _, err := io.ReadFull(in, long); err != nil {
			return nil, err
		}
		frame = append(frame, long...)
		size = int64(binary.BigEndian.Uint64(append(make([]byte, 8-len(long)), long...)))
	}
	payload := make([]byte, size)
	_, err := io.ReadFull(in, payload)
	return append(frame, payload...), err
}

// raw opens a WebSocket, sends bytes and returns the frames that answer them, but for messages, to
// the close.
func (n *goldenRun) raw(t *testing.T, path, sent string) string {
	conn, in := n.dial(t, "GET "+path+" HTTP/1.1\r\nHost: x\r\nx-service-key: "+testKey+
		"\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
	defer conn.Close()
	resp, err := http.ReadResponse(in, nil)
	if err != nil || resp.StatusCode != http.StatusSwitchingProtocols {
		t.Fatal(resp, err)
	}
	resp.Header.Del("Date")
	head, err := json.Marshal(resp.Header)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, sent); err != nil {
		t.Fatal(err)
	}
	var answers []byte
	for {
		frame, err := readFrame(in)
		if err != nil {
			break // a broken connection ends it too
		}
		if kind := frame[0] & 0x0f; kind >= 8 && kind != 9 {
			answers = append(answers, frame...)
		}
		if frame[0] == 0x88 {
			break
		}
	}
	return constant(string(head)) + string(answers)
}

func (n *goldenRun) dial(t *testing.T, request string) (net.Conn, *bufio.Reader) {
	ctx, cancel := context.WithTimeout(t.Context(), readyWithin)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", n.gateway.addr)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	return conn, bufio.NewReader(conn)
}

// handshakes keeps the answers to requests for a WebSocket that is not opened.
func (n *goldenRun) handshakes(t *testing.T) {
	var told []string
	const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
	for _, lines := range []string{
		"GET PATH HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n",
		"GET PATH HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 12\r\n" + key,
		"GET PATH HTTP/1.1\r\nConnection: close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" + key,
		"GET PATH HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: eA==\r\n",
		"GET PATH HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" + key + key,
		"GET PATH HTTP/1.0\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" + key,
		"POST PATH HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" + key,
		"GET PATH&offset=-1 HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" + key,
		"GET PATH&offset=x HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" + key,
	} {
		for _, path := range []string{"/v2/live?token=x", "/v2/events?x=1"} {
			conn, in := n.dial(t, strings.Replace(lines, "PATH", path, 1)+"Host: x\r\nx-service-key: "+testKey+
				"\r\n\r\n")
			resp, err := http.ReadResponse(in, nil)
			if err != nil {
				t.Fatal(err)
			}
			if resp.StatusCode == http.StatusSwitchingProtocols {
				told = append(told, fmt.Sprintf("%q %s: %s", lines, path, resp.Status))
				_ = conn.Close()
				continue
			}
			resp.Header.Del("Date")
			head, err := json.Marshal(resp.Header)
			if err != nil {
				t.Fatal(err)
			}
			body, _ := io.ReadAll(resp.Body)
			_ = conn.Close()
			told = append(told, fmt.Sprintf("%q %s: %s %s %q", lines, path, resp.Status, head, body))
		}
	}
	n.keep(t, "handshakes", told, "")
}
