package gateway

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/google/uuid"
)

// filePath is where uploads are found, by their ids.
const filePath = "/file/"

// fileURL is the address of an upload.
func (s *Server) fileURL(r *http.Request, id string) string { return s.publicURL(r) + filePath + id }

// ownFile finds the id in an address that has the form of an upload's, empty where it has not. ours tells whether the
// address leads to this server for certain, so that it must not be fetched. It may have been handed out under another
// name of this server than the one that the request came by: whether an id is known is worth a look in any case.
func (s *Server) ownFile(r *http.Request, address string) (id string, ours bool) {
	u, err := url.Parse(address)
	if err != nil {
		return "", false
	}
	rest, found := strings.CutPrefix(u.Path, filePath)
	if public, err := url.Parse(s.cfg.PublicURL); err == nil && s.cfg.PublicURL != "" {
		if below, ok := strings.CutPrefix(u.Path, public.Path+filePath); ok {
			rest, found = below, true
			ours = sameHost(u, public)
		}
	}
	if !found {
		return "", false
	}
	ours = ours || s.isHere(r, u)
	if parsed, err := uuid.Parse(rest); err == nil {
		id = parsed.String()
	}
	return id, ours
}

// isHere tells whether the host is the one that the request was sent to, or this machine at the port it came in by.
func (s *Server) isHere(r *http.Request, u *url.URL) bool {
	for _, host := range []string{r.Host, s.host(r)} {
		if sameHost(u, &url.URL{Scheme: u.Scheme, Host: host}) {
			return true
		}
	}
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return false
	}
	at, err := netip.ParseAddrPort(local.String())
	if err != nil || port(u) != port(&url.URL{Scheme: u.Scheme, Host: at.String()}) {
		return false
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return host == "localhost"
	}
	addr = addr.Unmap()
	return addr.IsLoopback() || addr.IsUnspecified() || addr == at.Addr().Unmap()
}

// sameHost compares names and ports, not schemes: a proxy may have changed that.
func sameHost(a, b *url.URL) bool {
	return b.Host != "" && strings.EqualFold(strings.TrimSuffix(a.Hostname(), "."), b.Hostname()) && port(a) == port(b)
}

func port(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	if u.Scheme == "https" {
		return "443"
	}
	return "80"
}
