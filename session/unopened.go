package session

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"steno/messages"
)

// EndUnopened ends a session that was never opened as a failure, for the reason why. It logs
// start_session, the error and end_session, delivers them to the configuration's sinks, and has the
// ledger keep the outcome before end_session. Of the configuration it uses ID, Ledger and Sinks. It
// may be called again after an error, or after the process died before the outcome was kept:
// nothing is logged twice.
func EndUnopened(ctx context.Context, c Config, why messages.AddonError) (err error) {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	out := newEmitter(&c)
	out.listen()
	var delivery sync.WaitGroup
	delivery.Go(func() {
		out.run(ctx, func(err error) {
			if err != nil {
				end(err)
			}
		})
	})
	c.Ledger.Notify(out.notify)
	defer func() {
		c.Ledger.Notify(nil)
		end(nil)
		delivery.Wait()
		out.end()
	}()
	failure := messages.Failure{AddonError: why}
	err = cmp.Or(out.log(ctx, messages.StartSession{}), out.log(ctx, failure), out.settle(ctx))
	if err != nil {
		return err
	}
	if err := c.Ledger.Finish(ctx, Outcome{Failure: &Failure{Message: why.Message}}); err != nil {
		return fmt.Errorf("keep outcome: %w", err)
	}
	return cmp.Or(out.log(ctx, messages.EndSession{ErrorCode: why.StatusCode}), out.settle(ctx))
}

// log emits a message of a kind that a session has once.
func (e *emitter) log(ctx context.Context, m messages.Message) error {
	_, err := e.emit(ctx, messages.KeyOf(m), m, noCheckpoint)
	return err
}
