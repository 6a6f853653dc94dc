// Package live runs live sessions: clients create them by HTTP, send audio and receive events over
// WebSockets, and may lose a socket and continue with another.
//
// # The path of a session
//
// Create makes a record and an [entry] in the [registry]. The first socket opens the session
// ([opener]); the entry keeps it while clients attach and detach. The watchdog ends abandoned
// sessions: those that were never connected, that have been without a socket for longer than the
// resume window, or whose client is idle. A finished session stays reachable for one more resume
// window, so that a client that has lost its socket receives the rest.
//
// # Several nodes
//
// Nodes that share a store share its sessions. A socket may connect to any of them: its node claims
// the session from the node that holds it and resumes it from the ledger. The node that has lost
// the claim closes its socket as replaced and drops the entry. A session without a socket on any
// node is finished by the first node that claims it once it is due (store.Sessions.Adopt); such a
// claim never moves a session from another node. Each node reports its counts, so that a key has
// one limit on all nodes. The total limit of sessions is per node: it protects the machine, and
// another node adds capacity.
//
// While the store is out of reach, open sessions continue, and clients get acks only of audio that
// was durable before. When no more audio can be held in memory, sockets are not read. New sessions
// are refused with 503, sockets are closed with 1013.
//
// # Goroutines
//
// Start starts the [watchdog], which checks every time limit, the check for removed API keys, the
// search for sessions that are due, and the reports to other nodes. Their work on an entry runs on
// a goroutine of its own, one at a time for each entry. Close waits for all of these. The callback
// sink of a session has a goroutine, see package callbacks; those of a socket are in package
// client.
//
// The dialect of a client (package dialect) defines how it names its session, what it may send and
// how events are written for it.
//
// # Locks, in the order in which they may be acquired
//
//  1. entry.mu: held while the session is opened, attached, detached and ended, and so while the
//     store is read and the journal is run again.
//  2. registry.mu: held for the maps only, never while another lock is acquired.
//  3. The locks of package client, as far as they precede those of package session.
//  4. callbacks.Sink.transferring: held while the log is read and the store's outbox is written.
//  5. The locks of package session, then the others of package client, and the lock of callbacks'
//     queue, which is held for a few instructions.
package live
