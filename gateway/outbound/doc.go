// Package outbound makes the HTTP requests that clients ask steno to make: fetching a recording
// from a URL, and delivering callbacks.
//
// A client must not reach through the gateway what only the gateway can reach. Therefore the
// package checks every address when a connection is dialled, after name resolution, so that a name
// that changes its answer between the check and the use (DNS rebinding) gains nothing. It refuses
// loopback, private, link-local (cloud metadata), shared, multicast, documentation and every other
// special-purpose range, and in IPv6 everything but global unicast, so also IPv4-mapped addresses.
// Redirects go through the same dialer. The package does not use the proxies of the environment,
// keeps no cookies, and neither asks for compressed answers nor decompresses them.
//
// The text and the time of a failed request that a client sees do not depend on what exists in a
// private network: see Fetch. The error itself tells operators.
//
// Errors never name a URL's path, query or userinfo, which may hold secrets; they name the host at
// most.
//
// A [Client] may be used from any goroutine. Close closes its idle connections.
package outbound
