package web

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"

	"github.com/rs/zerolog"
)

// networkBits is the part of an IPv6 address that one customer of a provider has.
const networkBits = 64

// Proxies answers from which addresses requests come. It believes forwarding headers of trusted
// proxies only. Its methods may be called from any goroutine.
type Proxies struct {
	trusted []netip.Prefix
	log     zerolog.Logger
	warned  sync.Once // of headers of a peer that is not trusted
}

// NewProxies returns the proxies of some networks.
func NewProxies(trusted []netip.Prefix, log zerolog.Logger) *Proxies {
	return &Proxies{trusted: trusted, log: log}
}

// Forwarded reports whether the peer of a request is a trusted proxy.
func (p *Proxies) Forwarded(r *http.Request) bool { return p.isTrusted(ParseAddr(r.RemoteAddr)) }

// isTrusted reports whether an address is that of a proxy whose forwarding headers are believed.
func (p *Proxies) isTrusted(addr netip.Addr) bool {
	return addr.IsValid() && slices.ContainsFunc(p.trusted, func(n netip.Prefix) bool { return n.Contains(addr) })
}

// Client returns the address of the client: the peer's, or, where that is a trusted proxy, the last
// one in X-Forwarded-For that is not a trusted proxy's. Those before it may be made up. It is not
// valid if the peer's is not.
func (p *Proxies) Client(r *http.Request) netip.Addr {
	client := ParseAddr(r.RemoteAddr)
	hops := strings.Join(r.Header.Values("X-Forwarded-For"), ",")
	for client.IsValid() && hops != "" && p.isTrusted(client) {
		at := strings.LastIndexByte(hops, ',')
		next := ParseAddr(strings.TrimSpace(hops[at+1:]))
		if !next.IsValid() {
			break
		}
		client, hops = next, hops[:max(at, 0)]
	}
	return client
}

// Network returns the network that a client's address is counted as, see networkOf. It is not valid
// where the address is not counted: that of loopback and of trusted proxies, which carry the
// requests of many clients.
func (p *Proxies) Network(client netip.Addr) netip.Addr {
	if !client.IsValid() || client.IsLoopback() || p.isTrusted(client) {
		return netip.Addr{}
	}
	return NetworkOf(client)
}

// Check logs a warning, once, if a request has forwarding headers that are not believed: mostly
// those of a proxy that the configuration does not name.
func (p *Proxies) Check(r *http.Request) {
	for _, name := range []string{"X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host"} {
		if r.Header.Get(name) == "" {
			continue
		}
		if !p.Forwarded(r) {
			p.warned.Do(func() {
				p.log.Warn().Stringer("peer", ParseAddr(r.RemoteAddr)).Str("header", name).
					Msg("forwarding headers are ignored: if this is your proxy, add its address to trusted_proxies")
			})
		}
		return
	}
}

// forwarded returns the first value of a header that proxies set: what the first of them saw.
func forwarded(r *http.Request, name string) string {
	first, _, _ := strings.Cut(r.Header.Get(name), ",")
	return strings.TrimSpace(first)
}

// ParseAddr reads an address with or without a port. It returns the zero Addr for any other text.
func ParseAddr(text string) netip.Addr {
	if at, err := netip.ParseAddrPort(text); err == nil {
		return at.Addr().Unmap().WithZone("")
	}
	addr, err := netip.ParseAddr(strings.Trim(text, "[]"))
	if err != nil {
		return netip.Addr{}
	}
	return addr.Unmap().WithZone("")
}

// NetworkOf returns the network that limits count an address as: an IPv4 address itself, and the
// first 64 bits of an IPv6 address.
func NetworkOf(a netip.Addr) netip.Addr {
	a = a.Unmap().WithZone("")
	if !a.Is6() {
		return a
	}
	return netip.PrefixFrom(a, networkBits).Masked().Addr()
}
