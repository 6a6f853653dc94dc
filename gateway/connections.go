package gateway

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"steno/gateway/limits"
	"steno/gateway/metrics"
	"steno/gateway/web"
)

// The reasons for which a connection is refused.
const (
	refusedAll     = "all"     // there are as many as there may be
	refusedAddress = "address" // its address has as many as one may have
)

// refusedKeys are the keys of the configuration that set the limits.
var refusedKeys = map[string]string{refusedAll: "limits.connections", refusedAddress: "limits.connections_per_address"}

// refuseTime is how long the answer to a refused connection may take: it fits into the buffers of a new one.
const refuseTime = 50 * time.Millisecond

// connections counts those of clients, in all and by address. An address that is not valid is not counted: loopback, and
// trusted proxies, which bring the requests of many. For those, the requests under way are counted, by the addresses that
// the proxies name.
type connections struct {
	most, each int

	mu     sync.Mutex
	n      int
	by     map[netip.Addr]int
	logged time.Time // the last refusal in the log
}

func newConnections(l limits.Limits) *connections {
	return &connections{most: l.Connections, each: l.PerAddress, by: map[netip.Addr]int{}}
}

// enter counts a connection, or tells why there may not be one more. Whoever entered owes a leave.
func (c *connections) enter(from netip.Addr) (refused string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n >= c.most {
		return refusedAll
	}
	if !c.count(from) {
		return refusedAddress
	}
	c.n++
	return ""
}

func (c *connections) leave(from netip.Addr) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n--
	c.discount(from)
}

// enterRequest counts a request that a proxy has brought for an address. Whoever entered owes a leaveRequest.
func (c *connections) enterRequest(from netip.Addr) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.count(from)
}

func (c *connections) leaveRequest(from netip.Addr) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.discount(from)
}

// count takes a place of the address, if there is one. Called with mu held.
func (c *connections) count(from netip.Addr) bool {
	if !from.IsValid() {
		return true
	}
	if c.by[from] >= c.each {
		return false
	}
	c.by[from]++
	return true
}

// discount gives the place back. Called with mu held.
func (c *connections) discount(from netip.Addr) {
	if !from.IsValid() {
		return
	}
	if c.by[from]--; c.by[from] == 0 {
		delete(c.by, from)
	}
}

// listener gives the connections that are admitted.
type listener struct {
	net.Listener
	admit func(net.Conn) (*connection, bool)
}

// Accept implements net.Listener.
func (l listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if admitted, ok := l.admit(c); ok {
			return admitted, nil
		}
	}
}

// admitConnection counts a client's connection until it is closed. One too many is refused.
func (s *Server) admitConnection(c net.Conn) (*connection, bool) {
	from := s.proxies.Network(web.ParseAddr(c.RemoteAddr().String()))
	if why := s.connections.enter(from); why != "" {
		s.turnConnectionAway(c, why)
		return nil, false
	}
	s.metrics.Connections.Inc()
	return s.newConnection(c, func() {
		s.connections.leave(from)
		s.metrics.Connections.Dec()
	}), true
}

// admitOperator takes every connection: operators have to come in also when there are too many clients.
func (s *Server) admitOperator(c net.Conn) (*connection, bool) {
	return s.newConnection(c, func() {}), true
}

func (s *Server) newConnection(c net.Conn, onClose func()) *connection {
	return &connection{
		Conn: c, progress: web.NewThroughput(s.cfg.Limits.Stall),
		onStall: func() { s.metrics.Drop(metrics.DropAnswerStalled) }, onClose: onClose,
	}
}

// turnConnectionAway answers whatever will be asked, and closes the connection.
func (s *Server) turnConnectionAway(c net.Conn, why string) {
	s.noteRefused(why, c.RemoteAddr().String())
	_ = c.SetDeadline(time.Now().Add(refuseTime))
	_, _ = c.Write(tooMany(why, s.cfg.Limits.RetryAfter)) // a client that is not told finds out
	_ = c.Close()
}

// noteRefused counts a refusal, and logs one a minute.
func (s *Server) noteRefused(why, client string) {
	s.metrics.ConnectionsRefused.WithLabelValues(why).Inc()
	if s.connections.mayLog(time.Now()) {
		s.log.Warn().Str("key", refusedKeys[why]).Str("client", client).Msg("connections are refused, there are too many")
	}
}

// mayLog is true once a minute.
func (c *connections) mayLog(now time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now.Sub(c.logged) < time.Minute {
		return false
	}
	c.logged = now
	return true
}

// tooMany is a whole answer.
func tooMany(why string, after time.Duration) []byte {
	p := web.Problem(http.StatusServiceUnavailable, "too many connections ("+refusedKeys[why]+")")
	body, err := json.Marshal(p.Body(time.Now(), "", ""))
	if err != nil {
		return nil
	}
	answer := http.Response{
		StatusCode: p.Status, ProtoMajor: 1, ProtoMinor: 1, Close: true,
		Header:        http.Header{"Content-Type": {"application/json"}, "Retry-After": {web.RetryAfter(after)}},
		ContentLength: int64(len(body)), Body: io.NopCloser(bytes.NewReader(body)),
	}
	var text bytes.Buffer
	_ = answer.Write(&text) // into memory
	return text.Bytes()
}

// admitForwarded bounds the requests under way that trusted proxies bring for one address.
func (s *Server) admitForwarded(next http.Handler) http.Handler {
	return s.answer(func(w http.ResponseWriter, r *http.Request) error {
		if !s.proxies.Forwarded(r) {
			next.ServeHTTP(w, r)
			return nil
		}
		client := s.proxies.Client(r)
		from := s.proxies.Network(client)
		if !s.connections.enterRequest(from) {
			s.noteRefused(refusedAddress, client.String())
			return web.Refuse(http.StatusTooManyRequests, "too many requests at once from this address ("+refusedKeys[refusedAddress]+")",
				s.cfg.Limits.RetryAfter)
		}
		defer s.connections.leaveRequest(from)
		next.ServeHTTP(w, r)
		return nil
	})
}
