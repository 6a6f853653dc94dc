// Package reference is a server that speaks the live protocol and does nothing else: it counts
// audio, acknowledges it as the gateway does, and ends sessions when asked to. It is the yardstick
// of the load generator and of the gateway. What a gateway spends on a frame beyond this server is
// its own work, and with an artificial worker whose time for each frame is known, the capacity that
// a search has to find is known too.
//
// It keeps no audio, so a session cannot be resumed on a second socket.
//
// # Threads
//
// The handler's goroutine reads a session's socket. An acknowledgment that waits for more audio is
// written by a timer.
package reference
