package endtoend_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"
)

// How a balancer watches its gateways.
const (
	probeEvery   = 100 * time.Millisecond
	probeTimeout = time.Second
)

// balancer passes TCP connections on to gateways in turn: new ones to those that are ready.
// Connections to a gateway that is not alive are cut, as those of a machine that has vanished are
// sooner or later.
type balancer struct {
	listener net.Listener
	running  sync.WaitGroup
	end      context.CancelFunc

	mu       sync.Mutex
	backends []*backend
	next     int
}

// backend is a gateway as the balancer sees it.
type backend struct {
	addr  string
	ready bool
	conns map[net.Conn]bool
}

// newBalancer starts a balancer in front of gateways. It ends with the test.
func newBalancer(t *testing.T, addrs ...string) *balancer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(context.Background())
	b := &balancer{listener: l, end: end}
	for _, addr := range addrs {
		back := &backend{addr: addr, conns: map[net.Conn]bool{}}
		b.backends = append(b.backends, back)
		b.running.Go(func() { b.watch(ctx, back) })
	}
	b.running.Go(b.accept)
	t.Cleanup(func() {
		end()
		_ = l.Close()
		b.cut()
		b.running.Wait()
	})
	return b
}

func (b *balancer) addr() string { return b.listener.Addr().String() }

// watch asks a gateway again and again how it is.
func (b *balancer) watch(ctx context.Context, back *backend) {
	for ctx.Err() == nil {
		alive, ready := probe(ctx, back.addr, "/healthz"), probe(ctx, back.addr, "/readyz")
		b.mu.Lock()
		back.ready = ready
		if !alive {
			back.cut()
		}
		b.mu.Unlock()
		select {
		case <-ctx.Done():
		case <-time.After(probeEvery):
		}
	}
}

func probe(ctx context.Context, addr, path string) bool {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	status, err := get(ctx, "http://"+addr+path)
	return err == nil && status == http.StatusOK
}

// cut closes a gateway's connections.
func (back *backend) cut() {
	for c := range back.conns {
		_ = c.Close()
	}
}

// cut closes all connections.
func (b *balancer) cut() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, back := range b.backends {
		back.cut()
	}
}

func (b *balancer) accept() {
	for {
		client, err := b.listener.Accept()
		if err != nil {
			return
		}
		b.running.Go(func() { b.serve(client) })
	}
}

// serve passes on one connection. A client for which no gateway is ready is turned away.
func (b *balancer) serve(client net.Conn) {
	defer client.Close()
	back := b.choose()
	if back == nil {
		return
	}
	server, err := net.DialTimeout("tcp", back.addr, probeTimeout)
	if err != nil {
		return
	}
	defer server.Close()
	b.note(back, true, client, server)
	defer b.note(back, false, client, server)
	var up sync.WaitGroup
	up.Go(func() {
		_, _ = io.Copy(server, client) // ends with either connection
		_ = server.(*net.TCPConn).CloseWrite()
	})
	_, _ = io.Copy(client, server)
	_ = client.Close()
	up.Wait()
}

// choose returns the next gateway that is ready, nil if none is.
func (b *balancer) choose() *backend {
	b.mu.Lock()
	defer b.mu.Unlock()
	for range b.backends {
		b.next = (b.next + 1) % len(b.backends)
		if back := b.backends[b.next]; back.ready {
			return back
		}
	}
	return nil
}

func (b *balancer) note(back *backend, open bool, conns ...net.Conn) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range conns {
		if open {
			back.conns[c] = true
		} else {
			delete(back.conns, c)
		}
	}
}
