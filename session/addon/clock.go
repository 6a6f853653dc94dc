package addon

import (
	"context"
	"time"
)

// Clock measures the time that add-ons take and cancels their work at its deadline.
type Clock interface {
	Now() time.Time
	// WithTimeout is as [context.WithTimeout].
	WithTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc)
}

// SystemClock is the clock of the system.
type SystemClock struct{}

// Now returns the current time.
func (SystemClock) Now() time.Time { return time.Now() }

// WithTimeout is [context.WithTimeout].
func (SystemClock) WithTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, d)
}
