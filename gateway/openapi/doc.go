// Package openapi says what the gateway's interface is, to tools and to people: OpenAPI 3.1 for HTTP, AsyncAPI 3 for
// the WebSocket and the callbacks, and a page of both.
//
// Nothing is told twice: the operations come from the gateway's table of routes, and the schemas from the types that
// are really read and written, by their struct tags. What a type cannot say of itself, because it writes its own JSON,
// stands in shapes.go, and what its tags leave out in notes.go; the gateway's tests hold both against what it sends.
package openapi
