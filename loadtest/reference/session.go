package reference

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/coder/websocket"

	"steno/messages"
)

const (
	// ackAudio is the audio after which an acknowledgment is sent immediately, ackDelay how long a
	// smaller one may wait.
	ackAudio, ackDelay = 100 * time.Millisecond, 100 * time.Millisecond
	// speechEnds is how long before the end of an utterance its last word ends.
	speechEnds = 100 * time.Millisecond
)

// unbounded is the context of reads and writes: the library does least for one that cannot end.
var unbounded = context.Background()

// session is one stream of audio.
type session struct {
	id        string
	server    *Server
	rate      int64       // bytes per second
	ackBytes  int64       // after so many
	utterance int64       // bytes of an utterance; 0: there are none
	expiry    *time.Timer // forgets it, unless its socket is open

	mu      sync.Mutex
	size    int64  // bytes received
	acked   int64  // bytes acknowledged
	opened  bool   // a socket has come
	buf     []byte // of messages written
	created string // time of the last message
	stamped time.Time
	timer   *time.Timer // of the acknowledgment that waits
}

func newSession(id string, rate int64, s *Server) *session {
	v := &session{id: id, server: s, rate: rate}
	v.ackBytes = v.bytes(ackAudio)
	if s.config.Utterance > 0 {
		v.utterance = max(v.bytes(s.config.Utterance), 1)
	}
	return v
}

func (v *session) bytes(d time.Duration) int64 { return v.rate * d.Milliseconds() / 1000 }

// live serves the socket of a session, or the list of sessions, which is empty.
func (s *Server) live(w http.ResponseWriter, r *http.Request) {
	token := r.URL.Query().Get("token")
	if token == "" {
		answer(w, http.StatusOK, messages.Page{})
		return
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{CompressionMode: websocket.CompressionDisabled,
		InsecureSkipVerify: true})
	if err != nil {
		return // the library has answered
	}
	defer conn.CloseNow() //nolint:errcheck // closed by then
	conn.SetReadLimit(messages.MaxBinaryFrame)
	s.mu.Lock()
	v := s.sessions[token]
	s.mu.Unlock()
	if v == nil || !v.open() {
		_ = conn.Close(websocket.StatusCode(messages.CloseToken.Code), messages.CloseToken.Reason)
		return
	}
	defer v.close()
	v.serve(conn)
}

// open reports whether this is the first socket of the session.
func (v *session) open() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	first := !v.opened && v.expiry.Stop()
	v.opened = true
	return first
}

// close notes that the socket of the session has closed: only its record can be requested from then
// on.
func (v *session) close() { v.expiry.Reset(patience) }

// serve reads the socket until the client stops or leaves.
func (v *session) serve(conn *websocket.Conn) {
	v.timer = time.AfterFunc(time.Hour, func() { v.ack(conn) })
	defer v.timer.Stop()
	buf := make([]byte, 4096)
	for {
		kind, r, err := conn.Reader(unbounded)
		if err != nil {
			return
		}
		if kind == websocket.MessageText { // a stop is the only message of a client here
			v.ack(conn)
			v.write(conn, fmt.Appendf(nil,
				`{"session_id":%q,"acknowledged":true,"error":null,"type":"stop_recording","data":{}}`, v.id))
			_ = conn.Close(websocket.StatusNormalClosure, "")
			return
		}
		n, err := count(r, buf)
		if err != nil {
			return
		}
		v.server.worker.work()
		v.take(conn, n)
	}
}

// count reads a message to its end and returns its size.
func count(r io.Reader, buf []byte) (int64, error) {
	var n int64
	for {
		m, err := r.Read(buf)
		n += int64(m)
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}

// take counts so many bytes of audio, sends the finals they complete, and acknowledges them now or
// soon.
func (v *session) take(conn *websocket.Conn, n int64) {
	v.mu.Lock()
	before := v.size
	v.size += n
	waiting := v.size - v.acked
	v.mu.Unlock()
	switch {
	case waiting >= v.ackBytes:
		v.ack(conn)
	case waiting == n:
		v.timer.Reset(ackDelay)
	}
	if v.utterance == 0 {
		return
	}
	for i := before / v.utterance; i < (before+n)/v.utterance; i++ {
		v.write(conn, v.final(i))
	}
}

// ack acknowledges what was received, if that was not done.
func (v *session) ack(conn *websocket.Conn) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.timer.Stop()
	if v.acked == v.size {
		return
	}
	b := append(v.buf[:0], `{"session_id":"`...)
	b = append(append(b, v.id...), `","created_at":"`...)
	b = append(append(b, v.now()...),
		`","acknowledged":true,"error":null,"type":"audio_chunk","data":{"byte_range":[`...)
	b = append(strconv.AppendInt(b, v.acked, 10), ',')
	b = append(strconv.AppendInt(b, v.size, 10), `],"time_range":[`...)
	b = append(v.seconds(b, v.acked), ',')
	b = append(v.seconds(b, v.size), "]}}"...)
	v.buf, v.acked = b, v.size
	v.write(conn, b)
}

func (v *session) seconds(b []byte, bytes int64) []byte {
	return strconv.AppendFloat(b, float64(bytes*1000/v.rate)/1000, 'f', -1, 64)
}

// now returns the time to the millisecond, as messages contain it. It is called with the lock held.
func (v *session) now() string {
	if t := time.Now().Truncate(time.Millisecond); !t.Equal(v.stamped) {
		v.stamped, v.created = t, t.UTC().Format("2006-01-02T15:04:05.000Z")
	}
	return v.created
}

func (v *session) write(conn *websocket.Conn, b []byte) {
	// A client that is gone is noticed by the reader.
	_ = conn.Write(unbounded, websocket.MessageText, b)
}

// final returns the message of the utterance with number i, from 0.
func (v *session) final(i int64) []byte {
	u := v.utteranceAt(i)
	return fmt.Appendf(nil, `{"session_id":%q,"type":"transcript","data":{"id":%q,"is_final":true,"utterance":`+
		`{"start":%g,"end":%g,"confidence":1,"channel":0,"words":[],"text":%q,"language":"en"}}}`, v.id,
		messages.UtteranceID(0, i), u.Start, u.End, u.Text)
}

func (v *session) utteranceAt(i int64) messages.Utterance {
	end := time.Duration(i+1)*v.server.config.Utterance - min(speechEnds, v.server.config.Utterance/2)
	return messages.Utterance{
		Start: (time.Duration(i) * v.server.config.Utterance).Seconds(), End: end.Seconds(),
		Confidence: 1, Words: []messages.Word{}, Text: fmt.Sprintf("word %d", i), Language: "en",
	}
}

// utterances lists those that have been sent.
func (v *session) utterances() []messages.Utterance {
	all := []messages.Utterance{}
	if v.utterance == 0 {
		return all
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for i := range v.size / v.utterance {
		all = append(all, v.utteranceAt(i))
	}
	return all
}
