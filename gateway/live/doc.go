// Package live runs live sessions: clients create them by HTTP, send audio and receive events over WebSockets, and may lose a
// socket and go on with another.
//
// # The path of a session
//
// POST /v2/live ([Sessions.Create]) makes a record and an [entry] in the [registry]. The first socket opens the session
// ([opener]); the entry keeps it while sockets come and go. The watchdog ends abandoned sessions: those that were never
// connected, that have been without a socket for longer than the resume window, or whose client is idle. A finished session stays
// reachable for one more resume window, so that a client that has lost its socket gets the rest.
//
// # Several nodes
//
// Nodes that share a store share its sessions. A socket may come to any of them: its node claims the session, whichever node holds
// it, and goes on from the ledger. The node that has lost the claim closes its socket as replaced and forgets the entry. A session
// without a socket on any node is ended by the first node that claims it once it is due (store.Sessions.Adopt); such a claim never
// takes a session from another node. Each node reports its counts, so that a key has one limit on all nodes. The total limit of
// sessions is per node: it protects the machine, and another node adds capacity.
//
// While the store is out of reach, open sessions go on, and clients get acks only of what was durable before. When no more audio can
// be held in memory, sockets are not read. New sessions are refused with 503, sockets are closed with 1013.
//
// # Goroutines
//
// [Sessions.Start] starts the [watchdog], which checks every time limit, the check for removed API keys, the search for sessions
// that are due, and the reports to other nodes. The work that they find runs on goroutines of its own, one at a time for each
// entry. [Sessions.Close] waits for all of these. The callback sink of a session has a goroutine, see package
// callbacks. A socket has:
//
//   - The reader outlasts the HTTP handler, which has accepted the socket. It owns the connection's read side, the matcher and the read
//     buffer, and calls Session.Write. It waits for the client, which is bounded, or for the server: the session is
//     behind, audio comes faster than the pace, too much of it is not durable yet, there is no room for a long message. The latter
//     counts for no limit. Where there are many sockets, short messages are left to gather, and the reader has no goroutine
//     meanwhile: a [readQueue], of which there is one for each processor, has it read what has come, and starts a goroutine for it
//     where the client has to be waited for.
//   - The writer takes events from the outbox and writes them. It alone decides when to ping and when to close. It works on the
//     goroutine of a [writeQueue], of which there is one for each processor, and has one of its own only for what has to be waited
//     for: a client that does not read, the end of the connection.
//   - One goroutine that cuts the connection, or waits to.
//
// Every socket of a session gets the messages of its log byte for byte, with one exception for one client library
// ([clientPython]).
//
// # Locks, in the order in which they may be taken
//
//  1. entry.mu: held while the session is opened, attached, detached and ended, and so while the store is read and the journal
//     is run again.
//  2. registry.mu: held for the maps only, never during a call to another lock's owner.
//  3. intake.mu: held by the reader around each piece of audio, and while a pause is taken for silence; taken by the goroutine
//     that replaces the socket.
//  4. acker.mu: held while the session acknowledges.
//  5. callbacks.Sink.transferring: held while the log is read and the store's outbox is written.
//  6. The locks of package session.
//  7. writer.mu: held by the goroutine that writes to the socket. It is never taken under the locks above.
//  8. outbox.mu, the lock of callbacks' queue: held for a few instructions. The session calls Send under its
//     lock. readQueue.mu and writeQueue.mu are taken on their own.
//
// pace.mu is held for a few instructions, and no other lock is taken under it. Those of a connection are in package wsconn.
package live
