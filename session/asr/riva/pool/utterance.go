package pool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"steno/session/asr"
)

var errLost = fmt.Errorf("%w: server stopped answering", asr.ErrUnavailable)

// utterance is one of a server's, whose fate is told to the pool.
type utterance struct {
	call    asr.Utterance
	pool    *Recognizer
	server  *server
	epoch   int             // of the server, when it got the utterance
	ctx     context.Context // given to Open
	callCtx context.Context
	cancel  context.CancelFunc
	release func() bool // forgets to watch ctx
	lost    atomic.Bool // the pool gave the server up
}

func newUtterance(ctx context.Context, r *Recognizer) *utterance {
	u := &utterance{pool: r, ctx: ctx}
	u.callCtx, u.cancel = context.WithCancel(ctx)
	return u
}

// begin opens the utterance on its server. After an error it has left.
func (u *utterance) begin(p asr.Params) (err error) {
	if u.call, err = u.server.client.Open(u.callCtx, p); err != nil {
		err = u.cause(err)
		u.pool.leave(u, err)
		u.cancel()
		return err
	}
	u.release = context.AfterFunc(u.ctx, func() { u.pool.leave(u, u.ctx.Err()) })
	return nil
}

func (u *utterance) lose() {
	u.lost.Store(true)
	u.cancel()
}

// cause tells an utterance lost by the pool from one that its owner cancelled.
func (u *utterance) cause(err error) error {
	if err != nil && !errors.Is(err, io.EOF) && u.lost.Load() && u.ctx.Err() == nil {
		return errLost
	}
	return err
}

func (u *utterance) Write(samples []int16) error { return u.cause(u.call.Write(samples)) }
func (u *utterance) Pause() error                { return u.cause(u.call.Pause()) }
func (u *utterance) End() error                  { return u.cause(u.call.End()) }

func (u *utterance) Recv() (asr.Result, error) {
	result, err := u.call.Recv()
	if err == nil && !result.Final {
		return result, nil
	}
	err = u.cause(err)
	u.release()
	u.pool.leave(u, err)
	u.cancel()
	return result, err
}
