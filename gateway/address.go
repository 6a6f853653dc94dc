package gateway

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// publicURL is how the caller reaches this server: scheme and host, without a slash at the end.
func (s *Server) publicURL(r *http.Request) string {
	if s.cfg.PublicURL != "" {
		return s.cfg.PublicURL
	}
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	if s.fromProxy(r) {
		switch first, _, _ := strings.Cut(r.Header.Get("X-Forwarded-Proto"), ","); strings.ToLower(strings.TrimSpace(first)) {
		case "https", "wss":
			scheme = "https"
		case "http", "ws":
			scheme = "http"
		}
	}
	return scheme + "://" + r.Host
}

// socketURL is publicURL with the scheme of WebSockets.
func (s *Server) socketURL(r *http.Request) string {
	return "ws" + strings.TrimPrefix(s.publicURL(r), "http")
}

// fromProxy tells whether the peer is one whose forwarding headers are believed.
func (s *Server) fromProxy(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return false
	}
	peer, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	for _, p := range s.cfg.TrustedProxies {
		if p.Contains(peer.Unmap()) {
			return true
		}
	}
	return false
}
