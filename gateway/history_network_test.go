package gateway

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"steno/gateway/internal/pipenet"
)

// network carries the connections of a history's clients to its gateway. They can be cut, and held:
// while they are held nothing passes in either direction, and the gateway does not learn that a
// client closed its end. Its methods may be called from any goroutine.
type network struct {
	mu    sync.Mutex
	to    *pipenet.Listener // nil: there is no gateway
	links map[*link]bool
}

// link is a client's end of a connection.
type link struct {
	net.Conn
	owner int // number of the client

	mu    sync.Mutex
	flows chan struct{} // closed unless the connection is held
	left  chan struct{} // closed when the client has closed its end
	gone  bool          // left is closed
}

// reach makes the network lead to a gateway.
func (n *network) reach(to *pipenet.Listener) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.to = to
}

// dialer returns a function that connects a client to the gateway.
func (n *network) dialer(owner int) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		n.mu.Lock()
		to := n.to
		n.mu.Unlock()
		if to == nil {
			return nil, errBroken
		}
		conn, err := to.Dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		l := &link{Conn: conn, owner: owner, flows: make(chan struct{}), left: make(chan struct{})}
		close(l.flows)
		n.mu.Lock()
		defer n.mu.Unlock()
		if n.links == nil {
			n.links = map[*link]bool{}
		}
		n.links[l] = true
		return l, nil
	}
}

// of returns the connections of a client, or of all for -1.
func (n *network) of(owner int) (links []*link) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for l := range n.links {
		if owner < 0 || l.owner == owner {
			links = append(links, l)
		}
	}
	return links
}

// cut breaks the connections of a client, or of all for -1, wherever they are.
func (n *network) cut(owner int) {
	for _, l := range n.of(owner) {
		l.leave()
		_ = l.Conn.Close()
		n.mu.Lock()
		delete(n.links, l)
		n.mu.Unlock()
	}
}

// hold stops what passes, until release.
func (n *network) hold(owner int) {
	for _, l := range n.of(owner) {
		l.mu.Lock()
		if l.open() {
			l.flows = make(chan struct{})
		}
		l.mu.Unlock()
	}
}

// release lets pass what was held, and the ends of connections that were closed meanwhile.
func (n *network) release(owner int) {
	for _, l := range n.of(owner) {
		l.mu.Lock()
		if !l.open() {
			close(l.flows)
		}
		gone := l.gone
		l.mu.Unlock()
		if gone {
			_ = l.Conn.Close()
		}
	}
}

// open reports whether bytes pass. It is called with mu held.
func (l *link) open() bool {
	select {
	case <-l.flows:
		return true
	default:
		return false
	}
}

// pass waits until bytes pass.
func (l *link) pass() error {
	l.mu.Lock()
	flows := l.flows
	l.mu.Unlock()
	select {
	case <-l.left:
		return net.ErrClosed
	case <-flows:
		return nil
	}
}

func (l *link) Read(p []byte) (int, error) {
	if err := l.pass(); err != nil {
		return 0, err
	}
	n, err := l.Conn.Read(p)
	if held := l.pass(); held != nil {
		return 0, held
	}
	return n, err
}

func (l *link) Write(p []byte) (int, error) {
	if err := l.pass(); err != nil {
		return 0, err
	}
	return l.Conn.Write(p)
}

// leave is the client's close, as far as the client sees it.
func (l *link) leave() (open bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.gone {
		l.gone = true
		close(l.left)
		_ = l.Conn.SetReadDeadline(time.Unix(1, 0)) // ends a read, as a close does
	}
	return l.open()
}

func (l *link) Close() error {
	if l.leave() {
		return l.Conn.Close()
	}
	return nil
}

// mood is what a server does with requests.
type mood int

const (
	hookWell    mood = iota
	hookRefuses      // answers 503
	hookHangs        // takes the request and does not answer
	hookCuts         // takes the request and closes the connection instead of an answer
	hookEndless      // takes the request and answers with a body that does not end
	hookUnknown      // has a name that cannot be resolved
	hookGone         // takes nothing
)

// arrival is a callback that a server has taken.
type arrival struct {
	id, body string
}

// hookServer is the server that a history's callbacks are sent to.
type hookServer struct {
	net    *pipenet.Listener
	server *http.Server
	served chan error

	mu   sync.Mutex
	mood mood
	got  []arrival
}

func newHookServer() *hookServer {
	h := &hookServer{net: pipenet.Listen(), served: make(chan error, 1)}
	h.server = &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}
	go func() { h.served <- h.server.Serve(h.net) }()
	return h
}

func (h *hookServer) close() {
	_ = h.server.Close()
	<-h.served
}

func (h *hookServer) is(m mood) { h.swap(m) }

// dial connects to the server as long as its name can be resolved.
func (h *hookServer) dial(ctx context.Context, network, address string) (net.Conn, error) {
	h.mu.Lock()
	unknown := h.mood == hookUnknown
	h.mu.Unlock()
	if unknown {
		return nil, &net.DNSError{Err: "server misbehaving", Name: address, IsTemporary: true}
	}
	return h.net.Dial(ctx, network, address)
}

// swap sets the mood, and returns the one that it had.
func (h *hookServer) swap(m mood) (before mood) {
	h.mu.Lock()
	defer h.mu.Unlock()
	before, h.mood = h.mood, m
	return before
}

// arrivals are the callbacks of a session, each as often as it has come.
func (h *hookServer) arrivals(session string) (of []arrival) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, a := range h.got {
		if strings.Contains(a.body, session) {
			of = append(of, a)
		}
	}
	return of
}

// take keeps a callback unless the server takes none.
func (h *hookServer) take(a arrival) mood {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.mood != hookGone && h.mood != hookRefuses {
		h.got = append(h.got, a)
	}
	return h.mood
}

func (h *hookServer) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return
	}
	switch h.take(arrival{req.Header.Get("webhook-id"), string(body)}) {
	case hookRefuses:
		w.WriteHeader(http.StatusServiceUnavailable)
	case hookHangs:
		select {
		case <-req.Context().Done():
		case <-time.After(time.Minute):
		}
	case hookCuts, hookGone:
		panic(http.ErrAbortHandler)
	case hookEndless:
		for req.Context().Err() == nil {
			if _, err := w.Write(make([]byte, 4096)); err != nil {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}
