package addon

import (
	"context"
	"math"
	"net/http"
	"time"

	"steno/messages"
	"steno/session/addon/remote"
)

// Unavailable is the error of an add-on that has no provider on this server.
func Unavailable(name string) *messages.AddonError {
	return &messages.AddonError{
		StatusCode: http.StatusNotImplemented, Exception: "AddonUnavailable",
		Message: name + " is not available on this server",
	}
}

// Overloaded is the error of a step that was not begun because too many wait for the same add-on,
// or it waited too long.
func Overloaded(name string) *messages.AddonError {
	return &messages.AddonError{
		StatusCode: http.StatusServiceUnavailable, Exception: "Overloaded",
		Message: "too many utterances wait for " + name,
	}
}

// Wrap makes the result of an add-on for a whole job, recorded or live, that took so long. One rule
// holds for all add-ons: if anything of what was asked for is missing, success is false and the
// error is what failed, of several failures the first; the results hold everything that succeeded.
// Empty means that it ran and found nothing. Results that are a list of what was asked for, such as
// prompts or languages, have an item for each, which has its own failure.
func Wrap[T any](took time.Duration, results T, empty bool, failed *messages.AddonError) *messages.AddonResult[T] {
	return &messages.AddonResult[T]{Success: failed == nil, IsEmpty: empty && failed == nil,
		ExecTime: thousandth(took.Seconds()), Error: failed, Results: results}
}

// Whole runs an add-on over a whole transcript whose result is either there as a whole or missing.
func Whole[In, Out any](ctx context.Context, r *Runner, name string, p Provider[In, Out], in In,
	empty func(Out) bool) *messages.AddonResult[Out] {
	began := r.Clock.Now()
	var none Out
	if !p.Available() {
		return Wrap(r.Since(began), none, true, Unavailable(name))
	}
	result, err := Run(ctx, r, name, r.PostProcessing, func(ctx context.Context) (Out, error) { return p.Do(ctx, in) })
	if err != nil {
		return Wrap(r.Since(began), none, true, remote.Addon(err))
	}
	return Wrap(r.Since(began), result, empty(result), nil)
}

// WholeText is [Whole] for a provider that returns a single text.
func WholeText[In any](ctx context.Context, r *Runner, name string, p Provider[In, string],
	in In) *messages.AddonResult[*string] {
	text := Provider[In, *string]{Name: p.Name}
	if p.Available() {
		text.Do = func(ctx context.Context, in In) (*string, error) {
			s, err := p.Do(ctx, in)
			return &s, err
		}
	}
	return Whole(ctx, r, name, text, in, func(s *string) bool { return *s == "" })
}

// IsEmpty reports whether a list is empty.
func IsEmpty[S ~[]E, E any](s S) bool { return len(s) == 0 }

// Since returns the time since t by the runner's clock.
func (r *Runner) Since(t time.Time) time.Duration { return r.Clock.Now().Sub(t) }

func thousandth(x float64) float64 { return math.Round(x*1000) / 1000 }
