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

// stream is a stream of a server's, which reports its outcome to the pool.
type stream struct {
	call    asr.Stream
	pool    *Recognizer
	server  *server
	epoch   int             // of the server when it got the utterance
	ctx     context.Context // given to Open
	callCtx context.Context
	cancel  context.CancelFunc
	release func() bool // stops watching ctx
	lost    atomic.Bool // the pool has lost the server
}

func newStream(ctx context.Context, r *Recognizer) *stream {
	u := &stream{pool: r, ctx: ctx}
	u.callCtx, u.cancel = context.WithCancel(ctx)
	return u
}

// begin opens the utterance on its server. After an error it has left the server.
func (s *stream) begin(p asr.Params) (err error) {
	if s.call, err = s.server.client.Open(s.callCtx, p); err != nil {
		err = s.cause(err)
		s.pool.leave(s, err)
		s.cancel()
		return err
	}
	s.release = context.AfterFunc(s.ctx, func() { s.pool.leave(s, s.ctx.Err()) })
	return nil
}

func (s *stream) lose() {
	s.lost.Store(true)
	s.cancel()
}

// cause returns ErrUnavailable for an utterance whose server the pool has lost, and err for one
// that its owner cancelled.
func (s *stream) cause(err error) error {
	if err != nil && !errors.Is(err, io.EOF) && s.lost.Load() && s.ctx.Err() == nil {
		return errLost
	}
	return err
}

func (s *stream) Write(samples []int16) error { return s.cause(s.call.Write(samples)) }
func (s *stream) Pause() error                { return s.cause(s.call.Pause()) }
func (s *stream) End() error                  { return s.cause(s.call.End()) }

// Tentative implements [asr.Cutter].
func (s *stream) Tentative(n int) error { return s.cause(asr.Tentative(s.call, n)) }

// Cut implements [asr.Cutter].
func (s *stream) Cut(n int) error { return s.cause(asr.Cut(s.call, n)) }

// Follow implements [asr.Follower].
func (s *stream) Follow(samples []int16) error { return s.cause(asr.Follow(s.call, samples)) }

func (s *stream) Recv() (asr.Result, error) {
	result, err := s.call.Recv()
	if err == nil && !result.Final {
		return result, nil
	}
	err = s.cause(err)
	s.release()
	s.pool.leave(s, err)
	s.cancel()
	return result, err
}
