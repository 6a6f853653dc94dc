package gateway

import (
	"bufio"
	"context"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// How long a client of a history waits for what it sends to pass, and for the close of its socket,
// before it abandons the connection.
const (
	sendStall = 15 * time.Second
	endStall  = 45 * time.Second
	reconnect = 2 * time.Second // at most, between two attempts
)

// speaker is a client of a history that speaks: it comes back whenever its connection ends, until
// the gateway reports that its session has ended.
type speaker struct {
	*caller
	id     string
	sound  []byte
	random *rand.Rand
	length time.Duration // about how long it speaks

	sent     int       // bytes of the sound, that were given to the caller
	passed   time.Time // when something that it sent has passed
	late     bool      // it was away for so long that its session may have ended
	sockets  int       // that it had
	complete bool
	refused  string // why it does not come back; empty: it does
	ended    chan struct{}
}

// run speaks to the end. It is the speaker's goroutine.
func (s *speaker) run() {
	defer close(s.ended)
	for began := time.Now(); !s.complete && s.refused == ""; {
		if time.Since(began) > 20*time.Minute {
			s.refused = "the session does not end"
			return
		}
		s.socket()
		time.Sleep(100*time.Millisecond + time.Duration(s.random.Int64N(int64(reconnect))))
	}
}

// socket is one connection, from the handshake to its end.
func (s *speaker) socket() {
	if err := s.connect(); err != nil {
		if s.status >= 400 && s.status < 500 && s.status != http.StatusTooManyRequests {
			s.refused = http.StatusText(s.status)
		}
		return
	}
	s.sockets++
	s.late = s.late || !s.passed.IsZero() && time.Since(s.passed) > sendStall+2*reconnect
	s.passed = time.Now()
	if s.speak() && s.stop() == nil {
		s.passed = time.Now()
		select {
		case <-s.closed:
		case <-time.After(endStall):
		}
	}
	s.hangUp()
	switch {
	case s.code == websocket.StatusNormalClosure:
		s.complete = true // unless it was late
	case s.code >= 4400 && s.code < 4500:
		s.refused = s.reason
	}
}

// speak sends what is left of the sound, and reports whether all was sent.
func (s *speaker) speak() bool {
	const piece = 250 * 32 // ms
	pause := s.length / time.Duration(len(s.sound)/piece)
	for s.sent < len(s.sound) {
		n := min(1+s.random.IntN(2*piece), len(s.sound)-s.sent)
		s.sent += n
		if s.send(s.sound[s.sent-n:s.sent]) != nil {
			return false
		}
		s.passed = time.Now()
		select {
		case <-s.closed:
			return false
		case <-time.After(time.Duration(s.random.Int64N(int64(2 * pause)))):
		}
	}
	return true
}

// reader is a client of a history that follows a session. Whenever its connection ends it continues
// after the last event that it has.
type reader struct {
	client http.Client
	url    string
	random *rand.Rand
	cancel context.CancelFunc
	ended  chan struct{}

	mu   sync.Mutex
	last string
	got  []string // texts of logged events
}

// run reads until nothing follows. It is the reader's goroutine.
func (r *reader) run(ctx context.Context) {
	defer close(r.ended)
	for ctx.Err() == nil {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.url, nil)
		if err != nil {
			panic(err)
		}
		req.Header.Set("x-service-key", testKey)
		if r.last != "" {
			req.Header.Set("Last-Event-ID", r.last)
		}
		if resp, err := r.client.Do(req); err == nil {
			over := resp.StatusCode == http.StatusNoContent || resp.StatusCode == http.StatusNotFound
			if resp.StatusCode == http.StatusOK {
				over = r.read(bufio.NewScanner(resp.Body))
			}
			_ = resp.Body.Close()
			if over {
				return
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(100*time.Millisecond + time.Duration(r.random.Int64N(int64(reconnect)))):
		}
	}
}

// read reads one answer, and reports whether nothing follows it.
func (r *reader) read(lines *bufio.Scanner) (over bool) {
	lines.Buffer(nil, 16<<20)
	id := ""
	for lines.Scan() {
		if text, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
			id = text
		}
		text, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		if strings.Contains(text, `"subscription_end"`) {
			return true
		}
		if id != "" {
			r.mu.Lock()
			r.last, r.got = id, append(r.got, text)
			r.mu.Unlock()
			id = ""
		}
	}
	return false
}
