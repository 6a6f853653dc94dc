package rivaserver

import (
	"context"
	"time"
)

type receiver[T any] interface {
	Context() context.Context
	Recv() (*T, error)
}

// incoming reads a call's messages on a goroutine, which ends with the call. The returned function
// waits for the next message, and fails if the client sends nothing for too long.
func incoming[T any](s *Server, stream receiver[T]) (next func() (*T, error)) {
	type received struct {
		message *T
		err     error
	}
	messages := make(chan received)
	done := stream.Context().Done()
	s.readers.Go(func() {
		for {
			message, err := stream.Recv()
			select {
			case messages <- received{message, err}:
			case <-done:
				return
			}
			if err != nil {
				return
			}
		}
	})
	return func() (*T, error) {
		idle := time.NewTimer(s.config.Idle)
		defer idle.Stop()
		select {
		case r := <-messages:
			return r.message, r.err
		case <-done:
			return nil, stream.Context().Err()
		case <-idle.C:
			return nil, errIdle
		}
	}
}
