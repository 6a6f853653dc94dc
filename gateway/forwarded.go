package gateway

import (
	"net/http"
	"net/netip"
	"strings"
	"sync"
)

// warnings are given once in the life of the process, however many requests there is a reason by.
type warnings struct{ proxy, host sync.Once }

// forwarded is the first value of a header that proxies set: what the first of them saw.
func forwarded(r *http.Request, name string) string {
	first, _, _ := strings.Cut(r.Header.Get(name), ",")
	return strings.TrimSpace(first)
}

// isTrusted tells whether an address is that of a proxy whose forwarding headers are believed.
func (s *Server) isTrusted(addr netip.Addr) bool {
	for _, p := range s.cfg.TrustedProxies {
		if p.Contains(addr) {
			return true
		}
	}
	return false
}

// fromProxy tells whether the peer is such a proxy.
func (s *Server) fromProxy(r *http.Request) bool {
	peer := addrOf(r.RemoteAddr)
	return peer.IsValid() && s.isTrusted(peer)
}

// clientAddr is the address of the client: the peer's, and where that is a trusted proxy the last one in X-Forwarded-For
// that is not a trusted proxy's. Those before it may be made up. It is not valid where the peer has none.
func (s *Server) clientAddr(r *http.Request) netip.Addr {
	client := addrOf(r.RemoteAddr)
	hops := strings.Join(r.Header.Values("X-Forwarded-For"), ",")
	for client.IsValid() && hops != "" && s.isTrusted(client) {
		at := strings.LastIndexByte(hops, ',')
		next := addrOf(strings.TrimSpace(hops[at+1:]))
		if !next.IsValid() {
			break
		}
		client, hops = next, hops[:max(at, 0)]
	}
	return client
}

// addrOf reads an address with or without a port.
func addrOf(text string) netip.Addr {
	if at, err := netip.ParseAddrPort(text); err == nil {
		return at.Addr().Unmap().WithZone("")
	}
	addr, err := netip.ParseAddr(strings.Trim(text, "[]"))
	if err != nil {
		return netip.Addr{}
	}
	return addr.Unmap().WithZone("")
}

// noteProxy warns once of forwarding headers that are not believed: mostly a proxy that the configuration does not name.
func (s *Server) noteProxy(r *http.Request) {
	for _, name := range []string{"X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host"} {
		if r.Header.Get(name) == "" {
			continue
		}
		if !s.fromProxy(r) {
			s.warnings.proxy.Do(func() {
				s.log.Warn().Stringer("peer", addrOf(r.RemoteAddr)).Str("header", name).
					Msg("forwarding headers are ignored: if this is your proxy, add its address to trusted_proxies")
			})
		}
		return
	}
}
