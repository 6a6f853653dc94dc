package rivaserver_test

import (
	"context"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"steno/session/asr"
	"steno/session/asr/riva/rivapb"
	"steno/session/asr/rivaserver"
)

// slowRecognizer takes an hour for whatever it is asked to do.
type slowRecognizer struct{}

func (slowRecognizer) Open(ctx context.Context, _ asr.Params) (asr.Stream, error) {
	time.Sleep(time.Hour)
	return slowStream{ctx, make(chan struct{})}, nil
}

type slowStream struct {
	ctx   context.Context
	ended chan struct{}
}

func (s slowStream) Write([]int16) error {
	time.Sleep(time.Hour)
	return s.ctx.Err()
}
func (s slowStream) Pause() error { return nil }

func (s slowStream) End() error {
	close(s.ended)
	return nil
}

func (s slowStream) Recv() (asr.Result, error) {
	select {
	case <-s.ended:
		time.Sleep(time.Hour)
	case <-s.ctx.Done():
	}
	return asr.Result{Final: true}, s.ctx.Err()
}

// scriptedCall is a call whose client sends some messages, each as soon as it is taken, and ends.
type scriptedCall struct {
	grpc.ServerStream
	ctx      context.Context
	requests []*rivapb.StreamingRecognizeRequest
	answers  int
}

func (c *scriptedCall) Context() context.Context     { return c.ctx }
func (c *scriptedCall) SendHeader(metadata.MD) error { return nil }

func (c *scriptedCall) Recv() (*rivapb.StreamingRecognizeRequest, error) {
	if len(c.requests) == 0 {
		return nil, io.EOF
	}
	request := c.requests[0]
	c.requests = c.requests[1:]
	return request, nil
}

func (c *scriptedCall) Send(*rivapb.StreamingRecognizeResponse) error {
	c.answers++
	return nil
}

// A call is idle while its client sends nothing, not while the recognizer works on what was sent.
func TestSlowRecognizerIsNotIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := rivaserver.New(rivaserver.Config{Recognizer: slowRecognizer{}, Name: "slow", Idle: time.Minute})
		c := &scriptedCall{ctx: t.Context(), requests: []*rivapb.StreamingRecognizeRequest{
			config(asr.Params{}, "en-US"), audioMessage(make([]byte, 3200)), audioMessage(make([]byte, 3200)),
		}}
		if err := s.StreamingRecognize(c); err != nil || c.answers != 1 {
			t.Errorf("%v after %d answers", err, c.answers)
		}
	})
}
