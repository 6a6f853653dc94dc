package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"steno/session/filelock"
	"steno/session/retry"
)

// maxMissed is how many health checks in a row may fail before the process counts as hung.
const maxMissed = 3

// lateness is how much longer than its timeout a check may take and still count. A later one shows
// that this process did not get a processor, so that an answer may have arrived unseen. A gateway
// to which all its clients reconnect at the same time must not end its engine.
const lateness = 500 * time.Millisecond

var errHung = errors.New("stopped answering, killed")

// supervise brings the engine up, and keeps a process running until ctx ends. Until a process has
// been ready the end of starting ends it too.
//
// It stays on one thread for good: the system ties a child's parent-death signal to the thread that
// started it.
func (r *Recognizer) supervise(ctx, starting context.Context) {
	defer close(r.done)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if e, ok := r.bringUp(ctx, starting); ok {
		r.keepUp(ctx, e)
	}
}

// bringUp starts the engine until a process has been ready, and returns how that process ended. It
// returns false if starting ends before.
func (r *Recognizer) bringUp(ctx, starting context.Context) (Event, bool) {
	for {
		for !r.config.Enabled() {
			if retry.Sleep(starting, r.config.EnabledEvery) != nil {
				return Event{}, false
			}
		}
		r.idle.Store(false)
		e := r.prepare()
		if e.Err == nil {
			e = r.run(ctx, starting)
		}
		if r.started {
			return e, true
		}
		if starting.Err() != nil {
			return Event{}, false
		}
		e.Kind, e.RestartIn, e.Err = Failed, r.config.StartRetry, fmt.Errorf("start engine: %w", e.failure())
		r.config.OnEvent(e)
		if retry.Sleep(starting, e.RestartIn) != nil {
			return Event{}, false
		}
	}
}

// keepUp starts a process again whenever one has ended, until ctx ends.
func (r *Recognizer) keepUp(ctx context.Context, e Event) {
	pauses := retry.Backoff{First: r.config.MinBackoff, Longest: r.config.MaxBackoff}
	for {
		if e.Took > r.config.MaxBackoff {
			pauses.Reset()
		}
		if ctx.Err() != nil {
			return
		}
		e.RestartIn = pauses.Next()
		r.config.OnEvent(e)
		if retry.Sleep(ctx, e.RestartIn) != nil {
			return
		}
		e = r.run(ctx, ctx)
	}
}

// prepare finds the program.
func (r *Recognizer) prepare() (e Event) {
	if r.binary = r.config.Binary; r.binary == "" {
		r.binary, e.Err = FindBinary(Program)
	}
	return e
}

// keepFolder makes the private folder that a start needs: at first, and where something has removed
// the one before, as programs do that tidy up temporary files.
func (r *Recognizer) keepFolder() (err error) {
	if r.folder != nil {
		if r.folder.locked(os.Stat(filepath.Join(r.folder.path, lockName))) {
			return nil
		}
		_ = os.Remove(r.folder.path) // if only the lock is gone; otherwise it may be another's
		_ = filelock.Close(r.folder.lock)
	}
	r.folder, err = newFolder(r.config.Dir)
	return err
}

// failure returns the error of an Exited event, with the output.
func (e Event) failure() error {
	if e.Output == "" {
		return e.Err
	}
	return fmt.Errorf("%w; it wrote: %s", e.Err, e.Output)
}

// run starts one process, watches it, and returns its Exited event. The end of starting ends it
// before it is ready, that of ctx at any time.
func (r *Recognizer) run(ctx, starting context.Context) Event {
	begin := time.Now()
	p, err := r.launch()
	if err != nil {
		return Event{Kind: Exited, Err: err}
	}
	err = p.waitReady(starting, r.config.StartTimeout)
	if err == nil {
		r.process.Store(p)
		r.started, starting = true, ctx
		r.config.OnEvent(Event{Kind: Ready, PID: p.cmd.Process.Pid, Took: time.Since(begin)})
		err = r.watch(ctx, p)
		r.process.Store(nil)
	}
	p.end(r.config.Grace, starting.Err() != nil)
	if errors.Is(err, errExited) && p.err != nil {
		err = fmt.Errorf("%w: %w", err, p.err)
	}
	return Event{
		Kind: Exited, PID: p.cmd.Process.Pid, Took: time.Since(begin), Err: err, Output: p.output.String(),
	}
}

// watch returns when the process has ended or hangs, or ctx ends.
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
		began := time.Now()
		err := p.healthy(ctx, r.config.HealthTimeout, false)
		missed = count(missed, err, time.Since(began), r.config.HealthTimeout)
	}
	return errHung
}

// count returns how many checks have failed in a row, after one more that took so long.
func count(missed int, err error, took, timeout time.Duration) int {
	switch {
	case err == nil:
		return 0
	case took > timeout+lateness:
		return missed
	}
	return missed + 1
}
