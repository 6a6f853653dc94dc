package gateway

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"

	"steno/gateway/dialect"
	"steno/gateway/dialect/registry"
	"steno/gateway/ports"
	"steno/messages"
)

// ServePort serves the clients of a dialect that do not speak HTTP on the listener until Close,
// which makes it return nil. They have no keys of their own: their sessions are those of the key.
func (s *Server) ServePort(name, key string, l net.Listener) error {
	all := registry.All()
	i := slices.IndexFunc(all, func(d dialect.Dialect) bool { return d.Name == name && d.Converse != nil })
	if i < 0 {
		return errors.Join(fmt.Errorf("no dialect %q has a port", name), l.Close())
	}
	port := ports.New(ports.Config{
		Dialect: all[i], Key: key, Idle: s.cfg.Limits.Idle, Recoverer: s.recoverer,
		Handler: s.operation(connects, access{socket: true}, s.live.Upgrade(all[i], notFound)),
		Models:  func(ctx context.Context) []messages.Model { return s.deps.Engines.Models(ctx) },
	})
	s.mu.Lock()
	closed := s.closed
	if !closed {
		s.ports = append(s.ports, port)
	}
	s.mu.Unlock()
	if closed {
		return errors.Join(http.ErrServerClosed, port.Close(), l.Close())
	}
	return port.Serve(s.connections.Clients(l))
}
