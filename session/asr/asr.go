// Package asr is the contract between a session and what recognizes its speech.
//
// A [Recognizer] opens one [Stream] for each utterance, the stretch of speech of one channel that
// endpointing delimits. The session writes the utterance as it is spoken, ends it once, and
// receives partials and exactly one final. An utterance is decoded from its own audio and the
// context it is given ([Params].Context, [Follower]): no state passes from one to the next, so the
// same samples produce the same final wherever, whenever and on whichever process of an engine they
// are decoded. Every implementation passes the suite in package asrtest.
//
// A recognizer may offer capabilities besides recognition: to list its models ([Lister]), to report
// whether it uses context ([Contextual]), to identify a language ([Identifier]), to punctuate
// ([Punctuator]), to diarize ([Diarizer]) and to denoise ([Denoiser]). One made of others passes
// theirs on by embedding a [Delegate].
//
// # Layers
//
//	session
//	  router                chooses the engine by model, language and availability; waits; falls
//	                        back
//	    clean               removes from answers what nobody said, and corrects impossible times
//	    fusion, twopass     optional: several engines vote; one for partials, one for finals
//	      local             runs an engine program of this machine and is its client
//	      riva/pool, riva   clients of servers with the Riva interface
//	      openai            client of a server with OpenAI's interface for files
//	      realtime          client of a server with a realtime interface like OpenAI's
//	        rivaserver      the other end, in the engine program (cmd/steno-engine):
//	          moonshine, sherpa, sphinx, scripted
//
// Package engines puts these together from a configuration. Package remote has what the clients of
// other parties' servers share. Packages models, schedule, whole and align serve the engine
// program: they install models, share processors among decodes, make streams of models for whole
// utterances, and find the times of words.
//
// # Engines that are away
//
// An engine that cannot work now returns [ErrUnavailable] immediately. Each recovers in its own
// way: local restarts its process, riva/pool checks its servers' health, openai and realtime stop
// sending for a while. The router alone decides what that means for an utterance: whether to wait,
// to ask another engine, or to fail. See its file availability.go. A session only feeds the audio
// again.
package asr

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Rate is the sample rate of all audio given to recognizers, in Hz. Samples are mono, signed 16
// bit.
const Rate = 16000

// MaxSamples is the length of the longest utterance that a recognizer must accept: 60 s, the
// greatest maximum_duration_without_endpointing, and one second for hangover and rounding.
const MaxSamples = 61 * Rate

// MaxContext is the length of the longest context: 16 s.
const MaxContext = 16 * Rate

var (
	// ErrUnavailable means that no engine can accept an utterance now, or that the one that had it
	// is gone. The same audio may be fed again, to this or another recognizer.
	ErrUnavailable = errors.New("recognizer unavailable")

	// ErrBusy is the ErrUnavailable of a recognizer that is well, and has no room.
	ErrBusy = fmt.Errorf("%w: busy", ErrUnavailable)

	// ErrTried is an ErrUnavailable of an utterance by which the engine has failed as often as it
	// is worth asking, though it may serve others: another engine is to be asked before it.
	ErrTried = fmt.Errorf("%w: tried often enough", ErrUnavailable)

	// ErrLanguage means that the recognizer has no model for the language. Asking again is useless.
	ErrLanguage = errors.New("language not supported")

	// ErrNoOther means that there is no engine beyond those to be passed over ([Params].Passed), or
	// that the utterance was lost too often ([Params].Attempt). Asking again is useless.
	ErrNoOther = errors.New("no other engine")

	// ErrTooLong means that more than [MaxSamples] were written to one utterance.
	ErrTooLong = errors.New("utterance too long")
)

// EngineAttempts is how often an engine may lose an utterance before a router asks the next.
const EngineAttempts = 3

// Recognizer opens utterances. Any goroutine may call its methods.
type Recognizer interface {
	// Open starts an utterance. It returns as soon as an engine has accepted it and does not wait
	// for a decoding slot. Cancelling ctx abandons the utterance: its audio is dropped and Recv
	// returns the context's error. Errors: ErrUnavailable (try again later), ErrLanguage, or the
	// context's.
	Open(ctx context.Context, p Params) (Stream, error)
}

