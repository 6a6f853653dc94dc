// Package asr is the contract between a session and whatever recognizes its speech.
//
// A [Recognizer] opens one [Stream] per stretch of speech of one channel. The utterance is written as it is
// spoken, ended once, and owes exactly one final. It is decoded from its own audio alone: no state crosses
// utterances, so the same samples give the same final wherever, whenever and on whichever engine process they are
// decoded. Every implementation passes the suite in asrtest.
package asr

import (
	"context"
	"errors"
	"time"
)

// Rate is the sample rate of all audio given to recognizers, in Hz. Samples are mono, signed 16 bit.
const Rate = 16000

// MaxSamples is the longest utterance a recognizer must take: 60 s, the greatest
// maximum_duration_without_endpointing, and one second beyond for hangover and rounding.
const MaxSamples = 61 * Rate

var (
	// ErrUnavailable says that no engine can take an utterance now, or that the one that had it is gone. The same
	// audio may be given again, to this or another recognizer: nothing of the utterance has been decided.
	ErrUnavailable = errors.New("recognizer unavailable")

	// ErrLanguage says that the recognizer has no model for the language asked for; asking again is useless.
	ErrLanguage = errors.New("language not supported")

	// ErrTooLong says that more than [MaxSamples] were written to one utterance.
	ErrTooLong = errors.New("utterance too long")
)

// Recognizer opens utterances. Its methods may be called from any goroutine.
type Recognizer interface {
	// Open starts an utterance. It returns as soon as the engine has accepted it, waiting for no decoding slot.
	// Cancelling ctx abandons the utterance: its audio is dropped and Recv returns the context's error.
	// Errors: ErrUnavailable (try again later), ErrLanguage, or the context's.
	Open(ctx context.Context, p Params) (Stream, error)
}

// Stream is one stretch of speech under recognition. Write, Pause and End are called from one goroutine, Recv from one
// other; the three never need a lock of the caller's between them.
type Stream interface {
	// Write appends samples. The slice is the caller's again when Write returns. It may block for a short while, not
	// for decoding: an engine keeps what it has not yet decoded. After an error the utterance is lost; Recv tells why.
	Write(samples []int16) error

	// Pause says that the samples so far may be all: silence began, which is not part of the utterance, and an end is
	// likely. It is a hint: an engine with means to spare begins the final at once, throws it away if Write brings more,
	// and has it ready if End follows. It never changes a result, and an engine may pass it over.
	Pause() error

	// End says that no samples follow; the final is now owed. Called once. An utterance without samples is legal and
	// has an empty final.
	End() error

	// Recv returns the next result, blocking until there is one. Partials are cumulative and may be left out at will,
	// each replacing the one before; after the one result with Final set, Recv returns io.EOF for ever. Any other
	// error means that no final will come from this utterance. The Result is the caller's.
	Recv() (Result, error)
}

// Params is what a recognizer is told before the first sample.
type Params struct {
	// Language is a code of the API ("en", "haw"); empty: it is one of Languages, or whatever the engine takes for its
	// default.
	Language string
	// Languages are the codes among which the language is to be found where Language is empty; empty: all the engine
	// has. An engine that cannot tell languages apart takes its default.
	Languages []string
	// Attempt counts how often this utterance was given to an engine and lost there, 0 at first. A router tries another
	// engine after some attempts, and refuses the utterance after more.
	Attempt int
	// Until is how long Open may wait for an engine that is away; the zero Time: it fails at once. Only a router waits.
	Until time.Time
	// Partials asks for partial results while the utterance is spoken.
	Partials bool
	// Priority orders the work of a busy engine. It never changes a result.
	Priority Priority
	// Vocabulary lists words to be preferred where the engine can; it may be empty, and an engine without the
	// ability ignores it.
	Vocabulary []Term
}

// Term is one entry of a custom vocabulary.
type Term struct {
	Text           string
	Intensity      float64  // 0 to 1
	Pronunciations []string // how it may sound, in ordinary spelling; may be empty
}

// Priority says who is waiting for an utterance.
type Priority int

const (
	// Live is somebody speaking now.
	Live Priority = iota
	// Replay is a recording: it takes what live speech leaves over.
	Replay
)

// Result is a partial or the final of an utterance.
type Result struct {
	Final bool
	// Words in the order spoken; none when nothing was recognized. Texts carry no surrounding white space.
	Words []Word
	// Timed says that Start and End of the words are known. Where it is false they are zero.
	Timed bool
	// Language is the code of the language the words are in: the one asked for, else what the engine tells.
	Language string
	// Engine names what decoded this, such as "sphinx"; the same name for the same results.
	Engine string
	// Fallback says that the engine is not the one that should have decoded this: that one was away.
	Fallback bool
}

// Word is one recognized word.
type Word struct {
	Text string
	// Start and End are samples from the utterance's first sample; 0 <= Start <= End.
	Start, End int
	// Confidence lies in [0,1]; 0 means that the engine does not tell.
	Confidence float64
}
