package gateway

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"reflect"
	"slices"

	"steno/gateway/dialect"
	"steno/gateway/dialect/gladia"
	"steno/gateway/dialect/registry"
	"steno/gateway/openapi"
	"steno/gateway/ports"
	"steno/gateway/recorded"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// enabled returns the dialects but those that the configuration switches off.
func enabled(off []string) []dialect.Dialect {
	return slices.DeleteFunc(registry.All(), func(d dialect.Dialect) bool {
		return slices.Contains(off, d.Name)
	})
}

// createLive returns the handler of POST /v2/live.
func createLive(s *Server) web.Handler {
	return gladia.Creator{
		MaxBody: s.cfg.Limits.Body, Addons: s.deps.Addons.Declarations(), Addresses: s.addresses, Create: s.live.Create,
	}.Answer
}

// withSockets returns the routes with the sockets of all dialects: beside what else their paths
// answer, or on their own.
func (s *Server) withSockets(routes []route) []route {
	for _, d := range enabled(s.cfg.NoDialects) {
		for _, path := range d.Paths {
			i := indexOf(routes, path)
			if i < 0 {
				i = len(routes)
				needs := access{socket: true, refuse: d.Refuse}
				own := route{method: http.MethodGet, path: path, does: connects, handle: notFound, needs: needs}
				routes = append(routes, own)
			}
			routes[i].handle = s.live.Upgrade(d, routes[i].handle)
		}
	}
	return routes
}

// indexOf returns which route answers GET of a path; -1: none does.
func indexOf(routes []route, path string) int {
	for i, r := range routes {
		if r.method == http.MethodGet && r.path == path {
			return i
		}
	}
	return -1
}

// dialects is what the dialects answer over HTTP, in the order of the registry.
type dialects []namedHTTP

// newDialects returns what the dialects of a server answer over HTTP.
func newDialects(s *Server) (all dialects) {
	services := recorded.New(recorded.Deps{
		Store: s.deps.Store, Uploads: s.uploads, Jobs: s.jobs, Records: s.records, Tokens: s.tokens,
		Models:    func(ctx context.Context) []messages.Model { return s.deps.Engines.Models(ctx) },
		Addresses: s.addresses, Policy: s.policy, InFlight: &s.inFlight, Limits: s.cfg.Limits,
	})
	for _, d := range enabled(s.cfg.NoDialects) {
		if d.HTTP != nil {
			all = append(all, namedHTTP{d.Name, d.HTTP(services.For(d.Name))})
		}
	}
	return all
}

// namedHTTP is what a dialect answers over HTTP.
type namedHTTP struct {
	name string
	dialect.HTTP
}

// callback returns the body of a callback with a record that was asked for in a dialect; nil: the
// dialect has no form of its own.
func (all dialects) callback(name string, r store.Record) ([]byte, error) {
	for _, d := range all {
		if d.name != name || d.Callback == nil {
			continue
		}
		record, err := recorded.Record(r)
		if err != nil {
			return nil, err
		}
		return d.Callback(record)
	}
	return nil, nil
}

// mount returns the routes with those of all dialects: under the prefix of each, and where
// its clients look without it if nothing answers there yet.
func (all dialects) mount(routes []route) []route {
	for _, d := range all {
		for _, own := range d.Routes {
			needs := needsOf(own.Needs)
			needs.credential, needs.refuse = d.Credential, d.Refuse
			one := route{method: own.Method, path: "/" + d.name + own.Path, does: action("dialect." + d.name),
				handle: own.Handle, needs: needs, summary: own.Summary, doc: d.describe(own)}
			routes = append(routes, one)
			one.path = own.Path
			if own.Bare && !slices.ContainsFunc(routes, func(r route) bool {
				return r.method == one.method && r.path == one.path
			}) {
				routes = append(routes, one)
			}
		}
	}
	return routes
}

// describe returns the description of a route.
func (d namedHTTP) describe(r dialect.Route) openapi.Details {
	return openapi.Details{
		Dialect: d.name, Query: openapi.Texts(r.Query), Failure: reflect.TypeOf(d.Failure),
		Notes: "Requests and answers are those of the service of this name, whose way of sending a key will do " +
			"as well: see /docs/dialects.",
		Takes: bodies(r.Takes), Bodiless: r.Bodiless, Gives: openapi.Answers(http.StatusOK, bodies(r.Gives)...),
		Refuses: r.Refuses,
	}
}

// bodies returns the descriptions of bodies.
func bodies(all []dialect.Body) (list []openapi.Content) {
	for _, b := range all {
		list = append(list, openapi.Content{Media: b.Media, Type: reflect.TypeOf(b.Of), Note: b.Note})
	}
	return list
}

// needsOf returns what an operation of a dialect asks of its callers.
func needsOf(n dialect.Need) access {
	switch n {
	case dialect.NeedJobs:
		return access{scopes: store.ScopeJobs}
	case dialect.NeedRead:
		return access{scopes: store.ScopeRead}
	case dialect.NeedChange:
		return access{scopes: store.ScopeJobs, changes: true}
	case dialect.NeedLive:
		return access{scopes: store.ScopeLive}
	case dialect.NeedOwn:
		return access{}
	}
	return access{any: true, share: shareAny}
}

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
