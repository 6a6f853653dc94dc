// Package subscribers sends the events of live sessions to those who follow them from outside: a
// screen, an agent's desk, a dashboard. A subscription is a WebSocket or a response of server-sent
// events (SSE). It sends the logged events from any number on, then those that follow, each once
// and in order, and unlogged ones (partials, acks) as they come.
//
// # How an event gets to its subscribers
//
// The event log is the truth. The store's feed wakes the [hub] of a session, of which there is one
// on each node that has subscribers of it, whether or not the session runs there. The hub reads the
// log from where it stands, makes one [publication] of each event, which holds every encoding that
// is needed, and pushes it to its clients. Every 10 s it looks at the log unasked, so a lost signal
// costs time and no event. A [source] is what a hub reads: the log of a session, or that of an
// account.
//
// Unlogged events come by the feed itself. [Publisher], a sink of the running session, publishes
// them while somebody follows them. Each states which logged event was the last before it; the hub
// reads the log as far before it passes them on, and drops a partial that the log has overtaken.
//
// A [client] is a bounded queue of publications. A subscription begins by reading the log itself, a
// page at a time and as fast as its reader takes it, and joins the hub when it has caught up. A
// reader that is too slow for its queue leaves the hub again: it receives a notice, with the number
// of the event that the subscription continues with and how many unlogged events it missed, and
// continues to read the log. So a slow reader delays no other and misses no logged event. Of 256
// KiB a queue holds no more, unless a single message is larger.
//
// [multiplex] sends the events of several sessions over one connection: a subscription for each,
// which take turns at writing. They share the bound on what may wait, of which each has 16 KiB in
// any case.
//
// # Goroutines
//
// A subscription is served by the goroutine of its HTTP handler, each of a multiplex by one of its
// own; a WebSocket has one more that reads, and one while a ping is under way. A hub has one
// goroutine, from its first subscription to its last. [Service.Start] begins the watch, which ends
// the subscriptions whose key or token has ended and those whose clients take no bytes.
// [Service.Close] waits for hubs and watch; the handlers are counted by web.InFlight.
//
// # Locks, in the order in which they may be taken
//
//  1. multiplex.mu: held while one of its subscriptions writes.
//  2. Service.mu: held for the maps of hubs and subscriptions only.
//  3. hub.mu: held while a publication is pushed to the clients, and while one joins or
//     leaves.
//  4. client.mu, inbox.mu: held for a few instructions. The store calls inbox.signal, maybe under
//     locks of a session.
//
// No lock is held during calls to the store, and but for multiplex.mu none during writes to a
// connection.
package subscribers
