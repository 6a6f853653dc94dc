package gateway

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// publicURL is how the caller reaches this server: scheme and host, without a slash at the end.
func (s *Server) publicURL(r *http.Request) string {
	if s.cfg.PublicURL != "" {
		return s.cfg.PublicURL
	}
	return s.scheme(r) + "://" + s.host(r)
}

// socketURL is publicURL with the scheme of WebSockets.
func (s *Server) socketURL(r *http.Request) string {
	return "ws" + strings.TrimPrefix(s.publicURL(r), "http")
}

func (s *Server) scheme(r *http.Request) string {
	if s.fromProxy(r) {
		switch strings.ToLower(forwarded(r, "X-Forwarded-Proto")) {
		case "https", "wss":
			return "https"
		case "http", "ws":
			return "http"
		}
	}
	if r.TLS != nil {
		return "https"
	}
	return "http"
}

// host is the name and port for addresses that the caller is given. What a trusted proxy says is believed. Otherwise the
// request's own Host is taken where the configuration knows it or where it cannot lead to a stranger's server, and else the
// address that the connection came in by: whoever makes others send requests must not choose where their addresses lead.
func (s *Server) host(r *http.Request) string {
	if s.fromProxy(r) {
		for _, host := range []string{forwarded(r, "X-Forwarded-Host"), r.Host} {
			if _, ok := hostname(host); ok {
				return host
			}
		}
	}
	if name, ok := hostname(r.Host); ok && (isLocalName(name) || s.isKnownHost(name)) {
		return r.Host
	}
	host := localHost(r)
	s.warnings.host.Do(func() {
		s.log.Warn().Str("host", shorten(r.Host)).Str("instead", host).
			Msg("addresses are not made of a host that is not known: set public_url, or add it to hosts")
	})
	return host
}

// isKnownHost tells whether the configuration lists the name, or the domain it is below.
func (s *Server) isKnownHost(name string) bool {
	return slices.ContainsFunc(s.cfg.Hosts, func(known string) bool {
		known = strings.ToLower(strings.TrimSuffix(known, "."))
		domain, below := strings.CutPrefix(known, "*")
		return name == known || below && (domain == "" || strings.HasSuffix(name, domain))
	})
}

// isLocalName tells whether a host is an address, a single name or one of a domain that is reserved for private networks.
func isLocalName(name string) bool {
	if _, err := netip.ParseAddr(name); err == nil || !strings.Contains(name, ".") {
		return true
	}
	for _, domain := range []string{".localhost", ".local", ".lan", ".internal", ".home.arpa"} {
		if strings.HasSuffix(name, domain) {
			return true
		}
	}
	return false
}

// hostname is the name or address of a host with or without a port, in small letters; false where it is malformed.
func hostname(host string) (string, bool) {
	u, err := url.Parse("//" + host)
	if err != nil || u.Host != host || host == "" {
		return "", false
	}
	name := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if strings.HasPrefix(host, "[") {
		addr, err := netip.ParseAddr(name)
		return name, err == nil && addr.Zone() == ""
	}
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789-_."
	return name, name != "" && len(name) <= 253 && strings.Trim(name, letters) == ""
}

// localHost is the address that the connection came in by.
func localHost(r *http.Request) string {
	if local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok {
		if at, err := netip.ParseAddrPort(local.String()); err == nil {
			return netip.AddrPortFrom(at.Addr().Unmap().WithZone(""), at.Port()).String()
		}
	}
	return "localhost"
}
