// Package addon does what requests ask for beside the transcript: it corrects and spells words,
// finds entities, translates, summarizes, divides into chapters, redacts and so on.
//
// An add-on is an [Addon], and the add-ons of a server are a [Table]. Package registry builds the
// table from the configured providers: what is embedded, a language model, other services. Each
// add-on has a folder below this one with its algorithms, its choice of a provider and its Addon.
// The interfaces that it implements define what it does:
//
//   - [TextRewriter] changes the words of each partial and final of a session, before they go
//     anywhere else.
//   - [LiveRedactor] hides parts of them, by what was said before in the session.
//   - [FinalAnalyzer] has a [Step] for each final of a live session, with a message of its own.
//   - [PostProcessor] works on the whole transcript at the end of a live session, with a message of
//     its own.
//   - [TranscriptEditor] changes the transcript of a recorded job, before the analyzers read it.
//   - [TranscriptAnalyzer] reads the transcript of a recorded job and adds to its result.
//
// A [Live] does the add-ons of one live session and a [PreRecorded] those of one recorded job. Each
// add-on has its own time and fails alone: what went wrong is an error in its own message or
// result, see [Wrap].
//
// To add an add-on:
//
//  1. Write a folder with a constructor that returns [NewListed]: a name, a sentence, the places
//     where requests may ask for it, and a provider. Where that is too narrow, write a type that
//     implements [Declarer] and one or more of the interfaces above.
//  2. Let the constructor choose the provider from what it is given, such as a language model.
//  3. Add the constructor to the table in package registry.
//
// Requests, results, messages, their filters, the descriptions of the interface and the console's
// switches follow from the declaration. The add-ons of the public API have their fields in package
// messages instead, in the order in which its clients see them.
package addon

import (
	"context"

	"steno/messages"
)

// Addon is one add-on of the API. Its methods, and those of the values that it returns, may be
// called from any goroutine.
type Addon interface {
	// Name is the add-on's field in requests and results.
	Name() string
	// Offer describes the add-on to clients: the kinds of jobs that have it and its providers. It
	// may ask servers for that until the context ends.
	Offer(ctx context.Context) messages.Addon
}

// TextRewriter is an add-on that changes the words of utterances.
type TextRewriter interface {
	// Rewriter returns the function that changes an utterance, nil if the request does not ask for
	// the add-on. The function returns the same for the same utterance and leaves the given one as
	// it is.
	Rewriter(*messages.LiveRequest) func(messages.Utterance) messages.Utterance
}

// LiveRedactor is an add-on that hides parts of what is said in a live session, by what was said
// before.
type LiveRedactor interface {
	// RedactLive returns the add-on's work in one session, nil if the request does not ask for it.
	RedactLive(*messages.LiveRequest) LiveRedaction
}

// LiveRedaction is the redaction of one session. All partials and finals with words go through it,
// as the last of what changes them. It may be used from any goroutine.
type LiveRedaction interface {
	// Partial returns a partial without what is to be hidden.
	Partial(messages.Utterance) messages.Utterance
	// Final is Partial for the final of an utterance, once for each in their order, or again after
	// a takeover. It is remembered for those that follow.
	Final(id string, u messages.Utterance) messages.Utterance
	// AppendState appends what is remembered to a checkpoint.
	AppendState([]byte) []byte
	// RestoreState sets what is remembered to that of a checkpoint, if that has seen more finals.
	RestoreState([]byte) error
}

// FinalAnalyzer is an add-on that works on each final of a live session. The type of its messages
// is its name.
type FinalAnalyzer interface {
	// AnalyzeFinals returns the add-on's work in one session, nil if the request does not ask for
	// the add-on.
	AnalyzeFinals(*messages.LiveRequest, *Runner) FinalWork
}

// FinalWork is the work of one add-on on the finals of one session.
type FinalWork interface {
	// Steps lists the steps for one final, always in the same order. Their keys depend on the
	// request and the id alone.
	Steps(id string, u messages.Utterance) []Step
	// Gather returns an empty collector for the messages of the session's steps.
	Gather() FinalResults
}

// FinalResults collects an add-on's messages from a session's event log. One goroutine at a time
// uses it.
type FinalResults interface {
	// Add takes a message of the add-on with its key.
	Add(messages.Key, messages.Message)
	// Put sets the add-on's field of a result whose transcription is complete. The ids are those of
	// its utterances.
	Put(r *messages.LiveResult, ids []string)
}

// PostProcessor is an add-on that works on the whole transcript at the end of a live session. The
// type of its message is "post_" and its name.
type PostProcessor interface {
	// PostProcess returns the add-on's work in one session, nil if the request does not ask for the
	// add-on.
	PostProcess(*messages.LiveRequest, *Runner) PostWork
}

// PostWork is the work of one add-on at the end of one session. One goroutine at a time uses it.
type PostWork interface {
	// Add takes the add-on's message from the log of a session that had been about to end before.
	Add(messages.Message)
	// Finish sets the add-on's field of the result and returns its message: as the log has it,
	// otherwise made now from the result's utterances. It changes no other field.
	Finish(ctx context.Context, r *messages.LiveResult) messages.Message
}

// TranscriptEditor is an add-on that changes the transcript of a recorded job.
type TranscriptEditor interface {
	// Edit changes the job's utterances, by replacing the slice, if the request asks for the
	// add-on. An error ends the job. Editors run one after the other, in the order of the table.
	Edit(context.Context, *Job) error
}

// TranscriptAnalyzer is an add-on that reads the transcript of a recorded job.
type TranscriptAnalyzer interface {
	// Analyze sets the add-on's fields of the result, if the request asks for the add-on, and no
	// others. It does not change the job: analyzers run all at the same time.
	Analyze(context.Context, *Job, *messages.PreRecordedResult)
}

// RemoteWorker is an add-on that may wait for servers in a recorded job.
type RemoteWorker interface {
	// Remote reports whether the request asks for the add-on and a server elsewhere does its work.
	Remote(*messages.PreRecordedRequest) bool
}

// RequestChecker is an add-on that cannot do everything that requests may ask for.
type RequestChecker interface {
	// Check returns why the add-on cannot do what the request asks for, if its speech is in one of
	// the languages, none meaning any: a [messages.Problem], or nil if it can, with warnings of
	// what it leaves out.
	Check(q *messages.PreRecordedRequest, languages []string) (messages.Warnings, error)
}

// LiveChecker is an add-on that cannot do everything that live requests may ask for.
type LiveChecker interface {
	// CheckLive is the Check of [RequestChecker] for a live session.
	CheckLive(q *messages.LiveRequest, languages []string) (messages.Warnings, error)
}

// RequestCompleter is an add-on with defaults of its own in requests.
type RequestCompleter interface {
	// Complete sets what the request leaves to the add-on.
	Complete(*messages.PreRecordedRequest)
}

// Describer is an add-on that describes more to clients than its [Addon.Offer].
type Describer interface {
	// Describe sets the add-on's own fields of the description.
	Describe(*messages.Models)
}
