package web

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/google/uuid"
	"github.com/rs/zerolog"
)

// filePath is the path of uploads, before their ids.
const filePath = "/file/"

// Addresses answers under which addresses clients reach the server. Its methods may be called from
// any goroutine.
type Addresses struct {
	public  string   // scheme, host and path without a final slash; empty: taken from each request
	hosts   []string // names that may stand in addresses, see Config.Hosts
	proxies *Proxies
	log     zerolog.Logger
	warned  sync.Once // of a host that is not known
}

// NewAddresses returns the addresses of a server. public is its configured URL, without a final
// slash; where it is empty the addresses are made from each request.
func NewAddresses(public string, hosts []string, p *Proxies, log zerolog.Logger) *Addresses {
	return &Addresses{public: public, hosts: hosts, proxies: p, log: log}
}

// Base returns the URL by which the caller reaches the server: scheme and host, without a final
// slash.
func (a *Addresses) Base(r *http.Request) string {
	if a.public != "" {
		return a.public
	}
	return a.scheme(r) + "://" + a.host(r)
}

// Socket returns base with the scheme of WebSockets.
func (a *Addresses) Socket(r *http.Request) string {
	return "ws" + strings.TrimPrefix(a.Base(r), "http")
}

// File returns the URL of an upload.
func (a *Addresses) File(r *http.Request, id string) string { return a.Base(r) + filePath + id }

// FileID returns the id in an address that has the form of an upload's URL, empty where it has not.
// own reports whether the address leads to this server for certain, so that the server must not
// fetch it. The server may have handed the address out under another of its names, so that an id is
// worth looking up in any case.
func (a *Addresses) FileID(r *http.Request, address string) (id string, own bool) {
	u, err := url.Parse(address)
	if err != nil {
		return "", false
	}
	rest, found := strings.CutPrefix(u.Path, filePath)
	if public, err := url.Parse(a.public); err == nil && a.public != "" {
		if below, ok := strings.CutPrefix(u.Path, public.Path+filePath); ok {
			rest, found = below, true
			own = sameHost(u, public)
		}
	}
	if !found {
		return "", false
	}
	own = own || a.isHere(r, u)
	if parsed, err := uuid.Parse(rest); err == nil {
		id = parsed.String()
	}
	return id, own
}

func (a *Addresses) scheme(r *http.Request) string {
	if a.proxies.Forwarded(r) {
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

// host returns the name and port for addresses that the caller is given: those that a trusted proxy
// names, else the request's Host where the configuration lists it or where it cannot lead to a
// foreign server, else the local address of the connection. So a page that makes a browser send
// requests does not choose where the addresses in their answers lead.
func (a *Addresses) host(r *http.Request) string {
	if a.proxies.Forwarded(r) {
		for _, host := range []string{forwarded(r, "X-Forwarded-Host"), r.Host} {
			if _, ok := hostname(host); ok {
				return host
			}
		}
	}
	if name, ok := hostname(r.Host); ok && (isLocalName(name) || a.isKnownHost(name)) {
		return r.Host
	}
	host := localHost(r)
	a.warned.Do(func() {
		a.log.Warn().Str("host", Shorten(r.Host)).Str("instead", host).
			Msg("addresses are not made of a host that is not known: set public_url, or add it to hosts")
	})
	return host
}

// isKnownHost reports whether the configuration lists the name, or the domain it is below.
func (a *Addresses) isKnownHost(name string) bool {
	return slices.ContainsFunc(a.hosts, func(known string) bool {
		known = strings.ToLower(strings.TrimSuffix(known, "."))
		domain, below := strings.CutPrefix(known, "*")
		return name == known || below && (domain == "" || strings.HasSuffix(name, domain))
	})
}

// isHere reports whether the host is the one that the request was sent to, or this machine at the
// port that it came in by.
func (a *Addresses) isHere(r *http.Request, u *url.URL) bool {
	for _, host := range []string{r.Host, a.host(r)} {
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

// isLocalName reports whether a host is an address, a single name or one of a domain that is
// reserved for private networks.
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

// hostname returns the name or address of a host with or without a port, in lower case; false if it
// is malformed.
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

// localHost returns the local address of the connection.
func localHost(r *http.Request) string {
	if local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok {
		if at, err := netip.ParseAddrPort(local.String()); err == nil {
			return netip.AddrPortFrom(at.Addr().Unmap().WithZone(""), at.Port()).String()
		}
	}
	return "localhost"
}

// sameHost compares names and ports, not schemes: a proxy may have changed that.
func sameHost(a, b *url.URL) bool {
	return b.Host != "" && strings.EqualFold(strings.TrimSuffix(a.Hostname(), "."), b.Hostname()) && port(a) == port(b)
}

// port returns the port of an address, or that of its scheme.
func port(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	if u.Scheme == "https" {
		return "443"
	}
	return "80"
}
