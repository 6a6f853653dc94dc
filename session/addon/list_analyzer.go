package addon

import (
	"slices"
	"time"

	"steno/messages"
)

// ListAnalyzer is the live work of an add-on that lists something of each final, such as its
// entities: each final has one step and one message, and the result for the session is what the
// messages list, one after the other. In is what the provider reads.
type ListAnalyzer[In, Item any] struct {
	// Name is the add-on's.
	Name string
	// Key identifies the message about the final with an id.
	Key      func(id string) messages.Key
	Provider Provider[In, []Item]
	// Input returns what the provider reads of a final.
	Input func(messages.Utterance) In
	// Message makes a final's message of what the provider listed, or of its failure.
	Message func(id string, u messages.Utterance, list []Item, failed *messages.AddonError) messages.Message
	// Read returns what Message was given for a message of the log; false for one of another type.
	Read func(messages.Message) (list []Item, failed *messages.AddonError, ok bool)
	// Put sets the add-on's field of a result whose transcription is complete: to everything that
	// was listed in the time taken, and the first failure.
	Put func(r *messages.LiveResult, all []Item, took time.Duration, failed *messages.AddonError)
}

// Work returns the work in one session.
func (a *ListAnalyzer[In, Item]) Work(r *Runner) FinalWork {
	return &listWork[In, Item]{a, NewStepRunner(a.Name, r)}
}

type listWork[In, Item any] struct {
	*ListAnalyzer[In, Item]
	runner *StepRunner
}

// Steps implements [FinalWork].
func (w *listWork[In, Item]) Steps(id string, u messages.Utterance) []Step {
	return []Step{NewStep(w.runner, w.Key(id), w.Provider, w.Input(u),
		func(list []Item, failed *messages.AddonError) messages.Message {
			return w.Message(id, u, list, failed)
		})}
}

// Gather implements [FinalWork].
func (w *listWork[In, Item]) Gather() FinalResults {
	return &listResults[In, Item]{w, StepResults[[]Item]{}}
}

type listResults[In, Item any] struct {
	work    *listWork[In, Item]
	results StepResults[[]Item]
}

// Add implements [FinalResults].
func (f *listResults[In, Item]) Add(key messages.Key, m messages.Message) {
	if list, failed, ok := f.work.Read(m); ok {
		f.results.Set(key, list, failed)
	}
}

// Put implements [FinalResults].
func (f *listResults[In, Item]) Put(r *messages.LiveResult, ids []string) {
	lists, failed := f.results.Of(ids, f.work.Key)
	if len(ids) == 0 && !f.work.Provider.Available() {
		failed = Unavailable(f.work.runner.addon)
	}
	f.work.ListAnalyzer.Put(r, slices.Concat(lists...), f.work.runner.took(), failed)
}
