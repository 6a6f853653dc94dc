package endtoend_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// rawClients are speakers that cost a fraction of what a server spends on them: one goroutine sends
// the frames of all, reads what comes and answers pings. They take notes of acknowledgments and of
// nothing else.
type rawClients struct {
	chunk   time.Duration
	bytes   int // of a chunk
	sockets []*rawSocket
	epoll   int
	events  []syscall.EpollEvent
	buf     []byte // of what is read
	stop    atomic.Bool
	running sync.WaitGroup

	frames atomic.Int64 // sent
	late   atomic.Int64 // of them, more than 5 ms
	lost   atomic.Int64 // sockets that were closed

	mu sync.Mutex
	// delays of acknowledgments since they were cleared, from when the frame was due until the
	// client knew of it
	heard []time.Duration
	// the same from when the frame was written until the system had the acknowledgment: the
	// server's own
	answered []time.Duration
}

// rawSocket is one of them.
type rawSocket struct {
	fd    int
	sound rawSound
	sent  int64           // frames
	times [rawTimes]int64 // when the last of them were written, ns since 1970
	began time.Time
	rest  []byte // of an incomplete frame
	buf   []byte // of the next frame
}

// rawSound is what a raw client plays again and again, from a place on. All clients may share the
// samples.
type rawSound struct {
	pcm []byte
	at  int // even
}

// next appends the next n bytes.
func (s *rawSound) next(b []byte, n int) []byte {
	for n > 0 {
		part := min(n, len(s.pcm)-s.at)
		b = append(b, s.pcm[s.at:s.at+part]...)
		s.at, n = (s.at+part)%len(s.pcm), n-part
	}
	return b
}

// rawTimes is for how many frames a raw client remembers when it wrote them: what was written
// before has a delay of 5 s and more.
const rawTimes = 256

// dialRaw opens sessions and their sockets, one for each sound, and sends nothing yet.
func dialRaw(tb testing.TB, address, key, request string, chunk time.Duration, sounds []rawSound) *rawClients {
	tb.Helper()
	c := &rawClients{
		chunk: chunk, bytes: int(chunk.Milliseconds()) * 2 * clipRate / 1000,
		events: make([]syscall.EpollEvent, 256), buf: make([]byte, 64<<10),
	}
	var err error
	if c.epoll, err = syscall.EpollCreate1(syscall.EPOLL_CLOEXEC); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(c.end)
	for _, sound := range sounds {
		k := &rawSocket{sound: sound}
		if k.fd, k.rest, err = openRaw(address, key, request); err != nil {
			tb.Fatal(err)
		}
		if err := syscall.SetsockoptInt(k.fd, syscall.SOL_SOCKET, syscall.SO_TIMESTAMPNS, 1); err != nil {
			tb.Fatal(err)
		}
		event := syscall.EpollEvent{Events: syscall.EPOLLIN, Fd: int32(len(c.sockets))}
		c.sockets = append(c.sockets, k)
		if err := syscall.EpollCtl(c.epoll, syscall.EPOLL_CTL_ADD, k.fd, &event); err != nil {
			tb.Fatal(err)
		}
	}
	return c
}

