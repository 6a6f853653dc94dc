package addon

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"steno/messages"
	"steno/session/addon/remote"
)

// Declarer is an add-on beside those of the public API. Requests, results, messages and
// descriptions follow its declaration.
type Declarer interface {
	Addon
	Declaration() messages.Declaration
}

// Query is what a declared add-on reads: utterances, and the options of the request.
type Query[Options any] struct {
	Utterances []messages.Utterance
	Options    Options
}

// Listed is an add-on that lists something of what was said. It needs nothing in any other package
// but its line in the table. Its provider is asked for each final of a live session and for the
// whole transcript of a recorded job, as far as the scope has them.
type Listed[Options, Item any] struct {
	declaration messages.Declaration
	provider    Provider[Query[Options], []Item]
}

// NewListed returns an add-on with a name, a sentence for the descriptions, the places where
// requests may ask for it, and what does its work. Options is the struct that NAME_config is read
// into, tagged as [messages.LiveRequest] is, or struct{} for an add-on without options. Item is
// what the results list; its JSON must be valid.
func NewListed[Options, Item any](name, doc string, scope messages.Scope,
	p Provider[Query[Options], []Item]) *Listed[Options, Item] {
	a := &Listed[Options, Item]{messages.Declaration{Name: name, Doc: doc, Scope: scope, Item: *new(Item)}, p}
	if options := any(*new(Options)); options != struct{}{} {
		a.declaration.Options = options
	}
	return a
}

// Declaration implements [Declarer].
func (a *Listed[Options, Item]) Declaration() messages.Declaration { return a.declaration }

// Name implements [Addon].
func (a *Listed[Options, Item]) Name() string { return a.declaration.Name }

// Offer implements [Addon].
func (a *Listed[Options, Item]) Offer(context.Context) messages.Addon {
	var modes []string
	if a.declaration.Scope.Has(messages.ScopeFinals) || a.declaration.Scope.Has(messages.ScopeSession) {
		modes = append(modes, string(messages.JobLive))
	}
	if a.declaration.Scope.Has(messages.ScopeRecorded) {
		modes = append(modes, string(messages.JobPreRecorded))
	}
	return Offer(a.Name(), modes, a.provider.Name)
}

// Remote implements [RemoteWorker].
func (a *Listed[Options, Item]) Remote(q *messages.PreRecordedRequest) bool {
	_, asked := q.Declared[a.Name()]
	return asked && a.provider.Remote()
}

// Analyze implements [TranscriptAnalyzer].
func (a *Listed[Options, Item]) Analyze(ctx context.Context, j *Job, result *messages.PreRecordedResult) {
	if options, asked := messages.OptionsOf[Options](j.Request.Declared, a.Name()); asked {
		result.Declared.Set(a.Name(), a.whole(ctx, j.Runner, Query[Options]{j.Utterances, options}))
	}
}

// whole asks the provider about a whole transcript.
func (a *Listed[Options, Item]) whole(ctx context.Context, r *Runner,
	q Query[Options]) *messages.AddonResult[json.RawMessage] {
	if len(q.Utterances) == 0 && a.provider.Available() {
		return listResult[Item](0, nil, nil)
	}
	began := r.Clock.Now()
	result := Whole(ctx, r, a.Name(), a.provider, q, IsEmpty)
	return listResult(r.Since(began), result.Results, result.Error)
}

// listResult wraps a list. A list that cannot be encoded is a failure.
func listResult[Item any](took time.Duration, list []Item,
	failed *messages.AddonError) *messages.AddonResult[json.RawMessage] {
	text, err := messages.List[Item](list).MarshalJSON()
	if err != nil {
		text, failed = noItems, cmp.Or(failed, remote.Addon(err))
	}
	return Wrap(took, json.RawMessage(text), len(list) == 0, failed)
}

// noItems is the JSON of an empty list.
var noItems = json.RawMessage("[]")

// AnalyzeFinals implements [FinalAnalyzer].
func (a *Listed[Options, Item]) AnalyzeFinals(q *messages.LiveRequest, r *Runner) FinalWork {
	options, asked := messages.OptionsOf[Options](q.RealtimeProcessing.Declared, a.Name())
	if !asked {
		return nil
	}
	work := ListAnalyzer[Query[Options], Item]{
		Name: a.Name(), Provider: a.provider,
		Key: func(id string) messages.Key { return messages.AddonFinalKey(a.Name(), id) },
		Input: func(u messages.Utterance) Query[Options] {
			return Query[Options]{[]messages.Utterance{u}, options}
		},
		Message: a.message,
		Read:    readItems[Item],
		Put: func(r *messages.LiveResult, all []Item, took time.Duration, failed *messages.AddonError) {
			r.Declared.Reserve(a.Name())
			r.Declared.Set(a.Name(), listResult(took, all, failed))
		},
	}
	return work.Work(r)
}

// message returns the message of one final.
func (a *Listed[Options, Item]) message(id string, u messages.Utterance, list []Item,
	failed *messages.AddonError) messages.Message {
	r := listResult(0, list, failed)
	return messages.AddonFinal{Addon: a.Name(), UtteranceID: id, Utterance: u, Results: r.Results, Error: r.Error}
}

// readItems returns what a message of the log lists.
func readItems[Item any](m messages.Message) (list []Item, failed *messages.AddonError, ok bool) {
	f, ok := m.(messages.AddonFinal)
	if !ok || f.Error != nil {
		return nil, f.Error, ok
	}
	return list, nil, json.Unmarshal(f.Results, &list) == nil
}

// PostProcess implements [PostProcessor].
func (a *Listed[Options, Item]) PostProcess(q *messages.LiveRequest, r *Runner) PostWork {
	options, asked := messages.OptionsOf[Options](q.PostProcessing.Declared, a.Name())
	if !asked {
		return nil
	}
	return &listedPostWork[Options, Item]{addon: a, runner: r, options: options}
}

// listedPostWork is the work at the end of one live session.
type listedPostWork[Options, Item any] struct {
	addon   *Listed[Options, Item]
	runner  *Runner
	options Options
	logged  *messages.AddonResult[json.RawMessage] // nil: not in the log
}

// Add implements [PostWork].
func (w *listedPostWork[Options, Item]) Add(m messages.Message) {
	s, ok := m.(messages.AddonSession)
	if !ok {
		return
	}
	results := s.Results
	if len(results) == 0 {
		results = noItems
	}
	w.logged = Wrap(0, results, string(results) == string(noItems), s.Error)
}

// Finish implements [PostWork].
func (w *listedPostWork[Options, Item]) Finish(ctx context.Context, r *messages.LiveResult) messages.Message {
	name, result := w.addon.Name(), w.logged
	if result == nil {
		result = w.addon.whole(remote.WithPriority(ctx, remote.Soon), w.runner,
			Query[Options]{r.Transcription.Utterances, w.options})
	}
	r.Declared.Set(name, result)
	return messages.AddonSession{Addon: name, Results: result.Results, Error: result.Error}
}
