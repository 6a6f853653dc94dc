package addon

import (
	"context"
	"slices"

	"steno/messages"
)

// Names of providers, as clients see them. Translators have names of their own.
const (
	Embedded      = "embedded"
	Engine        = "engine" // a recognition engine that has models for it
	LanguageModel = "llm"
)

// Kinds of jobs that have an add-on.
var (
	LiveAndPreRecorded = []string{string(messages.JobLive), string(messages.JobPreRecorded)}
	PreRecordedOnly    = []string{string(messages.JobPreRecorded)}
)

// Provider does an add-on's work: what is embedded, a language model or another service. The zero
// value is that there is none.
type Provider[In, Out any] struct {
	Name string // as clients see it
	// Do may be called from any goroutine, returns with the context's error soon after the context
	// ends, and keeps nothing of its arguments. What it returns beside an error counts, as far as
	// the add-on's results can be incomplete.
	Do func(context.Context, In) (Out, error)
}

// Available reports whether there is a provider.
func (p Provider[In, Out]) Available() bool { return p.Do != nil }

// Remote reports whether a server elsewhere does the work.
func (p Provider[In, Out]) Remote() bool { return p.Do != nil && p.Name != Embedded }

// Offer describes an add-on to clients. The first of its providers is the preferred one; names that
// are empty are left out.
func Offer(name string, modes []string, providers ...string) messages.Addon {
	providers = slices.DeleteFunc(providers, func(p string) bool { return p == "" })
	return messages.Addon{Name: name, Modes: slices.Clone(modes), Available: len(providers) > 0, By: providers}
}
