package pool_test

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"steno/cmd/cmdtest"
	"steno/session/asr"
	"steno/session/asr/riva"
	"steno/session/asr/riva/pool"
	"steno/session/asr/rivaserver"
	"steno/session/asr/scripted"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(cmdtest.M{M: m}) }

// node is an engine server of this process that can be stopped and started again at its address.
type node struct {
	t       *testing.T
	address string
	tls     *tls.Config
	config  scripted.Config
	most    int    // open utterances; 0: many
	stop    func() // nil while it does not serve
}

func newNode(t *testing.T, c *tls.Config) *node {
	t.Helper()
	n := &node{t: t, address: cmdtest.Address(t), tls: c}
	n.start()
	t.Cleanup(func() {
		if n.stop != nil {
			n.stop()
		}
	})
	return n
}

// start serves; stopping breaks the calls there are.
func (n *node) start() {
	n.t.Helper()
	listener, err := net.Listen("tcp", n.address)
	if err != nil {
		n.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	server := rivaserver.New(rivaserver.Config{
		Recognizer: scripted.New(n.config), Name: scripted.Engine, Drain: time.Nanosecond,
		TLS: n.tls, MaxCalls: n.most,
	})
	go func() { done <- server.Serve(ctx, listener) }()
	n.stop = func() {
		cancel()
		if err := <-done; err != nil {
			n.t.Errorf("serve: %v", err)
		}
		n.stop = nil
	}
}

// quick has the pool notice and forgive within milliseconds.
func quick(addresses ...string) pool.Config {
	return pool.Config{
		Addresses: addresses, HealthEvery: 20 * time.Millisecond, HealthTimeout: 2 * time.Second,
		MinBackoff: 5 * time.Millisecond, MaxBackoff: 20 * time.Millisecond,
		Client: riva.Config{MaxBackoff: 20 * time.Millisecond},
	}
}

func newPool(t *testing.T, c pool.Config) *pool.Recognizer {
	t.Helper()
	r, err := pool.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return r
}

func open(t *testing.T, r asr.Recognizer, p asr.Params) asr.Stream {
	t.Helper()
	u, err := r.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// finish writes all, ends, and returns the final.
func finish(u asr.Stream, samples []int16) (asr.Result, error) {
	if u.Write(samples) == nil {
		_ = u.End() // Recv tells what is wrong
	}
	for {
		result, err := u.Recv()
		if err != nil || result.Final {
			return result, err
		}
	}
}

func decode(t *testing.T, r asr.Recognizer, samples []int16) asr.Result {
	t.Helper()
	result, err := finish(open(t, r, asr.Params{}), samples)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// until waits for what another goroutine brings about.
func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain until %s", what)
		}
	}
}

func up(r *pool.Recognizer) (n int) {
	for _, s := range r.Servers() {
		if s.Up {
			n++
		}
	}
	return n
}

// relay passes connections on to a server, and can cut or stall them.
type relay struct {
	listener net.Listener
	target   string
	tasks    sync.WaitGroup

	mu    sync.Mutex
	conns map[net.Conn]struct{}
	still chan struct{} // closed while bytes flow
}

func newRelay(t *testing.T, target string) *relay {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &relay{listener: listener, target: target, conns: map[net.Conn]struct{}{}, still: make(chan struct{})}
	close(p.still)
	p.tasks.Go(p.accept)
	t.Cleanup(func() {
		_ = listener.Close()
		p.stall(false)
		p.cut()
		p.tasks.Wait()
	})
	return p
}

func (p *relay) accept() {
	for {
		conn, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", p.target)
		if err != nil {
			_ = conn.Close()
			continue
		}
		p.mu.Lock()
		p.conns[conn], p.conns[server] = struct{}{}, struct{}{}
		p.mu.Unlock()
		p.tasks.Go(func() { p.pass(conn, server) })
		p.tasks.Go(func() { p.pass(server, conn) })
	}
}

func (p *relay) pass(from, to net.Conn) {
	defer func() { _ = errors.Join(from.Close(), to.Close()) }()
	buffer := make([]byte, 4096)
	for {
		n, err := from.Read(buffer)
		p.mu.Lock()
		still := p.still
		p.mu.Unlock()
		<-still
		if _, bad := to.Write(buffer[:n]); err != nil || bad != nil {
			return
		}
	}
}

// cut breaks all connections there are.
func (p *relay) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for conn := range p.conns {
		_ = conn.Close()
	}
	clear(p.conns)
}

// stall holds all bytes back, or releases them.
func (p *relay) stall(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if on {
		p.still = make(chan struct{})
	} else {
		select {
		case <-p.still:
		default:
			close(p.still)
		}
	}
}

// silent listens and never answers.
func silent(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var tasks sync.WaitGroup
	tasks.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			tasks.Go(func() {
				_, _ = io.Copy(io.Discard, conn) // until the client disconnects
				_ = conn.Close()
			})
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		tasks.Wait()
	})
	return listener.Addr().String()
}
