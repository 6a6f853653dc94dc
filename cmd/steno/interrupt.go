package main

import (
	"context"
	"os"
)

// untilInterrupted is a context that the first signal ends. The caller must call the function that
// is returned, after which nothing listens any more.
func untilInterrupted(ctx context.Context, interrupts <-chan os.Signal) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case <-interrupts:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		cancel()
		<-ended
	}
}
