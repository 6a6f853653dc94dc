// Package session runs one stream of audio: bytes in, events out, live and replayed alike. It knows
// no socket, file, database, log or HTTP status, nor whether a client is connected. DESIGN.md has
// the glossary, the design decisions, and the functions that audio and events pass through.
//
// # The path of a sample
//
//	Write -> journal -> intake (ticks of 10 ms) -> lane per channel:
//	   audio.Front (16 kHz, enhanced) -> vad.Detector -> vad.Endpointer -> utterance -> asr.Stream
//	                                                           collector -> emit -> log, sinks
//	                                                               final -> add-ons -> emit
//
// Everything moves in ticks of 10 ms of audio. Only the intake cuts the byte stream into ticks, so
// nothing after it depends on how the bytes were cut, paced or interrupted. All positions are
// numbers of samples at 16 kHz since the session's start. The wall clock stamps created_at and
// bounds how long an engine may stay away; it decides nothing else. A pause in which a client sends
// nothing is marked in the ledger at its place among the bytes, and silence is inserted there.
//
// # Goroutines
//
//   - The writer: the goroutine that calls Write or Stop. It runs the intake and all lanes up to
//     the endpointer, and appends speech to utterances. It does not wait for a recognizer.
//   - The feeder of an utterance, while it has audio or orders for the stream: it opens the first
//     stream, and writes to it.
//   - One collector per lane, while the lane has utterances under recognition: it waits for their
//     finals in order, and feeds an utterance again if its engine was lost. Once the recording is
//     stopped or the session abandoned, the last collector or feeder to return, or a goroutine of
//     its own if none runs, waits for the step queue, finishes a stopped session (result, closing
//     events, outcome) and closes Done.
//   - One that delivers waiting events when the ledger reports that more has become durable. It is
//     started by the first such report. Events that are durable when emitted are delivered by the
//     emitting goroutine.
//   - For each add-on with steps on finals, up to 8 while it has steps to run, started by the
//     collectors, and by Open for the pending steps of the log. A step runs until the add-on's
//     timeout at most, and no longer than the session.
//   - One for each add-on that works on the whole transcript, while the session is being finished.
//     The finisher waits for them.
//
// # Locks, in the order they may be acquired
//
//  1. Session.mu: held by the writer for all of Write, Stop and Acknowledge. Guards the recording:
//     intake, lanes, positions.
//  2. utterance.mu: an utterance's audio and its current stream, shared by writer, feeder and
//     collector.
//  3. turns.mu: held around the emission of speech events, partials and finals, so that they come
//     in order. A timer that emits speech_end when the final takes long acquires it too, on a
//     goroutine that counts as a feeder.
//  4. emitter.mu: held by emit, Attach and Detach: numbering, logging and delivery happen in one
//     order. Events wait under it, never a goroutine: only the end of a long replay reads the log
//     while it is held.
//
// The locks of failures, of the collectors, of the redaction and of the step queue are held for a
// moment each, and nothing is called under them.
//
// No lock is acquired while a later one of the list is held. Sinks are called under emitter.mu and
// must not block.
//
// # Panics
//
// A panic on any of these goroutines is recovered where the goroutine starts and becomes a
// [Failure]: the session ends as an internal error, with the result so far. A sink that panics is
// sent nothing more. Locks that are held around foreign code are released by defer, so a panic
// leaves none of them locked.
//
// # Resuming
//
// Everything a session needs to be resumed is in its [Ledger]. Open restores each lane at its last
// final, reads the journal from there and runs it through the same code. Events that are emitted
// again have keys that the log already has, and change nothing.
package session