// openRaw opens a session and its socket. early is what the server has sent after its answer.
func openRaw(address, key, request string) (fd int, early []byte, err error) {
	req, err := http.NewRequest(http.MethodPost, address+"/v2/live", strings.NewReader(request))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("X-Service-Key", key)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	var job struct{ URL string }
	if err := json.NewDecoder(resp.Body).Decode(&job); err != nil || resp.StatusCode != http.StatusCreated {
		return 0, nil, fmt.Errorf("session refused: %s, %w", resp.Status, err)
	}
	u, err := url.Parse(job.URL)
	if err != nil {
		return 0, nil, err
	}
	port, err := strconv.Atoi(u.Port())
	if err != nil {
		return 0, nil, err
	}
	if fd, err = syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0); err != nil {
		return 0, nil, err
	}
	if err := syscall.Connect(fd, &syscall.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		return 0, nil, err
	}
	if err := syscall.SetsockoptInt(fd, syscall.IPPROTO_TCP, syscall.TCP_NODELAY, 1); err != nil { // as clients do
		return 0, nil, err
	}
	hello := "GET " + u.RequestURI() + " HTTP/1.1\r\nHost: " + u.Host +
		"\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
	if _, err := syscall.Write(fd, []byte(hello)); err != nil {
		return 0, nil, err
	}
	var answer []byte
	buf := make([]byte, 4096)
	for !bytes.Contains(answer, []byte("\r\n\r\n")) {
		n, err := syscall.Read(fd, buf)
		if n <= 0 {
			return 0, nil, fmt.Errorf("upgrade: %d bytes, %w", n, err)
		}
		answer = append(answer, buf[:n]...)
	}
	head, early, _ := bytes.Cut(answer, []byte("\r\n\r\n"))
	upgrade, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(append(head, "\r\n\r\n"...))), nil)
	if err != nil || upgrade.StatusCode != http.StatusSwitchingProtocols {
		return 0, nil, fmt.Errorf("upgrade answered by %.80s, %w", answer, err)
	}
	_ = upgrade.Body.Close()
	return fd, bytes.Clone(early), syscall.SetNonblock(fd, true)
}

// speak begins to send: the frames of the clients are due one after the other, evenly over a
// chunk's time.
func (c *rawClients) speak() {
	began := time.Now().Add(10 * time.Millisecond)
	for i, k := range c.sockets {
		k.began = began.Add(c.chunk * time.Duration(i) / time.Duration(len(c.sockets)))
		k.buf = append([]byte{0x82, 0x80 | 126}, 0, 0, 0, 0, 0, 0)
		binary.BigEndian.PutUint16(k.buf[2:], uint16(c.bytes)) // the masking key is zero
	}
	c.running.Go(c.run)
}

// The clock of raw clients: they look for what has come as often as they have nothing to send, and
// between so many frames. What comes wakes nobody, so it costs the server what it costs to send it,
// as with clients on another machine.
const (
	rawStep  = 500 * time.Microsecond
	rawBurst = 64
)

func (c *rawClients) run() {
	for round := int64(0); ; round++ {
		for i, k := range c.sockets {
			if c.stop.Load() {
				return
			}
			wait := time.Until(k.began.Add(time.Duration(round) * c.chunk))
			if wait > 0 || i%rawBurst == 0 {
				c.receive()
			}
			switch {
			case wait > 0:
				time.Sleep(max(wait, rawStep))
			case wait < -5*time.Millisecond:
				c.late.Add(1)
			}
			k.write(c.bytes)
			c.frames.Add(1)
		}
	}
}

// write sends the next frame.
func (k *rawSocket) write(size int) {
	k.buf = k.sound.next(k.buf[:8], size)
	k.times[k.sent%rawTimes] = time.Now().UnixNano()
	for rest := k.buf; len(rest) > 0; {
		n, err := syscall.Write(k.fd, rest)
		switch {
		case err == syscall.EAGAIN: // the server lags
			time.Sleep(time.Millisecond)
		case err != nil:
			return // the reader notices
		}
		rest = rest[max(n, 0):]
	}
	k.sent++
}

// receive reads what has come.
func (c *rawClients) receive() {
	for n := len(c.events); n == len(c.events); {
		n, _ = syscall.EpollWait(c.epoll, c.events, 0) // an interrupted one has nothing, and neither has one that fails
		now := time.Now()
		for _, e := range c.events[:max(n, 0)] {
			c.read(c.sockets[e.Fd], now)
		}
	}
}

// read reads what has come for a socket.
func (c *rawClients) read(k *rawSocket, now time.Time) {
	n, came, err := readStamped(k.fd, c.buf)
	switch {
	case n > 0:
		c.take(k, c.buf[:n], arrival{now, came})
	case err != syscall.EAGAIN:
		c.lost.Add(1)
		_ = syscall.EpollCtl(c.epoll, syscall.EPOLL_CTL_DEL, k.fd, nil)
	}
}

// arrival is when a client knew of something, and when the system had the last of it, in ns since
// 1970.
type arrival struct {
	known time.Time
	came  int64
}

