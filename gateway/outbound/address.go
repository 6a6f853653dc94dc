package outbound

import (
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

const maxURL = 8 << 10

// Check returns an error for a URL that Fetch and Send would refuse, without any network traffic:
// ErrURL for one that is not an absolute http or https URL of at most 8 KiB or holds userinfo,
// which Fetch takes; ErrRefusedAddress if its host is an address that is not allowed, or a number
// that some resolvers take for one. A host name that passes may still be refused when it is
// dialled.
func (c *Client) Check(rawURL string) error {
	_, err := c.parse(rawURL)
	return err
}

func (c *Client) parse(rawURL string) (*url.URL, error) {
	if len(rawURL) > maxURL {
		return nil, fmt.Errorf("%w: longer than %d bytes", ErrURL, maxURL)
	}
	u, err := url.Parse(rawURL)
	if err != nil {
		return nil, fmt.Errorf("%w: cannot be parsed", ErrURL) // the cause would repeat it
	}
	return u, c.check(u)
}

func (c *Client) check(u *url.URL) error {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("%w: must begin with http:// or https://", ErrURL)
	case u.Hostname() == "" || u.Opaque != "":
		return fmt.Errorf("%w: has no host", ErrURL)
	case u.User != nil:
		return fmt.Errorf("%w: must not hold a user or password", ErrURL)
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return fmt.Errorf("%w: port must be 1 to 65535", ErrURL)
		}
	}
	if c.allowPrivate {
		return nil
	}
	return checkHost(u.Hostname())
}

// checkHost refuses early what the dialer would refuse, and numbers that are not dotted quads:
// 2130706433, 0x7f.1 and 0177.0.0.1 are names to some resolvers and loopback to others.
func checkHost(host string) error {
	host = strings.TrimSuffix(host, ".")
	if name := strings.ToLower(host); name == "localhost" || strings.HasSuffix(name, ".localhost") { // RFC 6761, 6.3
		return fmt.Errorf("%w: %q", ErrRefusedAddress, host)
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		if endsInNumber(host) || strings.Contains(host, ":") {
			return fmt.Errorf("%w: %q", ErrRefusedAddress, host)
		}
		return nil
	}
	if addr.Zone() != "" {
		return fmt.Errorf("%w: %q", ErrRefusedAddress, host)
	}
	if err := newGuard().SafeAddr(addr); err != nil {
		return fmt.Errorf("%w: %w", ErrRefusedAddress, err)
	}
	return nil
}

// endsInNumber follows the URL standard (WHATWG), by which such a host is either an IPv4 address or
// invalid.
func endsInNumber(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	if last == "" {
		return false
	}
	if strings.Trim(last, "0123456789") == "" {
		return true
	}
	hex, found := strings.CutPrefix(strings.ToLower(last), "0x")
	return found && strings.Trim(hex, "0123456789abcdef") == ""
}
