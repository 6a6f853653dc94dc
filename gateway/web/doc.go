// Package web holds what the packages of the gateway share of HTTP: handlers that return errors,
// problems, JSON answers, bounded request bodies, the principal and the id of a request, and the
// addresses of the server and its clients.
//
// A [Handler] returns an error instead of writing it; package gateway alone writes and logs it.
// [AsProblem] decides which status and text the client gets.
package web
