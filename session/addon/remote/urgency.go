package remote

import "context"

// Urgency is how soon the answer of a call is wanted. Waiting calls go in its order, then in that of coming.
type Urgency int

const (
	Now   Urgency = iota // somebody speaks: what comes some seconds later is of no use
	Soon                 // somebody waits for the end of a live session
	Later                // recorded files
	levels
)

type urgencyKey struct{}

// Urgent is a context whose calls are of the urgency. Those of a context that was told none are for Later.
func Urgent(ctx context.Context, u Urgency) context.Context {
	return context.WithValue(ctx, urgencyKey{}, u)
}

func urgencyOf(ctx context.Context) Urgency {
	if u, ok := ctx.Value(urgencyKey{}).(Urgency); ok {
		return u
	}
	return Later
}
