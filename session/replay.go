package session

import (
	"context"
	"errors"
	"fmt"
	"io"

	"steno/messages"
)

// Replay runs a recording of the request's format through a session of its own, as fast as
// possible, and returns the result. It replaces the ledger of the configuration with one in memory.
// Errors are those of the session, of reading, or ctx's.
func Replay(ctx context.Context, c Config, from io.Reader) (messages.LiveResult, error) {
	var none messages.LiveResult
	ledger := Memory{NoAudio: true}
	c.Ledger, c.bodiless = &ledger, len(c.Sinks) == 0
	s, err := Open(ctx, c)
	if err != nil {
		return none, fmt.Errorf("open session: %w", err)
	}
	defer s.Abandon()
	defer context.AfterFunc(ctx, s.Abandon)()
	if err := s.writeAll(ctx, from); err != nil {
		return none, errors.Join(ctx.Err(), err)
	}
	<-s.Done()
	if err := errors.Join(ctx.Err(), s.Err()); err != nil {
		return none, err
	}
	outcome := ledger.Outcome()
	if outcome == nil {
		return none, errors.New("session has no outcome")
	}
	return outcome.Result, nil
}

// writeAll writes everything to the session and stops it.
func (s *Session) writeAll(ctx context.Context, from io.Reader) error {
	buf := make([]byte, 64<<10)
	for {
		n, readErr := from.Read(buf)
		if n > 0 {
			if err := s.Write(ctx, buf[:n]); err != nil {
				return err
			}
		}
		if errors.Is(readErr, io.EOF) {
			return s.Stop(ctx, false)
		}
		if readErr != nil {
			return fmt.Errorf("read recording: %w", readErr)
		}
	}
}
