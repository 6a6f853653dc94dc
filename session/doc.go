// Package session runs one stream of audio: bytes in, events out, live and replayed alike. It knows
// no socket, file, database, log or HTTP status, nor whether a client is connected. DESIGN.md has
// the glossary, the design decisions, and the functions that audio and events pass through.
//
// # The path of a sample
//
//	Write -> journal -> intake (ticks of 10 ms) -> lane per channel:
//	    audio.Front (16 kHz, enhanced) -> vad.Detector -> vad.Endpointer -> utterance -> asr.Stream
//	                                                             collector -> emit -> log, sinks
//	                                                                 final -> add-ons -> emit
//
// Everything moves in ticks of 10 ms of audio. The intake alone cuts them out of the byte stream,
// so nothing after it depends on how the bytes were cut, paced or interrupted. All positions are
// numbers of samples at 16 kHz since the session's start. The wall clock stamps created_at and
// bounds how long an engine may stay away; it decides nothing else. Silence that a client does not
// send is marked in the ledger at its place among the bytes, and inserted there.
//
// # Goroutines
//
//   - The writer: the goroutine that calls Write or Stop. It runs the intake and all lanes up to
//     the endpointer, and gives speech to utterances. It does not wait for a recognizer.
//   - The feeder of an utterance, while it has audio or orders for the stream: it opens the first
//     stream, and writes to it.
//   - One collector per lane, while the lane has utterances under recognition: it takes them in the
//     order they began, waits for the final of each, and feeds an utterance again if its engine was
//     lost. When the recording has ended or the session is abandoned, the last collector or feeder
//     to end, or one goroutine where none runs, waits for the step queue, finishes a stopped
//     session (result, closing events, outcome) and closes Done.
//   - One that delivers waiting events when the ledger reports that more has become durable. It is
//     started by the first such report. Events that are durable at once are delivered by the
//     emitting goroutine.
//   - For each add-on with steps on finals, up to 8 while it has steps to run, started by the
//     collectors, and by Open for the pending steps of the log. A step ends within the add-on's
//     time or with the session.
//   - One for each add-on that works on the whole transcript, while the session is finished. The
//     finisher waits for them.
//
// # Locks, in the order they may be taken
//
//  1. Session.mu: held by the writer for all of Write, Stop and Acknowledge. Guards the recording:
//     intake, lanes, positions.
//  2. utterance.mu: an utterance's audio and its current stream, shared by writer, feeder and
//     collector.
//  3. turns.mu: held around the emission of speech events, partials and finals, so that they come
//     in order. A timer that emits speech_end when the final takes long takes it too, on a
//     goroutine that counts as a feeder.
//  4. emitter.mu: held by emit, Attach and Detach: numbering, logging and delivery happen in one
//     order. Events wait under it, never a goroutine: only the end of a long replay reads the log
//     while it is held.
//
// The locks of failures, of the collectors and of the step queue are held for a moment each, and
// nothing is called under them.
//
// No lock is taken while a later one of the list is held. Sinks are called under emitter.mu and
// must not block.
//
// # Panics
//
// A panic on any of these goroutines is recovered at its edge and becomes a [Failure]: the session
// ends with what there is, as an internal error. A sink that panics is sent nothing more. Locks
// that are held around foreign code are released by defer, so a panic leaves none of them locked.
//
// # Resuming
//
// Everything a session needs to be resumed is in its [Ledger]. Open restores each lane at its last
// final, reads the journal from there and runs it through the same code. The log recognizes events
// that are emitted again by their keys, and they change nothing.
package session
