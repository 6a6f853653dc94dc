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

	"steno/audio"
	"steno/session/asr"
	"steno/session/asr/riva/enginepb"
	"steno/session/asr/riva/wire"
	"steno/session/panics"
)

const (
	// maxDenoised bounds a message of audio: a minute, and some more.
	maxDenoised = 4 << 20
	// maxPadding is how many samples more than it was sent an engine may return, to fill its last
	// frame.
	maxPadding = asr.Rate
)

// Denoise implements [asr.Denoiser]. If the server is without the capability, the first Write or
// Close fails.
func (r *Recognizer) Denoise(ctx context.Context) (asr.DenoiseStream, error) {
	callCtx, cancel := context.WithCancelCause(ctx)
	d := &denoiseStream{ctx: ctx, callCtx: callCtx, cancel: cancel, timeout: r.config.CallTimeout,
		done: make(chan struct{})}
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

// denoiseStream is one call. It has a goroutine that receives, which ends with the call; the call
// ends with the context or Close.
type denoiseStream struct {
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

// inTime runs a part of the call and cancels the call if that takes longer than the timeout.
func (d *denoiseStream) inTime(run func() error) error {
	timer := time.AfterFunc(d.timeout, func() { d.cancel(errNoAnswer) })
	defer timer.Stop()
	return run()
}

func (d *denoiseStream) read() {
	defer close(d.done)
	d.err = d.receive()
	d.cancel(nil)
}

// receive buffers audio until the call ends.
func (d *denoiseStream) receive() (err error) {
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

// take buffers received audio. There can be little more of it than was sent.
func (d *denoiseStream) take(samples []int16) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.got += len(samples); d.got > d.written+maxPadding {
		return errNonsense
	}
	d.ready = append(d.ready, samples...)
	return nil
}

func (d *denoiseStream) Write(samples []int16) ([]int16, error) {
	d.mu.Lock()
	d.written += len(samples)
	d.mu.Unlock()
	err := d.inTime(func() error {
		for chunk := range slices.Chunk(samples, chunkSamples) {
			if err := d.stream.Send(&enginepb.Audio{Audio: audio.AppendPCM(nil, chunk)}); err != nil {
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
	return d.buffered(), nil
}

// buffered returns the buffered audio, in total no more than was written.
func (d *denoiseStream) buffered() []int16 {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := min(len(d.ready), d.written-d.given)
	ready := d.ready[:n:n]
	d.ready = d.ready[n:]
	d.given += n
	return ready
}

func (d *denoiseStream) Close() ([]int16, error) {
	_ = d.inTime(func() error {
		_ = d.stream.CloseSend() // receiving returns why it failed
		<-d.done
		return nil
	})
	if !errors.Is(d.err, io.EOF) {
		return nil, d.failure()
	}
	return d.buffered(), nil
}

// failure returns why the call ended. read must have ended.
func (d *denoiseStream) failure() error {
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
