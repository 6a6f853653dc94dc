// Package client is a connected client of a live session: it reads its audio, sends it events, and
// finds out what it has received. It knows neither where sessions come from nor how the client
// found its session.
//
// A session has a [Seat]. A client that asks for it gets a [Client], which its owner attaches to
// the open session and serves. Audio passes from the connection through the intake to
// Session.Write: paced, without the bytes that the session already has, and acknowledged. Events
// pass through the outbox, where the newest partial replaces the older one. Events that a client
// has not confirmed by a pong are sent to the next one.
//
// # Goroutines
//
//   - The reader outlasts the HTTP handler, which has accepted the connection. It owns the
//     connection's read side, the matcher and the read buffer, and calls Session.Write. It waits
//     for the client, which is bounded, or for the server: the session is slow, audio arrives
//     faster than the pace, too much of it is not durable yet, there is no room for a long message.
//     The latter counts against no limit. With many clients, short messages accumulate, and the
//     reader has no goroutine meanwhile: a [readQueue], one for each processor, has it read them,
//     and starts a goroutine for it if it must wait for the client.
//   - The writer writes the events of the outbox. Only the writer pings and closes. It works on the
//     goroutine of a [writeQueue], one for each processor, and has one of its own only to wait: for
//     a client that does not read, or for the end of the connection.
//   - One goroutine that cuts the connection, or waits to.
//
// # Locks, in the order in which they may be acquired
//
//  1. intake.mu: held by the reader around each piece of audio, and while silence is inserted for a
//     pause; acquired by the goroutine that replaces the client.
//  2. acker.mu: held while the session acknowledges.
//  3. The locks of callbacks' sink while it transfers, and of package session.
//  4. writer.mu: held by the goroutine that writes to the connection. It is never acquired under
//     the locks above.
//  5. outbox.mu: held for a few instructions. The session calls Send under its lock. readQueue.mu
//     and writeQueue.mu are acquired on their own.
//
// pace.mu is held for a few instructions, and no other lock is acquired under it. Those of a
// connection are in package wsconn; its reading lock is held while a pong is confirmed in the
// ledger.
package client
