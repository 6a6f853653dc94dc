// Package wsconn is the server's half of a WebSocket (RFC 6455): it reads the frames of a client
// and writes its own, with few system calls and almost no memory for a connection that is idle. It
// knows nothing of what messages mean.
//
// # Reading
//
// A [Conn] reads what has come into a buffer that it has only as long as something is in it, many
// frames at a time if its reader lets them gather. Next begins a message, Read reads it in pieces,
// and Batch reads short binary messages that are there as a whole. Pings and closes are answered,
// and pongs handed on, by whoever reads. What breaks the rules for frames, and text that is not
// UTF-8, is a [Violation]: the caller closes the connection with its code.
//
// # Writing
//
// The frames of a server are whole messages. WriteText writes one and waits for the client, TryText
// leaves to CatchUp what the system does not take without waiting, and WriteFrames writes frames
// that several connections share, which [Frame] has made. A ping goes out after a message with the
// same write.
//
// # Closing
//
// Close sends a close frame and waits for the client's, a limited time; Cut closes the connection
// immediately. What was received before the answer to a close is discarded: a close is lost where a
// connection is closed with bytes that nobody has read.
//
// # Locks, in the order in which they may be taken
//
//  1. incoming.mu: held by whoever reads, also while it waits for the client, and by Close while it
//     waits for the answer.
//  2. outgoing.mu: held while something is written.
//  3. clock.mu: held for a few instructions.
//
// The function of OnPong is called under incoming.mu.
package wsconn
