// Package openapi describes the interface of the gateway to tools and to people: in OpenAPI 3.1 for
// HTTP, in AsyncAPI 3 for the WebSocket and the callbacks, and on a page of both.
//
// The operations come from the gateway's table of routes, and the schemas from the struct tags of
// the types that the gateway reads and writes. The shapes of types that write their own JSON are in
// shapes.go; what tags leave out is in the files of notes. The gateway's tests compare the
// descriptions with what it sends.
package openapi
