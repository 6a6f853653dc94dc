// Package local runs an engine program as a child process and recognizes speech through it.
//
// Engines are C and C++ and may crash, hang or leak. In a process of their own they take nothing
// else with them. The process listens on a Unix socket in a private folder, is asked for its
// health, and is started again when it has died or stopped answering. Its utterances then fail with
// [asr.ErrUnavailable], and so does Open until the next process is ready; the router decides how
// long to wait for that.
//
// # Goroutines and locks
//
// Each Recognizer has one goroutine, the supervisor, which starts processes, watches them and calls
// Config.OnEvent; each process has one that waits for its end. Close waits for them. There are no
// locks: the ready process is an atomic pointer.
package local

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"steno/audio/process/confine"
	"steno/session/asr"
	"steno/session/asr/riva"
	"steno/session/asr/riva/enginepb"
)

// Config specifies which program to run. Zero durations take the defaults.
type Config struct {
	// Binary is the path of the engine's program; empty: the one that [FindBinary] finds when it is
	// to be started.
	Binary string
	// Args are passed to it, before those that state where to listen: --listen=unix:PATH and
	// --exit-with-stdin.
	Args []string
	// Env is added to the part of this process's environment that the engine inherits: see
	// [environment].
	Env []string
	// Dir is where the private folder for the socket is made; empty: the system's folder for
	// temporary files. A path too long for a socket is refused. Folders there that killed processes
	// of the same user have left are removed.
	Dir string
	// Rights are what the program may do, besides reading and running itself, reading what lies
	// beside it and what the system reports of the machine, and using the private folder; main must
	// call [confine.Enter] first. nil: whatever this process may.
	Rights *confine.Rights
	// Client is the configuration of the client of the process; its Address is filled in.
	Client riva.Config
	// Enabled reports whether the engine is of use now, such as whether a model is installed. The
	// first start waits for it; once the engine has been started it is not called any more. nil:
	// always.
	Enabled func() bool

	StartTimeout time.Duration // from start to answering, models loaded; default 3 min
	StartRetry   time.Duration // from a first start that failed to the next attempt; default 30 s
	EnabledEvery time.Duration // between two calls of Enabled; default 2 s
	HealthEvery  time.Duration // between two health checks; default 2 s
	// of an answer; after three missing ones the process is killed (see lateness); default 4 s
	HealthTimeout time.Duration
	Grace         time.Duration // from asking it to end to killing it; default 5 s
	MinBackoff    time.Duration // before the first restart, doubled for each that did not last; default 100 ms
	MaxBackoff    time.Duration // the longest wait, and how long a process must last to be trusted again; default 5 s

	// OnLine is called with each line that the process writes, one at a time, by a goroutine that
	// waits for it; long lines are cut. It may be nil.
	OnLine func(string)
	// OnEvent is called for each start and end, one at a time, by the supervisor, which waits for
	// it; it may be nil.
	OnEvent func(Event)
}

func (c *Config) setDefaults() {
	for value, otherwise := range map[*time.Duration]time.Duration{
		&c.StartTimeout: 3 * time.Minute, &c.StartRetry: 30 * time.Second, &c.EnabledEvery: 2 * time.Second,
		&c.HealthEvery: 2 * time.Second, &c.HealthTimeout: 4 * time.Second, &c.Grace: 5 * time.Second,
		&c.MinBackoff: 100 * time.Millisecond, &c.MaxBackoff: 5 * time.Second,
	} {
		if *value <= 0 {
			*value = otherwise
		}
	}
	if c.Enabled == nil {
		c.Enabled = func() bool { return true }
	}
	if c.OnLine == nil {
		c.OnLine = func(string) {}
	}
	if c.OnEvent == nil {
		c.OnEvent = func(Event) {}
	}
}

// Event is a change in the life of the process.
type Event struct {
	Kind EventKind
	PID  int // 0: the program could not be started at all
	// Took is the time from start to Ready, and the process's lifetime for Exited.
	Took time.Duration
	// Err describes how the process ended, for Exited and Failed.
	Err error
	// Output is the end of what the process wrote to its standard streams, for Exited.
	Output string
	// RestartIn is the wait before the next start, for Exited and Failed.
	RestartIn time.Duration
}

// EventKind is Ready, Exited or Failed.
type EventKind string

