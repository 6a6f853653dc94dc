package endtoend_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"sync"
	"testing"
)

// proxy stands between clients and a gateway and breaks WebSocket connections. Other HTTP
// connections pass whole.
type proxy struct {
	listener net.Listener
	target   string
	// plan returns how the n-th WebSocket connection (from 0) is to end; stopped: after a stop has
	// passed. Called by one connection at a time.
	plan func(n int, stopped bool) cut

	work    sync.WaitGroup
	mu      sync.Mutex
	links   map[*link]bool
	sockets int
	stopped bool
	cuts    []cutDone
}

// cut is how a connection ends: after a number of bytes of a direction, or after the stop message
// of the client. A negative number: not.
type cut struct {
	up, down   int64
	behindStop bool
	reset      bool // with a TCP reset, which may destroy what is under way, instead of a regular end
}

// cutDone is a connection that was ended.
type cutDone struct {
	inFrame bool // the last frame of the client was passed on only in part
	stopped bool // after a stop had passed
}

func newProxy(t *testing.T, target string, plan func(n int, stopped bool) cut) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: l, target: target, plan: plan, links: map[*link]bool{}}
	p.work.Go(p.accept)
	t.Cleanup(p.close)
	return p
}

func (p *proxy) url() string { return "http://" + p.listener.Addr().String() }

func (p *proxy) close() {
	p.listener.Close()
	p.mu.Lock()
	for l := range p.links {
		l.end(false)
	}
	p.mu.Unlock()
	p.work.Wait()
}

func (p *proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.work.Go(func() { p.serve(client.(*net.TCPConn)) })
	}
}

// link is one connection on its way through.
type link struct {
	proxy          *proxy
	client, server *net.TCPConn
	cut            cut
	socket         bool // a WebSocket
	scanner        frameScanner
	once           sync.Once
}

func (p *proxy) serve(client *net.TCPConn) {
	server, err := net.Dial("tcp", p.target)
	if err != nil {
		client.Close()
		return
	}
	l := &link{proxy: p, client: client, server: server.(*net.TCPConn), cut: cut{up: -1, down: -1}}
	p.mu.Lock()
	p.links[l] = true
	p.mu.Unlock()
	defer func() {
		l.end(false)
		p.mu.Lock()
		delete(p.links, l)
		p.mu.Unlock()
	}()
	head, err := readHead(client)
	if err != nil {
		return
	}
	if bytes.HasPrefix(head, []byte("GET /v2/live?token=")) {
		l.socket = true
		p.mu.Lock()
		l.cut = p.plan(p.sockets, p.stopped)
		p.sockets++
		p.mu.Unlock()
	}
	if _, err := l.server.Write(head); err != nil {
		return
	}
	var down sync.WaitGroup
	down.Go(l.down)
	l.up()
	down.Wait()
}

// readHead reads the head of the first request and nothing more.
func readHead(c net.Conn) ([]byte, error) {
	var head []byte
	b := make([]byte, 1)
	for !bytes.HasSuffix(head, []byte("\r\n\r\n")) {
		if _, err := io.ReadFull(c, b); err != nil {
			return nil, err
		}
		if head = append(head, b[0]); len(head) > 64<<10 {
			return nil, errors.New("head of the request too long")
		}
	}
	return head, nil
}

// up passes on what the client sends.
func (l *link) up() {
	buf := make([]byte, 16<<10)
	passed := int64(0)
	for {
		n, err := l.client.Read(buf)
		b, last := buf[:n], false
		if l.cut.up >= 0 && passed+int64(n) >= l.cut.up {
			b, last = b[:l.cut.up-passed], true
		}
		if l.socket && len(b) > 0 {
			if at := l.scanner.scan(b); at >= 0 {
				l.proxy.mu.Lock()
				l.proxy.stopped = true
				l.proxy.mu.Unlock()
				if l.cut.behindStop {
					b, last = b[:at], true
				}
			}
		}
		passed += int64(len(b))
		if _, werr := l.server.Write(b); werr != nil || err != nil && !last {
			_ = l.server.CloseWrite()
			return
		}
		if last {
			l.end(true)
			return
		}
	}
}

// down passes on what the gateway sends.
func (l *link) down() {
	buf := make([]byte, 16<<10)
	passed := int64(0)
	for {
		n, err := l.server.Read(buf)
		b, last := buf[:n], false
		if l.cut.down >= 0 && passed+int64(n) >= l.cut.down {
			b, last = b[:l.cut.down-passed], true
		}
		passed += int64(len(b))
		if _, werr := l.client.Write(b); werr != nil || err != nil && !last {
			_ = l.client.CloseWrite()
			return
		}
		if last {
			l.end(true)
			return
		}
	}
}

// end closes both sides, once; counted is true for a cut, false for the regular end.
func (l *link) end(counted bool) {
	l.once.Do(func() {
		if counted {
			l.proxy.mu.Lock()
			l.proxy.cuts = append(l.proxy.cuts, cutDone{l.scanner.within(), l.proxy.stopped})
			l.proxy.mu.Unlock()
			if l.cut.reset {
				_ = l.client.SetLinger(0)
				_ = l.server.SetLinger(0)
			}
		}
		l.client.Close()
		l.server.Close()
	})
}

// done lists the cuts so far.
func (p *proxy) done() []cutDone {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]cutDone(nil), p.cuts...)
}

// frameScanner follows the frames of a client (RFC 6455, section 5.2).
type frameScanner struct {
	mu   sync.Mutex
	head []byte // of the frame, as far as it is here
	left int64  // bytes of its payload still to come
	text bool
}

// scan takes the next bytes. It returns the position after the first text frame that ends in them,
// -1 for none.
func (f *frameScanner) scan(b []byte) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	at := -1
	for i := 0; i < len(b); {
		if f.left > 0 {
			n := min(f.left, int64(len(b)-i))
			f.left -= n
			i += int(n)
			if f.left == 0 && f.text && at < 0 {
				at = i
			}
			continue
		}
		f.head = append(f.head, b[i])
		i++
		if size, whole := payload(f.head); whole {
			f.left, f.text, f.head = size, f.head[0]&0x0f == 1, f.head[:0]
		}
	}
	return at
}

// within reports whether the last frame is incomplete.
func (f *frameScanner) within() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.left > 0 || len(f.head) > 0
}

// payload returns the length of a masked frame's payload once its head is whole.
func payload(head []byte) (size int64, whole bool) {
	if len(head) < 2 {
		return 0, false
	}
	size, extra := int64(head[1]&0x7f), 0
	switch size {
	case 126:
		extra = 2
	case 127:
		extra = 8
	}
	if len(head) < 2+extra+4 {
		return 0, false
	}
	if extra > 0 {
		size = 0
		for _, b := range head[2 : 2+extra] {
			size = size<<8 | int64(b)
		}
	}
	return size, true
}