// Stream is a recognizer's work on one utterance. One goroutine calls Write, Pause and End, one
// other calls Recv; they need no lock of the caller's.
type Stream interface {
	// Write appends samples, and does not keep the slice. It may block for a short while, but not
	// for decoding: an engine buffers what it has not yet decoded. After an error the utterance is
	// lost, and Recv returns why.
	Write(samples []int16) error

	// Pause reports that silence began, which is not part of the utterance, and that the end is
	// likely. It is a hint: an engine with a free slot starts to decode the final immediately,
	// discards it if Write follows, and has it ready if End follows. It never changes a result, and
	// an engine may ignore it.
	Pause() error

	// End reports that no samples follow. It is called once. An utterance without samples is legal
	// and has an empty final.
	End() error

	// Recv returns the next result and blocks until there is one. Partials are cumulative, each
	// replacing the one before, and any of them may be left out. After the one result with Final
	// set, Recv returns io.EOF for ever. Any other error means that this utterance gets no final.
	// The Result is the caller's.
	Recv() (Result, error)
}

// Params are the properties of an utterance that are known before its first sample.
type Params struct {
	// Language is a code of the API ("en", "haw"). Empty: the language is one of Languages, or the
	// engine's default.
	Language string
	// Languages are the codes among which the language is to be found where Language is empty;
	// empty: all that the engine has. An engine that cannot detect languages takes its default.
	Languages []string
	// Attempt counts how often this utterance was given to an engine and lost there, 0 at first. A
	// router tries another engine after some attempts, and refuses the utterance after more.
	Attempt int
	// Passed is how many engines a router passes over, beginning with the preferred one, since they
	// have answered nothing where speech was heard. Only a router has several; where it has no
	// more, Open or Recv fails with ErrNoOther.
	Passed int
	// Until is the time until which Open may wait for an engine that is away; with the zero Time it
	// fails immediately. Only a router waits.
	Until time.Time
	// Partials asks for partial results while the utterance is spoken.
	Partials bool
	// Priority orders the work of a busy engine. It never changes a result.
	Priority Priority
	// Party is whose speech it is, such as an account; empty: nobody's. Parties share a busy engine
	// evenly, which never changes a result. It is not for the eyes of others: no recognizer passes
	// it to another process but as a hash to an engine program.
	Party string
	// Decodes is how many ways of decoding a final is chosen from, by an engine that has several;
	// 0: the engine's choice.
	Decodes int
	// Recorded means that nobody waits for the final while the utterance is spoken. An engine that
	// divides long utterances may decode longer pieces then, which takes longer after the end and
	// makes fewer errors.
	Recorded bool
	// Vocabulary lists words to be preferred. It may be empty; an engine that cannot prefer words
	// ignores it.
	Vocabulary []Term
	// Context is the audio of the same channel directly before the utterance's first sample,
	// contiguous, silence included: at most MaxContext samples, and none unless the utterance
	// follows closely on another. An engine may decode it together with the utterance, but returns
	// the utterance's words alone, and their times count from the utterance's first sample. How
	// much of it an engine uses depends on the audio only; one without use for it ignores it. It
	// does not count towards MaxSamples. Nobody changes the samples, so an engine may keep the
	// slice.
	Context []int16
}

// Term is one entry of a custom vocabulary.
type Term struct {
	Text           string
	Intensity      float64  // 0 to 1
	Pronunciations []string // spellings of how it sounds; may be empty
}

// Priority is the kind of client that waits for an utterance.
type Priority int

const (
	// Live is the priority of speech that is being spoken.
	Live Priority = iota
	// Replay is the priority of recordings. They get the capacity that live speech leaves.
	Replay
)

// Result is a partial or the final of an utterance.
type Result struct {
	Final bool
	// Words are in the order spoken; there are none if nothing was recognized. Texts have no
	// surrounding white space.
	Words []Word
	// Timed is set if Start and End of the words are known. Otherwise they are zero.
	Timed bool
	// Language is the code of the words' language: the one asked for, or else the one the engine
	// detected.
	Language string
	// Engine names what decoded this, such as "sphinx". Equal names mean equal results.
	Engine string
	// Fallback is set if another engine than the preferred one decoded this, because that one was
	// away.
	Fallback bool
	// Dropped is why the engine has left out words on purpose, such as "noise", "loop", "credit" or
	// "filler"; empty: it has not. A final that has no words and no such reason, of an utterance in
	// which somebody spoke, counts as a failure of the engine: the utterance is given to it again,
	// and then to others.
	Dropped string
	// Queued is how long a final waited for a decoding slot after the end of its utterance; 0 where
	// that is not known.
	Queued time.Duration
}

// Word is one recognized word.
type Word struct {
	Text string
	// Start and End are samples from the utterance's first sample; 0 <= Start <= End.
	Start, End int
	// Confidence lies in [0,1]; 0: unknown.
	Confidence float64
}
