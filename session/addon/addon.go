// Package addon does what is asked for beside the transcript: words are spelled and corrected, named, weighed,
// translated, summed up, cut into chapters and captions, hidden.
//
// How each thing is done is a [Ways]: what is embedded, or better by services that an operator has configured. What a
// request wants of them is a [Live] or [Recorded]. Each add-on has its time and fails alone: what it has to say of that is an
// error in its own message or wrapper.
package addon

import (
	"context"
	"time"

	"steno/messages"
	"steno/session/addon/entities"
	"steno/session/addon/translate"
)

// Ways are how add-ons are done. A nil function says that there is no way. All may be called from any goroutine, return
// with ctx's error soon after it ends, and keep nothing of what they were given.
type Ways struct {
	// Entities names what an utterance speaks of. Where something is to be hidden it gets what may be told.
	Entities func(ctx context.Context, u messages.Utterance) ([]messages.Entity, error)
	// Confide finds in an utterance's words what is of the types and to be hidden, more than is embedded. It is told all
	// that was said. nil: nothing but what is embedded hides.
	Confide func(ctx context.Context, u messages.Utterance, types []string) ([]entities.Found, error)
	// Sentiments tells the mood of each sentence: of those it can, beside an error for the first that it cannot.
	Sentiments func(ctx context.Context, us []messages.Utterance) ([]messages.Sentiment, error)
	// Translate returns the utterances in another language, one for one where the configuration wants them to match: those it
	// can, beside an error for the first that it cannot.
	Translate func(ctx context.Context, us []messages.Utterance, target string, c messages.TranslationConfig) ([]messages.Utterance, error)
	// Summarize sums up; the kind is that of [messages.SummarizationConfig].
	Summarize func(ctx context.Context, us []messages.Utterance, kind string) (string, error)
	// Chapters cuts into chapters, in order.
	Chapters func(ctx context.Context, us []messages.Utterance) ([]messages.Chapter, error)
	// Ask puts a prompt about the transcript to a language model, by its name or the service's own choice.
	Ask func(ctx context.Context, us []messages.Utterance, p messages.Prompt, model string) (string, error)
	// Extract finds data of the classes named; JSON text.
	Extract func(ctx context.Context, us []messages.Utterance, classes []string) (string, error)
	// Names is the transcript with each name written in one way.
	Names func(ctx context.Context, us []messages.Utterance) (string, error)
	// Punctuate puts marks and capitals into text; nil: by pauses.
	Punctuate func(ctx context.Context, text, language string) (string, error)

	// Realtime is the time an add-on has for an utterance, Afterwards for a whole job.
	Realtime, Afterwards time.Duration

	modelled    []string               // add-ons left to the language model that are embedded else
	translators []translate.Translator // what Translate is done by, the preferred first
}
