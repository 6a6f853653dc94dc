package local

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"
)

// maxMissed is how many health checks in a row may fail before the process counts as hung.
const maxMissed = 3

var errHung = errors.New("stopped answering, killed")

// supervise keeps a process running until ctx ends. first is told how the first start went; if badly, that is all.
//
// It stays on one thread for good: the system ties a child's parent-death signal to the thread that started it.
func (r *Recognizer) supervise(ctx context.Context, first chan<- error) {
	defer close(r.done)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	ready := func(e Event) {
		if first != nil {
			first <- nil
			first = nil
		}
		r.config.OnEvent(e)
	}
	backoff := r.config.MinBackoff
	for generation := 1; ; generation++ {
		e := r.run(ctx, generation, ready)
		if first != nil && ctx.Err() == nil {
			first <- e.failure()
			return
		}
		if e.Took > r.config.MaxBackoff {
			backoff = r.config.MinBackoff
		}
		if ctx.Err() != nil {
			return
		}
		e.RestartIn = backoff
		r.config.OnEvent(e)
		if !sleep(ctx, backoff) {
			return
		}
		backoff = min(2*backoff, r.config.MaxBackoff)
	}
}

// failure puts an Exited event into an error.
func (e Event) failure() error {
	if e.Output == "" {
		return e.Err
	}
	return fmt.Errorf("%w; it wrote: %s", e.Err, e.Output)
}

func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// run has one process live its life and returns its Exited event.
func (r *Recognizer) run(ctx context.Context, generation int, ready func(Event)) Event {
	begin := time.Now()
	p, err := r.launch(generation)
	if err != nil {
		return Event{Kind: Exited, Err: err}
	}
	err = p.waitReady(ctx, r.config.StartTimeout)
	if err == nil {
		r.process.Store(p)
		ready(Event{Kind: Ready, PID: p.cmd.Process.Pid, Took: time.Since(begin)})
		err = r.watch(ctx, p)
		r.process.Store(nil)
	}
	p.end(r.config.Grace, ctx.Err() != nil)
	if errors.Is(err, errExited) && p.err != nil {
		err = fmt.Errorf("%w: %w", err, p.err)
	}
	return Event{
		Kind: Exited, PID: p.cmd.Process.Pid, Took: time.Since(begin), Err: err, Output: p.output.String(),
	}
}

// watch returns when the process has ended, hangs, or is no longer wanted.
func (r *Recognizer) watch(ctx context.Context, p *process) error {
	ticker := time.NewTicker(r.config.HealthEvery)
	defer ticker.Stop()
	for missed := 0; missed < maxMissed; {
		select {
		case <-p.exited:
			return errExited
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
		if err := p.healthy(ctx, r.config.HealthTimeout, false); err != nil {
			missed++
		} else {
			missed = 0
		}
	}
	return errHung
}
