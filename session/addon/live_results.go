package addon

import (
	"context"

	"steno/messages"
	"steno/session/panics"
)

// LiveResults collects the messages of a session's add-ons from its event log and makes their
// results of them. One goroutine at a time uses it.
type LiveResults struct {
	finals   map[string]FinalResults // by name
	post     []postAddon             // in the order of their kinds, then those declared
	declared messages.Declared       // those of post that are declared
}

// postAddon is an add-on that the request asks for; the type of its message is
// [messages.PostPrefix] and its name.
type postAddon struct {
	name string
	PostWork
}

// Results returns an empty collector.
func (l *Live) Results() *LiveResults {
	r := &LiveResults{finals: map[string]FinalResults{}, declared: l.request.PostProcessing.Declared}
	for _, a := range l.finals {
		r.finals[a.name] = a.Gather()
	}
	for name := range l.table.emitting(messages.PostPrefix) {
		if a, ok := l.table.named(name).(PostProcessor); ok {
			if work := a.PostProcess(l.request, l.runner); work != nil {
				r.post = append(r.post, postAddon{name, work})
			}
		}
	}
	return r
}

// Add takes a message of the log with its key. It ignores those that are of no add-on of the
// session.
func (r *LiveResults) Add(key messages.Key, m messages.Message) {
	if f, ok := r.finals[key.Type()]; ok {
		f.Add(key, m)
	}
	for _, a := range r.post {
		if messages.PostPrefix+a.name == key.Type() {
			a.Add(m)
		}
	}
}

// Put sets what the add-ons said of finals in a result whose transcription is complete; ids are
// those of its utterances. It has nothing of utterances that an add-on failed for, but that their
// sentiment is unknown; see [Wrap].
func (r *LiveResults) Put(result *messages.LiveResult, ids []string) {
	for _, f := range r.finals {
		f.Put(result, ids)
	}
}

// Finish runs the add-ons that work on the whole transcript, all at the same time, and sets their
// results. It emits their messages in the order of their kinds, those of declared add-ons last. The
// error is that of emit, or the context's.
func (r *LiveResults) Finish(ctx context.Context, result *messages.LiveResult,
	emit func(messages.Message) error) error {
	for name := range r.declared {
		result.Declared.Reserve(name)
	}
	var running panics.Group
	defer running.Wait()
	made := make([]chan messages.Message, len(r.post))
	for i, a := range r.post {
		made[i] = make(chan messages.Message, 1)
		running.Go(func() {
			defer close(made[i])
			made[i] <- a.Finish(ctx, result)
		})
	}
	for i := range made {
		m, ok := <-made[i]
		if !ok || ctx.Err() != nil {
			return ctx.Err() // without a message there was a panic, which Wait raises again
		}
		if err := emit(m); err != nil {
			return err
		}
	}
	return ctx.Err()
}
