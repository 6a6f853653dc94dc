package addon

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"steno/messages"
	"steno/session/addon/remote"
)

// Step is the work of one add-on on one final.
type Step struct {
	// Addon names the add-on. Its steps share a provider, those of other add-ons are independent of
	// them.
	Addon string
	// Key identifies the step's message in the session's log.
	Key messages.Key
	// Timeout is the time that the work may take; waiting for it may take as long again.
	Timeout time.Duration
	// Do does the work, for at most that time, and returns the message with its result or its
	// failure. once reports a failure that all finals share, whose message is logged once, under
	// OnceKey. nil: there is no provider, and the message is that of Fail for [Unavailable], which
	// is logged once.
	Do func(context.Context) (m messages.Message, once bool)
	// Fail returns the message of a failure.
	Fail func(*messages.AddonError) messages.Message
}

// OnceKey identifies in the session's log the message of a failure that the steps of all finals
// share.
func (s *Step) OnceKey() messages.Key { return onceKey(s.Key) }

// onceKey is the OnceKey of a step with a key, whose subject begins with the id of its utterance.
func onceKey(k messages.Key) messages.Key {
	id := len(messages.UtteranceID(0, 0))
	k.Subject = "once" + k.Subject[min(id, len(k.Subject)):]
	return k
}

// unsupported is the exception of a failure that lies in what was asked for.
const unsupported = "TranslationUnsupported"

// StepRunner runs the steps of one add-on in one session and measures the time that they take. It
// may be used from any goroutine.
type StepRunner struct {
	addon  string
	runner *Runner
	spent  atomic.Int64 // nanoseconds
}

// took is how long the steps of this process have taken so far.
func (r *StepRunner) took() time.Duration { return time.Duration(r.spent.Load()) }

// NewStepRunner returns a runner for an add-on's steps.
func NewStepRunner(addon string, r *Runner) *StepRunner { return &StepRunner{addon: addon, runner: r} }

// NewStep returns a step that asks the provider; message makes its message of what that returned or
// how it failed.
func NewStep[In, Out any](r *StepRunner, key messages.Key, p Provider[In, Out], in In,
	message func(Out, *messages.AddonError) messages.Message) Step {
	s := Step{Addon: r.addon, Key: key, Timeout: r.runner.Realtime}
	s.Fail = func(e *messages.AddonError) messages.Message {
		var none Out
		return message(none, e)
	}
	if p.Available() {
		s.Do = func(ctx context.Context) (messages.Message, bool) {
			began := r.runner.Clock.Now()
			result, err := Run(remote.WithPriority(ctx, remote.Now), r.runner, r.addon, r.runner.Realtime,
				func(ctx context.Context) (Out, error) { return p.Do(ctx, in) })
			r.spent.Add(int64(r.runner.Since(began)))
			if err != nil {
				failed := remote.Addon(err)
				return s.Fail(failed), failed.Exception == unsupported
			}
			return message(result, nil), false
		}
	}
	return s
}

// WrapSteps makes an add-on's result for a whole session of the results of its steps, see [Wrap].
// The time is that of the steps of this process.
func WrapSteps[T any](r *StepRunner, results T, empty bool, failed *messages.AddonError) *messages.AddonResult[T] {
	return Wrap(r.took(), results, empty, failed)
}

// StepResults are the results of an add-on's steps by the keys of their messages, as a session's
// log has them.
type StepResults[T any] map[messages.Key]stepResult[T]

type stepResult[T any] struct {
	result T
	failed *messages.AddonError
}

// Set keeps the result of the step whose message has the key.
func (s StepResults[T]) Set(key messages.Key, result T, failed *messages.AddonError) {
	s[key] = stepResult[T]{result, failed}
}

// Of lists the results of the steps for the utterances, in their order, without those that failed,
// and the first failure. A message that is missing from the log is a failure, as is one that is
// there once for all of them.
func (s StepResults[T]) Of(ids []string, key func(id string) messages.Key) (list []T, first *messages.AddonError) {
	for _, id := range ids {
		got, ok := s[key(id)]
		if !ok {
			got, ok = s[onceKey(key(id))]
		}
		if !ok {
			got.failed = remote.Addon(errors.New("no answer"))
		}
		switch {
		case got.failed == nil:
			list = append(list, got.result)
		case first == nil:
			first = got.failed
		}
	}
	return list, first
}
