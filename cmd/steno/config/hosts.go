package config

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"
)

// KnownHosts are the names by which clients may reach the API: those configured, the host listened
// on, and the machine's.
func (c Config) KnownHosts() []string {
	list := append([]string{}, c.Hosts...)
	if host, _, err := net.SplitHostPort(c.Listen); err == nil && host != "" {
		list = append(list, host)
	}
	if name, err := os.Hostname(); err == nil && name != "" {
		list = append(list, name)
	}
	return list
}

// checkAddress refuses what cannot be listened on.
func checkAddress(key, address string, fault faults) {
	_, port, err := net.SplitHostPort(address)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	if err != nil {
		fault("%s must be an address with a port, such as 127.0.0.1:8080 or :8080, not %q", key, address)
	}
}

// checkHosts refuses what is no name of a host.
func checkHosts(list []string, fault faults) {
	const signs = "abcdefghijklmnopqrstuvwxyz0123456789-_."
	for _, host := range list {
		name := strings.ToLower(host)
		if name == "*" {
			continue
		}
		if name = strings.TrimPrefix(name, "*."); name == "" || strings.Trim(name, signs) != "" {
			fault("hosts: %q is no host name such as stt.example.org or *.example.org, without scheme and port", host)
		}
	}
}

// Proxies returns the addresses and networks of the proxies that are trusted.
func (c Config) Proxies() ([]netip.Prefix, error) {
	var out []netip.Prefix
	for _, text := range c.TrustedProxies {
		p, err := netip.ParsePrefix(text)
		if err != nil {
			a, err2 := netip.ParseAddr(text)
			if err2 != nil {
				return nil, fmt.Errorf("trusted_proxies: %q is neither an address nor a network", text)
			}
			p = netip.PrefixFrom(a, a.BitLen())
		}
		out = append(out, p)
	}
	return out, nil
}
