// Package ports serves the dialects whose clients do not speak HTTP, each on its own port. A
// conversation has its sessions by WebSockets within the process, so that they are sessions like
// all others: with the same admission, quotas, limits and records.
//
// # Goroutines
//
// One accepts, and one serves each connection. A link has those of an HTTP connection, whose two
// ends are in this process. All of them have ended when Close returns.
package ports

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"steno/gateway/connections"
	"steno/gateway/dialect"
	"steno/gateway/recovery"
	"steno/gateway/web"
	"steno/messages"
)

// Config is what a port works with.
type Config struct {
	Dialect   dialect.Dialect
	Key       string       // in the name of which sessions are made
	Handler   http.Handler // of the dialect's WebSockets
	Idle      time.Duration
	Models    func(ctx context.Context) []messages.Model
	Recoverer *recovery.Recoverer
}

// Port serves a dialect. Its methods may be called from any goroutine.
type Port struct {
	cfg     Config
	life    context.Context
	end     context.CancelFunc
	inside  *http.Server // of the links
	links   pipes
	linked  web.InFlight // links that their conversations have not left
	serving sync.WaitGroup
}

// New returns a port that serves nobody yet. The caller must Close it.
func New(c Config) *Port {
	life, end := context.WithCancel(context.Background())
	p := &Port{cfg: c, life: life, end: end, links: pipes{next: make(chan net.Conn), closed: life.Done()}}
	p.inside = &http.Server{
		Handler: c.Handler, ReadHeaderTimeout: openWithin, MaxHeaderBytes: maxQuery,
	}
	p.serving.Go(func() { _ = p.inside.Serve(p.links) }) // until Close
	return p
}

const (
	openWithin = 10 * time.Second
	maxQuery   = 1 << 20 // bytes: the settings of a conversation, within a line of a request
)

// Serve serves the clients of a listener until Close, which makes it return nil.
func (p *Port) Serve(l net.Listener) error {
	defer context.AfterFunc(p.life, func() { _ = l.Close() })()
	for {
		conn, err := l.Accept()
		if p.life.Err() != nil {
			if err == nil {
				_ = conn.Close()
			}
			return nil
		}
		if err != nil {
			return fmt.Errorf("serve %s: %w", p.cfg.Dialect.Name, err)
		}
		p.serving.Go(func() { p.converse(conn) })
	}
}

// reportTime is how long conversations have to report the ends of their sessions.
const reportTime = 2 * time.Second

// Close ends all conversations, once those whose links have ended have reported that to their
// clients. Sessions that have not ended end as those of clients that are lost.
func (p *Port) Close() error {
	p.linked.Close()
	left := make(chan struct{})
	p.serving.Go(func() { p.linked.Wait(); close(left) })
	select {
	case <-left:
	case <-time.After(reportTime):
	}
	p.end()
	err := p.inside.Close()
	p.serving.Wait()
	return err
}

// converse serves a connection.
func (p *Port) converse(conn net.Conn) {
	defer func() { _ = conn.Close() }() // mostly closed already
	connections.Follow(conn, http.StateHijacked)
	p.cfg.Recoverer.Run(recovery.Socket, p.cfg.Dialect.Name, func() {
		p.cfg.Dialect.Converse(p.life, &dialect.Port{
			Conn: conn, Idle: p.cfg.Idle, Models: p.cfg.Models,
			Dial: func(ctx context.Context, q url.Values) (dialect.Link, error) {
				return p.dial(ctx, conn.RemoteAddr(), q)
			},
		})
	})
}
