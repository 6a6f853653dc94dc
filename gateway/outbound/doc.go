// Package outbound makes the HTTP requests that clients ask steno to make: fetching a recording from a URL, and
// delivering callbacks.
//
// Whoever names a URL must not reach through the gateway what the gateway can reach and they cannot. Therefore every
// address is judged when a connection is dialled, after name resolution, so a name that changes its answer between
// the check and the use (DNS rebinding) gains nothing. Loopback, private, link-local (cloud metadata), shared,
// multicast, documentation and every other special-purpose range is refused, in IPv6 all that is not global unicast,
// so also IPv4 addresses in IPv6 clothes. Redirects go through the same dialer. Proxies of the environment are not
// used, cookies not kept, and compressed answers neither asked for nor unpacked.
//
// What a client is told of a fetch that fails, and when, does not depend on what there is in a private network: see Fetch.
// Operators are told, by the error itself.
//
// Errors never name a URL's path, query or userinfo, which may hold secrets; they name the host at most.
//
// A [Client] is for all goroutines. Its idle connections end with Close.
package outbound
