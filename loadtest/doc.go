// Package loadtest puts a gateway under the load of speakers: clients that create live sessions and
// stream recordings in real time, as a microphone would, and measure how long everything takes to
// come back.
//
// # The clock of a client
//
// A client starts speaking at one moment and from then on every chunk of audio is due at a fixed
// time: the moment at which a microphone would have recorded its last sample. All delays count from
// when the audio was due, whether or not it could be sent then. A gateway that stops reading, or
// one that is away, therefore cannot hide its delay by slowing the client down; how late the client
// itself was is reported apart, as its lag.
//
// # What a client keeps
//
// Nothing is negotiated after a lost socket: the client opens a new one and sends all audio after
// the last acknowledgment it has received. The stream is a function of the position, so the audio
// to be sent again needs no buffer. A stop is said again on a new socket until it is acknowledged.
//
// A run that is interrupted cancels its sessions, so that they do not count against the key's limit
// until nobody may come back to them.
//
// # Fairness
//
// The generator judges itself. Its lag is how late it comes to a frame that is due, a wait for the
// gateway to read not included; where that or its use of the processors is too great, the report
// states that it measured the generator and not the gateway. Failed sessions are listed besides:
// the generator may be the cause. What is drawn at random follows from a seed. Frames of different
// clients are never due in step.
//
// # Capacity
//
// [FindCapacity] makes runs with different numbers of sessions and judges each by objectives. Which
// numbers it tries depends on the outcomes of the runs alone.
//
// # Threads
//
// [Run] starts one goroutine per client and waits for all of them. While a server acknowledges what
// it is sent, a schedule sends the frames of many clients on one goroutine, of which there is one
// for each processor; a client whose server is late sends on its own goroutine, as only that may
// wait. It receives on one more goroutine per open socket; what sender and receiver both touch is
// atomic, or handed over when the receiver has ended. A subscriber has a goroutine of its own. One
// goroutine measures the processors once a second and reports progress. The figures of all clients
// are collected in one place, under a mutex.
package loadtest
