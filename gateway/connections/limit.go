package connections

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"steno/gateway/limits"
	"steno/gateway/metrics"
	"steno/gateway/web"
)

// The reasons why a connection is refused.
const (
	refusedAll     = "all"     // there are as many as there may be
	refusedAddress = "address" // its address has as many as one may have
)

// refusedKeys are the keys of the configuration that set the limits, for the log.
var refusedKeys = map[string]string{refusedAll: "limits.connections", refusedAddress: "limits.connections_per_address"}

// refuseTime is how long the answer to a refused connection may take: it fits into the buffers of a
// new one.
const refuseTime = 50 * time.Millisecond

// Limit bounds the connections of clients, in all and of each network. Loopback and
// trusted proxies, which carry the requests of many clients, count in all only. For proxies the
// requests under way are bounded instead, by the addresses that the proxies name. Its methods may
// be called from any goroutine.
type Limit struct {
	limits  limits.Limits
	proxies *web.Proxies
	metrics *metrics.Metrics
	log     zerolog.Logger

	mu     sync.Mutex
	n      int
	by     map[netip.Addr]int // by network
	logged time.Time          // when the last refusal was logged
}

// New returns the limit on the connections of clients, of which there are none.
func New(l limits.Limits, p *web.Proxies, m *metrics.Metrics, log zerolog.Logger) *Limit {
	return &Limit{limits: l, proxies: p, metrics: m, log: log, by: map[netip.Addr]int{}}
}

// enter counts a connection, or returns why there may not be one more. A connection that entered
// must leave.
func (c *Limit) enter(from netip.Addr) (refused string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n >= c.limits.Connections {
		return refusedAll
	}
	if !c.count(from) {
		return refusedAddress
	}
	c.n++
	return ""
}

func (c *Limit) leave(from netip.Addr) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n--
	c.discount(from)
}

// enterRequest counts a request that a proxy brings for a network, or returns false. One that
// entered must leaveRequest.
func (c *Limit) enterRequest(from netip.Addr) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.count(from)
}

func (c *Limit) leaveRequest(from netip.Addr) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.discount(from)
}

// count counts one more of the network, unless it has as many as it may. It is called with mu held.
func (c *Limit) count(from netip.Addr) bool {
	if !from.IsValid() {
		return true
	}
	if c.by[from] >= c.limits.PerAddress {
		return false
	}
	c.by[from]++
	return true
}

// discount undoes count. It is called with mu held.
func (c *Limit) discount(from netip.Addr) {
	if !from.IsValid() {
		return
	}
	if c.by[from]--; c.by[from] == 0 {
		delete(c.by, from)
	}
}

// Clients returns a listener of the connections that clients may have.
func (c *Limit) Clients(l net.Listener) net.Listener { return listener{l, c.admit} }

// Operators returns a listener of all connections: operators must be able to connect when there are
// too many clients.
func (c *Limit) Operators(l net.Listener) net.Listener {
	return listener{l, func(conn net.Conn) (*connection, bool) { return c.wrap(conn, func() {}), true }}
}

// listener accepts the connections that are admitted.
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

// Open returns how many connections there are, but for those of operators.
func (c *Limit) Open() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

// admit counts a client's connection until it is closed. It answers and closes one too many, and
// returns false.
func (c *Limit) admit(conn net.Conn) (*connection, bool) {
	from := c.proxies.Network(web.ParseAddr(conn.RemoteAddr().String()))
	if why := c.enter(from); why != "" {
		c.refuse(conn, why)
		return nil, false
	}
	c.metrics.Connections.Inc()
	return c.wrap(conn, func() {
		c.leave(from)
		c.metrics.Connections.Dec()
	}), true
}

func (c *Limit) wrap(conn net.Conn, onClose func()) *connection {
	return &connection{
		Conn: conn, progress: web.NewThroughput(c.limits.Stall),
		onStall: func() { c.metrics.Drop(metrics.DropAnswerStalled) }, onClose: onClose,
	}
}

// refuse answers a connection before it has sent anything, and closes it.
func (c *Limit) refuse(conn net.Conn, why string) {
	c.note(why, conn.RemoteAddr().String())
	_ = conn.SetDeadline(time.Now().Add(refuseTime))
	_, _ = conn.Write(tooMany(why, c.limits.RetryAfter)) // a client that does not get it finds the connection closed
	_ = conn.Close()
}

// note counts a refusal, and logs one a minute.
func (c *Limit) note(why, client string) {
	c.metrics.ConnectionsRefused.WithLabelValues(why).Inc()
	if c.mayLog(time.Now()) {
		c.log.Warn().Str("key", refusedKeys[why]).Str("client",
			client).Msg("connections are refused, there are too many")
	}
}

// mayLog returns true once a minute.
func (c *Limit) mayLog(now time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now.Sub(c.logged) < time.Minute {
		return false
	}
	c.logged = now
	return true
}

// tooMany returns the whole answer to a refused connection.
func tooMany(why string, after time.Duration) []byte {
	p := web.Problem(http.StatusServiceUnavailable, "too many connections")
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

// EnterForwarded counts a request that a trusted proxy brings for an address until leave is called.
// It returns a problem, 429, where as many of that address are under way as there may be.
func (c *Limit) EnterForwarded(r *http.Request) (leave func(), err error) {
	if !c.proxies.Forwarded(r) {
		return func() {}, nil
	}
	client := c.proxies.Client(r)
	from := c.proxies.Network(client)
	if !c.enterRequest(from) {
		c.note(refusedAddress, client.String())
		return nil, web.Refuse(http.StatusTooManyRequests, "too many requests at once from this address",
			c.limits.RetryAfter)
	}
	return func() { c.leaveRequest(from) }, nil
}
