// Package gateway is everything that touches the outside: HTTP, WebSocket, API keys, admission, and the registry of
// running sessions.
//
// # The way of a live session
//
// POST /v2/live makes a record and an [entry] in the registry. The first socket opens the session (session.Open); the
// entry keeps it while sockets come and go. The watchdog ends what nobody ends: sessions never connected, sockets
// gone longer than the resume window, idle ones. A finished session stays reachable for one more resume window, so that a client
// that lost its socket gets the rest.
//
// # Goroutines of a socket
//
//   - The reader is the HTTP handler's goroutine. It owns the connection's read side, the resume matcher and the read
//     buffer, and calls Session.Write. What it waits for is the client's, and bounded ([reading]), or its own: the session is
//     behind, audio comes faster than the pace, there is no room for a long message. The latter counts for no limit.
//   - The writer takes events from the outbox and writes them; it alone decides when to ping and when to close.
//   - One ping at a time, while its pong is awaited.
//
// Every socket of a session is sent the messages of its log byte for byte, but for one that one client library cannot read
// ([dialectPython]).
//
// # The way of a recorded file
//
// POST /v2/pre-recorded makes a record in the store's queue, which the workers of package jobs work off. Files come in by
// package uploads; package records answers for the records of jobs of both kinds.
//
// # Connections
//
// Each connection of a client is counted from its being accepted to its end ([connections]) and is a [connection], which
// sets the deadline of each write by the progress of the answer. Bodies of uploads have theirs set in the same way
// ([steadyBody]). A WebSocket has no deadlines: the watchdog looks after it.
//
// # Callbacks
//
// A session whose request asks for callbacks has a callbackOutlet: one goroutine that enqueues what the session's log has
// behind the last event enqueued. A session gets its outcome only when everything before it is enqueued. One
// [steno/gateway/callbacks.Dispatcher] delivers what is enqueued, of live sessions and recorded files alike.
//
// # Panics
//
// A panic is recovered where its goroutine begins, counted and logged once, with its stack: by the gateway alone, the
// packages below give it as an error (package panics). It ends the session, job, request or attempt that met it. What a loop
// does for many, such as the watchdog, is guarded for each.
//
// # Locks, in the order they may be taken
//
//  1. entry.mu: opening, attaching, detaching; held while the store is read and the journal is run again.
//  2. registry.mu: the maps only, never held during a call to anything else.
//  3. socket.feed: held by the reader around each piece of audio and while a pause is taken for silence; taken by who
//     replaces the socket.
//  4. callbackOutlet.transferring: held while the log is read and the outbox written.
//  5. the session's locks.
//  6. outbox.mu, callbackOutlet.mu: held for a few instructions only; Send is called under the session's lock.
package gateway
