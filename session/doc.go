// Package session runs one stream of audio: bytes in, events out, live and replay alike. It knows no socket, file,
// database or log, nor whether anybody is listening.
//
// # The way of a sample
//
//	Write -> journal -> intake (10-ms ticks) -> lane per channel:
//	    audio.Front (16 kHz, enhanced) -> vad.Detector -> vad.Endpointer -> utterance -> asr.Stream
//	                                                             collector -> emit -> log, sinks
//	                                                                 final -> add-ons -> emit
//
// Everything moves in ticks of 10 ms of audio, cut out of the byte stream in one place (intake), so how the bytes
// were cut, paced or interrupted cannot reach anything behind it. All positions are sample counts at 16 kHz from the
// session's start. The wall clock stamps created_at and bounds how long an engine may stay away; it decides nothing
// else. Silence that a client does not send is marked in the ledger, by its place among the bytes, and heard there.
//
// # Goroutines
//
//   - The writer: whichever goroutine calls Write or Stop. It runs the intake and all lanes up to the endpointer, and
//     feeds speech to the recognizer.
//   - One collector per lane, started by Open: takes the lane's utterances in the order they began, waits for each
//     one's final, and re-feeds an utterance whose engine was lost. The last collector to end waits for the add-ons'
//     goroutines, finishes a stopped session (result, closing events, outcome) and closes Done.
//   - For each add-on with steps on finals, up to 8 while it has steps to run, started by the collectors, and by Open for
//     what finals in the log still miss. A step ends within the add-on's time or with the session.
//   - One for each add-on that works on the whole transcript, while a session is finished. finish waits for them.
//
// # Locks, in the order they may be taken
//
//  1. Session.mu: held by the writer for all of Write, Stop and Acknowledge. Guards recording: intake, lanes, positions.
//  2. utterance.mu: an utterance's audio and its current stream, shared by writer and collector.
//  3. lane.order: held around emitting partials and speech_end, so that no partial follows its speech_end.
//  4. emitter.mu: held by emit, Attach and Detach: numbering, logging and delivery happen in one order.
//
// The locks of failures and of Session.steps are held for a moment each, and nothing is called under them.
//
// Nothing below is ever called with a later lock held and an earlier one wanted. Sinks are called under
// emitter.mu and must not block.
//
// # Panics
//
// A panic on any of these goroutines is recovered at its edge and becomes a [Failure]: the session ends with what there is,
// an internal error. What panics in a sink costs that sink the rest. Locks that are held around foreign code are released by
// defer, so nobody waits for one that a panic has left.
//
// # Coming back
//
// Everything a session needs to go on is in its [Ledger]. Open restores each lane at its last final, reads the
// journal from there and runs it through the same code; events that are already logged are recognised by their keys
// and change nothing. DESIGN.md tells more.
package session
