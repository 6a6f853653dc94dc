package remote

import "context"

// Urgency is how soon the answer of a call is wanted. Waiting calls go in its order, then in that of coming.
type Urgency int

const (
	Now   Urgency = iota // for a final of a live session: an answer some seconds late is of no use
	Soon                 // for the end of a live session, which a client waits for
	Later                // recorded files
	levels
)

type urgencyKey struct{}

// Urgent returns a context whose calls have the urgency. Those of other contexts are for Later.
func Urgent(ctx context.Context, u Urgency) context.Context {
	return context.WithValue(ctx, urgencyKey{}, u)
}

func urgencyOf(ctx context.Context) Urgency {
	if u, ok := ctx.Value(urgencyKey{}).(Urgency); ok {
		return u
	}
	return Later
}
