package gateway

import (
	"net/http"

	"steno/gateway/dialect/gladia"
	"steno/gateway/dialect/registry"
	"steno/gateway/web"
)

// createLive returns the handler of POST /v2/live.
func (s *Server) createLive() web.Handler {
	return gladia.Creator{
		MaxBody: s.cfg.Limits.Body, Addons: s.deps.Addons.Declarations(), Addresses: s.addresses, Create: s.live.Create,
	}.Answer
}

// withSockets returns the routes with the sockets of all dialects: beside what else their paths
// answer, or on their own.
func (s *Server) withSockets(routes []route) []route {
	for _, d := range registry.All() {
		for _, path := range d.Paths {
			i := indexOf(routes, path)
			if i < 0 {
				i = len(routes)
				own := route{method: http.MethodGet, path: path, handle: notFound, needs: access{socket: true}}
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
