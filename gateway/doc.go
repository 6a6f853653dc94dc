// Package gateway is the HTTP server in front of everything else: routes, API keys, limits, errors,
// health, metrics, documentation, shutdown.
//
// # Parts
//
// The operations are those of packages below this one. Package live runs live sessions, whose
// connected clients are package client; they use the dialects of package dialect/registry, over the
// WebSockets of package wsconn, or on ports of their own (package ports). Package subscribers sends
// the sessions' events to subscribers. Package uploads stores recorded files, jobs transcribes
// them, bots does so for meeting bots while they wait, and records serves the records of jobs of
// both kinds. Package recorded provides these to dialects for their clients' files. Package tokens
// makes credentials for clients that must not have an API key. Package callbacks delivers what
// sessions and jobs enqueue for their clients' servers, through package outbound. Package health
// tells whether new sessions are accepted, and package overview what the running ones do, which
// package activity keeps. Package openapi describes the requests and answers of the operations.
// They share web (HTTP helpers), admission (whether a request is accepted), limits, metrics,
// ratelimit and recovery.
//
// # Requests
//
// A final slash is removed from the path of a request before the mux looks for the route. All else
// happens in one function, which is the handler of every route ([operation.ServeHTTP]): the request
// gets its id, panics are recovered, CORS is answered, the requests of one address through a proxy
// are limited, and the API key or token and its scopes are checked if the route requires them
// ([access]). A handler returns its error; only the operation writes and logs it ([problems]).
//
// # Connections
//
// Each connection of a client is counted from its acceptance to its end. The deadline of each of
// its writes depends on the progress of the answer ([connections.Limit]), that of the reads of an
// upload on the progress of the upload ([web.PacedBody]). A WebSocket has no deadlines: the
// watchdog of package live cuts it if it is stuck.
//
// # Panics
//
// A panic is recovered where its goroutine starts, and counted and logged once, with its stack: by
// this package and those below its folder (package recovery). All other packages return it as an
// error (package panics). It ends the session, job, request or attempt in which it happened.
//
// # Shutdown
//
// [Server.Drain] accepts no new work and waits for the sessions that have a socket. [Server.Close]
// stops everything else: it closes the sockets, then waits for the handlers that http.Server does
// not wait for ([web.InFlight]), for jobs, for live sessions and for running callbacks, in this
// order. Subscribers are closed first: they reconnect elsewhere, or later.
//
// # Goroutines and locks
//
// The pages of live, jobs and callbacks list theirs. This package adds the sweeper of package
// records, and four locks that are held for a few instructions and under which no other is
// acquired: Server.mu, connections.Limit's, keyLimiter.mu, addonFailures.mu. That of package health
// is held while the engines and the store are asked.
package gateway
