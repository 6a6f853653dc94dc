package valkeytest

import (
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Proxy passes connections on to a server. Its methods may be called from any goroutine.
type Proxy struct {
	listener net.Listener
	running  sync.WaitGroup

	delay atomic.Int64 // nanoseconds, of answers
	deaf  atomic.Bool  // answers are thrown away

	mu     sync.Mutex
	target string
	down   bool
	conns  map[net.Conn]bool
}

// NewProxy starts a proxy in front of the server at an address. It ends with the test.
func NewProxy(t testing.TB, target string) *Proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{listener: l, target: target, conns: map[net.Conn]bool{}}
	p.running.Go(p.accept)
	t.Cleanup(func() {
		_ = l.Close()
		p.Cut()
		p.running.Wait()
	})
	return p
}

// Addr is where clients connect to.
func (p *Proxy) Addr() string { return p.listener.Addr().String() }

// Cut closes all connections and refuses new ones until Restore.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.down = true
	for c := range p.conns {
		_ = c.Close()
	}
}

// Restore lets connections through again, and answers without delay.
func (p *Proxy) Restore() {
	p.deaf.Store(false)
	p.delay.Store(0)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.down = false
}

// Deafen throws all answers away until Restore: commands are carried out, and clients wait in vain.
func (p *Proxy) Deafen() { p.deaf.Store(true) }

// Delay makes each piece of an answer late.
func (p *Proxy) Delay(d time.Duration) { p.delay.Store(int64(d)) }

// Switch closes all connections and passes new ones on to the server at another address.
func (p *Proxy) Switch(target string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.target = target
	for c := range p.conns {
		_ = c.Close()
	}
}

func (p *Proxy) server() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.target
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.running.Go(func() { p.serve(client) })
	}
}

func (p *Proxy) serve(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", p.server())
	if err != nil {
		return
	}
	defer server.Close()
	if !p.enter(client, server) {
		return
	}
	defer p.leave(client, server)
	var answers sync.WaitGroup
	answers.Go(func() { p.answer(client, server) })
	_, _ = io.Copy(server, client) // ends with either connection
	_ = server.Close()
	answers.Wait()
}

// answer passes on the server's answers.
func (p *Proxy) answer(client, server net.Conn) {
	defer client.Close()
	piece := make([]byte, 64<<10)
	for missed := false; ; {
		n, err := server.Read(piece)
		if err != nil {
			return
		}
		time.Sleep(time.Duration(p.delay.Load()))
		if p.deaf.Load() {
			missed = true
			continue
		}
		if missed { // what follows would be taken for the answer to something else
			return
		}
		if _, err := client.Write(piece[:n]); err != nil {
			return
		}
	}
}

func (p *Proxy) enter(conns ...net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		p.conns[c] = true
	}
	return !p.down
}

func (p *Proxy) leave(conns ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		delete(p.conns, c)
	}
}