const (
	// Ready means that the process accepts utterances.
	Ready EventKind = "ready"
	// Exited means that a process ended unasked or never became ready, after one had been ready
	// before.
	Exited EventKind = "exited"
	// Failed means that the engine could not be started, and has never been ready so far.
	Failed EventKind = "failed"
)

// Recognizer is an [asr.Recognizer] in a process of its own. It offers the capabilities of the
// engine.
type Recognizer struct {
	asr.Delegate
	config  Config
	process atomic.Pointer[process] // nil while none is ready
	idle    atomic.Bool             // not enabled so far
	stop    context.CancelFunc      // ends the supervisor
	done    chan struct{}           // closed when it has ended
	close   func() error            // once

	// Of the supervisor, and of Close after it has ended.
	binary   string
	folder   *folder // private, removed by Close; nil before the first start
	launches int     // attempts to start the program; they number the sockets
	started  bool    // a process has been ready
}

// New returns a recognizer whose engine comes up in the background: once it is enabled, and again
// after each start that failed. Until then it is unavailable. Cancelling ctx ends the attempts to
// start it, and has no influence once the engine has been ready. The caller must call Close.
func New(ctx context.Context, c Config) *Recognizer {
	c.setDefaults()
	lifetime, stop := context.WithCancel(context.WithoutCancel(ctx))
	starting, cancel := context.WithCancel(ctx)
	r := &Recognizer{config: c, stop: func() { cancel(); stop() }, done: make(chan struct{})}
	r.Delegate = r.delegate
	r.close = sync.OnceValue(r.shut)
	r.idle.Store(!c.Enabled())
	go r.supervise(lifetime, starting)
	return r
}

// Start is New followed by waiting until the engine is ready. It fails if the first start fails, or
// with ctx's error.
func Start(ctx context.Context, c Config) (*Recognizer, error) {
	first := make(chan error, 1)
	onEvent := c.OnEvent
	c.OnEvent = func(e Event) {
		select {
		case first <- e.Err:
		default:
		}
		if onEvent != nil {
			onEvent(e)
		}
	}
	r := New(ctx, c)
	var err error
	select {
	case err = <-first:
	case <-ctx.Done():
		err = fmt.Errorf("start engine: %w", ctx.Err())
	}
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// Idle reports whether the engine has not been enabled so far.
func (r *Recognizer) Idle() bool { return r.idle.Load() }

// ready returns the client of the ready process, or ErrUnavailable.
func (r *Recognizer) ready() (*riva.Recognizer, error) {
	process := r.process.Load()
	if process == nil {
		return nil, fmt.Errorf("%w: engine process is starting", asr.ErrUnavailable)
	}
	return process.client, nil
}

// Open starts an utterance. While no process is ready it returns ErrUnavailable immediately.
func (r *Recognizer) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	client, err := r.ready()
	if err != nil {
		return nil, err
	}
	return client.Open(ctx, p)
}

// Models implements [asr.Lister] by the models of the engine. There are none while it has not been
// enabled.
func (r *Recognizer) Models(ctx context.Context) ([]asr.Model, error) {
	client, err := r.ready()
	if err != nil && r.Idle() {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return client.Models(ctx)
}

// delegate is the recognizer's [asr.Delegate]: the client of the ready process.
func (r *Recognizer) delegate(_ context.Context, try func(any) error) error {
	client, err := r.ready()
	if err != nil {
		return err
	}
	return try(client)
}

// Figures asks the process for its counts. While none is ready it returns ErrUnavailable.
func (r *Recognizer) Figures(ctx context.Context) (*enginepb.Figures, error) {
	client, err := r.ready()
	if err != nil {
		return nil, err
	}
	return client.Figures(ctx)
}

// PID returns the process id of the ready process; 0 while there is none.
func (r *Recognizer) PID() int {
	if process := r.process.Load(); process != nil {
		return process.cmd.Process.Pid
	}
	return 0
}

// Close ends running utterances with ErrUnavailable, asks the process to end, kills it after the
// grace time, and returns when it is gone and its folder removed.
func (r *Recognizer) Close() error { return r.close() }

func (r *Recognizer) shut() error {
	r.stop()
	<-r.done
	if r.folder == nil {
		return nil
	}
	if err := r.folder.remove(); err != nil {
		return fmt.Errorf("close engine: %w", err)
	}
	return nil
}