// readStamped reads what has come, and when the last of it did.
func readStamped(fd int, b []byte) (n int, came int64, err error) {
	var control [64]byte
	n, size, _, _, err := syscall.Recvmsg(fd, b, control[:], 0)
	if size < syscall.CmsgSpace(16) {
		return n, time.Now().UnixNano(), err
	}
	stamp := control[syscall.CmsgLen(0):] // seconds and ns; no other message was asked for
	native := binary.NativeEndian
	return n, int64(native.Uint64(stamp))*int64(time.Second) + int64(native.Uint64(stamp[8:])), err
}

// take takes bytes that have come.
func (c *rawClients) take(k *rawSocket, b []byte, at arrival) {
	if len(k.rest) > 0 {
		b = append(k.rest, b...)
	}
	for {
		payload, rest, whole := cutFrame(b)
		if !whole {
			break
		}
		switch b[0] & 15 {
		case 9:
			pong := append([]byte{0x8A, 0x80 | byte(len(payload)), 0, 0, 0, 0}, payload...)
			_, _ = syscall.Write(k.fd, pong)
		case 1:
			c.note(k, payload, at)
		}
		b = rest
	}
	k.rest = append(k.rest[:0], b...)
}

// cutFrame cuts off the first frame of a server.
func cutFrame(b []byte) (payload, rest []byte, whole bool) {
	if len(b) < 2 {
		return nil, nil, false
	}
	head, size := 2, int(b[1])
	switch {
	case size == 126 && len(b) >= 4:
		head, size = 4, int(binary.BigEndian.Uint16(b[2:]))
	case size == 127 && len(b) >= 10:
		head, size = 10, int(binary.BigEndian.Uint64(b[2:]))
	case size >= 126:
		return nil, nil, false
	}
	if len(b) < head+size {
		return nil, nil, false
	}
	return b[head : head+size], b[head+size:], true
}

// note notes how long after its last frame an acknowledgment came.
func (c *rawClients) note(k *rawSocket, message []byte, at arrival) {
	_, after, ok := bytes.Cut(message, []byte(`"byte_range":[`))
	if !ok {
		return
	}
	_, after, _ = bytes.Cut(after, []byte(","))
	digits, _, _ := bytes.Cut(after, []byte("]"))
	upto, err := strconv.ParseInt(string(digits), 10, 64)
	if err != nil || upto < int64(c.bytes) {
		return
	}
	frame := upto/int64(c.bytes) - 1
	due := k.began.Add(time.Duration(frame) * c.chunk)
	c.mu.Lock()
	defer c.mu.Unlock()
	delay := at.known.Sub(due)
	c.heard = append(c.heard, delay)
	if k.sent-frame <= rawTimes {
		delay = time.Duration(at.came - k.times[frame%rawTimes])
	}
	c.answered = append(c.answered, delay)
}

// await waits until so many frames were sent.
func (c *rawClients) await(frames int64) {
	for c.frames.Load() < frames {
		time.Sleep(10 * time.Millisecond)
	}
}

// heardFrom is what raw clients saw of a server in some time.
type heardFrom struct {
	frames int64         // sent
	late   int64         // of them, more than 5 ms
	heard  time.Duration // 99th percentile of the delays of acknowledgments, see rawClients
	server time.Duration // the same of the server's own
}

// measure clears what was noted, waits, and returns what was seen meanwhile.
func (c *rawClients) measure(lasts time.Duration) heardFrom {
	c.mu.Lock()
	c.heard, c.answered = c.heard[:0], c.answered[:0]
	c.mu.Unlock()
	frames, late := c.frames.Load(), c.late.Load()
	time.Sleep(lasts)
	c.mu.Lock()
	defer c.mu.Unlock()
	return heardFrom{c.frames.Load() - frames, c.late.Load() - late, percentile99(c.heard), percentile99(c.answered)}
}

// end closes the sockets.
func (c *rawClients) end() {
	if c.stop.Swap(true) {
		return
	}
	c.running.Wait()
	for _, k := range c.sockets {
		_ = syscall.Close(k.fd)
	}
	_ = syscall.Close(c.epoll)
}
