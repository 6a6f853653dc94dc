package riva

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc"

	"steno/session/asr"
	"steno/session/asr/riva/enginepb"
	"steno/session/asr/riva/wire"
	"steno/session/panics"
)

const (
	// maxDenoised bounds a message of audio: a minute, and room to spare.
	maxDenoised = 4 << 20
	// maxPadding is how many samples more than it was sent an engine may send back, filling its last frame.
	maxPadding = asr.Rate
)

// Denoise starts a stream of audio to be freed of noise. A server without the ability is found out by the first Write,
// or by Close.
func (r *Recognizer) Denoise(ctx context.Context) (asr.DenoiseStream, error) {
	callCtx, cancel := context.WithCancelCause(ctx)
	d := &denoising{ctx: ctx, callCtx: callCtx, cancel: cancel, timeout: r.config.CallTimeout, done: make(chan struct{})}
	err := d.inTime(func() (err error) {
		d.stream, err = r.engine.Denoise(r.outgoing(callCtx), grpc.MaxCallRecvMsgSize(maxDenoised))
		return err
	})
	if err != nil {
		err = capabilityFailure(ctx, callCtx, err)
		cancel(err)
		return nil, fmt.Errorf("denoise: %w", err)
	}
	go d.read()
	return d, nil
}

// denoising is one call. A goroutine of its own receives; it ends with the call, which ends with the context or Close.
type denoising struct {
	ctx     context.Context // given to Denoise
	callCtx context.Context
	cancel  context.CancelCauseFunc
	stream  grpc.BidiStreamingClient[enginepb.Audio, enginepb.Audio]
	timeout time.Duration
	done    chan struct{} // closed when read has ended; err is then set
	err     error

	mu      sync.Mutex
	written int     // samples sent
	got     int     // samples received
	given   int     // samples returned
	ready   []int16 // received and not yet returned
}

// inTime runs a part of the call that must not take longer than the timeout.
func (d *denoising) inTime(run func() error) error {
	timer := time.AfterFunc(d.timeout, func() { d.cancel(errNoAnswer) })
	defer timer.Stop()
	return run()
}

func (d *denoising) read() {
	defer close(d.done)
	d.err = d.receive()
	d.cancel(nil)
}

// receive keeps what comes until the call ends.
func (d *denoising) receive() (err error) {
	defer panics.To(&err)
	var pcm wire.PCM
	for {
		message, err := d.stream.Recv()
		if err == nil {
			err = d.take(pcm.Samples(message.GetAudio()))
		}
		if err != nil {
			return err
		}
	}
}

// take keeps what came back, of which there can be little more than was sent.
func (d *denoising) take(samples []int16) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.got += len(samples); d.got > d.written+maxPadding {
		return errNonsense
	}
	d.ready = append(d.ready, samples...)
	return nil
}

func (d *denoising) Write(samples []int16) ([]int16, error) {
	d.mu.Lock()
	d.written += len(samples)
	d.mu.Unlock()
	err := d.inTime(func() error {
		for chunk := range slices.Chunk(samples, chunkSamples) {
			if err := d.stream.Send(&enginepb.Audio{Audio: wire.Bytes(chunk)}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		d.cancel(nil)
		<-d.done
		return nil, d.failure()
	}
	return d.give(), nil
}

// give returns what is ready, all in all no more than was written.
func (d *denoising) give() []int16 {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := min(len(d.ready), d.written-d.given)
	ready := d.ready[:n:n]
	d.ready = d.ready[n:]
	d.given += n
	return ready
}

func (d *denoising) Close() ([]int16, error) {
	_ = d.inTime(func() error {
		_ = d.stream.CloseSend() // what is wrong is told by receiving
		<-d.done
		return nil
	})
	if !errors.Is(d.err, io.EOF) {
		return nil, d.failure()
	}
	return d.give(), nil
}

// failure tells why the call ended; read has ended.
func (d *denoising) failure() error {
	switch {
	case d.ctx.Err() != nil:
		return d.ctx.Err()
	case errors.Is(d.err, errNonsense):
		return fmt.Errorf("denoise: %w", d.err)
	case errors.Is(context.Cause(d.callCtx), errNoAnswer):
		return fmt.Errorf("denoise: %w", errNoAnswer)
	case errors.Is(d.err, io.EOF):
		return fmt.Errorf("denoise: %w: the engine ended the call early", asr.ErrUnavailable)
	}
	return fmt.Errorf("denoise: %w", capabilityFailure(d.ctx, d.ctx, d.err))
}
