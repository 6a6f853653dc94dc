// Package loadtest puts a gateway under the load of speakers: clients that create live sessions and stream recordings
// in real time, as a microphone would, and measure how long everything takes to come back.
//
// # The clock of a client
//
// A client starts speaking at one moment and from then on every chunk of audio is due at a fixed time: the moment at
// which a microphone would have recorded its last sample. All delays count from when the audio was due, whether or not
// it could be sent then. A gateway that stops reading, or one that is away, therefore cannot hide its delay by slowing
// the client down; how late the client itself was is reported apart, as its lag.
//
// # What a client keeps
//
// Nothing is negotiated after a lost socket: the client opens a new one and sends all audio after the last
// acknowledgment it has received. The stream is a function of the position, so the audio to be sent again needs no
// buffer. A stop is said again on a new socket until it is acknowledged.
//
// # Threads
//
// [Run] starts one goroutine per client and waits for all of them, and one more where progress is wanted. A client sends on its own goroutine and receives on
// one more per open socket; what both touch is handed over when the receiver has ended. The figures of all clients are
// gathered in one place behind a mutex.
package loadtest
