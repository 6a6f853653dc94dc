package remote

import "context"

// Priority orders waiting calls: those of a higher priority go first, then those that came first.
type Priority int

const (
	Now   Priority = iota // for a final of a live session: an answer some seconds late is of no use
	Soon                  // for the end of a live session, which a client waits for
	Later                 // recorded files
)

type priorityKey struct{}

// WithPriority returns a context whose calls have a priority. Calls of other contexts have Later.
func WithPriority(ctx context.Context, p Priority) context.Context {
	return context.WithValue(ctx, priorityKey{}, p)
}

func priorityOf(ctx context.Context) Priority {
	if p, ok := ctx.Value(priorityKey{}).(Priority); ok {
		return p
	}
	return Later
}
