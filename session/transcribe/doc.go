// Package transcribe turns a recorded file into the result of its job, in stages that take values
// and return values:
//
//	Source --Decode--> Recording --Transcribe--> Transcript --Diarize--> Transcript
//	Transcript --Enrich--> Result --Redact--> copy
//
// The stages are these:
//
//   - [Decode] starts the decoder and finds the channels that differ: those that hold the same are
//     transcribed once.
//   - [Job.Transcribe] runs the samples through a session, as a live stream is run but as fast as
//     the engines allow.
//   - [Job.Diarize] attributes the words to speakers. It takes the processor, and is the last stage
//     that holds audio in memory.
//   - [Job.Enrich] runs the other add-ons. It mostly waits for servers.
//   - [Transcript.Redact] writes a copy of the recording that is silent where the result hides
//     something.
//
// A stage runs on its caller's goroutine and leaves no goroutine running. No stage logs, keeps a
// record or knows an HTTP status. Errors are *media.Error for the recording, *session.Failure and
// session.ErrFull for the session, *messages.Problem for a redaction that is not possible, or the
// context's. An add-on that fails is not an error: its part of the result reports it.
package transcribe
