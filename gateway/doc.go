// Package gateway is the HTTP server in front of everything else: routes, API keys, limits, errors,
// health, metrics, documentation, shutdown.
//
// # Parts
//
// The operations are those of packages below this one. Package live runs live sessions, whose
// connected clients are package client; they speak the dialects of package dialect/registry, over
// the WebSockets of package wsconn, or on ports of their own (package ports). Package subscribers
// sends the sessions' events to those who follow them.
// Package uploads keeps recorded files, jobs transcribes them, bots does so for
// meeting bots while they wait, and records answers for the records of jobs of both kinds. Package
// recorded is what dialects ask of these for their clients' files. Package
// tokens makes credentials for clients that must not have an API key. Package callbacks delivers
// what sessions and jobs enqueue for their clients' servers, through package outbound. Package
// openapi says what the operations take and give. What they share lies in web (HTTP helpers),
// admission (whether a request is accepted), limits, metrics, ratelimit and recovery.
//
// # Requests
//
// A final slash is removed from the path of a request before the mux looks for the route. All else
// happens in one function, which is the handler of every route ([operation.ServeHTTP]): the request
// gets its id, panics are recovered, CORS is answered, the requests of one address through a proxy
// are bounded, and the API key or token and its scopes are examined where the route asks for them
// ([access]). A handler returns its error; the operation alone has it written and logged
// ([problems]).
//
// # Connections
//
// Each connection of a client is counted from its acceptance to its end, and sets the deadline of
// each write by the progress of the answer ([connections.Limit]); [web.PacedBody] does so for the
// reads of an upload. A WebSocket has no deadlines: the watchdog of package live looks after it.
//
// # Panics
//
// A panic is recovered where its goroutine begins, and counted and logged once, with its stack: by
// this package and those below its folder (package recovery). All other packages return it as an
// error (package panics). It ends the session, job, request or attempt that met it.
//
// # Shutdown
//
// [Server.Drain] takes no new work and waits for the sessions that have a socket. [Server.Close]
// ends everything else: it closes the sockets, then waits for the handlers that http.Server does
// not wait for ([web.InFlight]), for jobs, for live sessions and for callbacks under way, in this
// order. Subscribers are sent away first: they come back elsewhere, or later.
//
// # Goroutines and locks
//
// Each part has its goroutines and locks on its own page; see live, jobs and callbacks. This
// package adds the sweeper of package records, and four locks that are held for a few instructions
// and under which no other is taken: Server.mu, connections.Limit's, keyLimiter.mu,
// addonFailures.mu. health.mu is held while the engines and the store are asked.
package gateway
