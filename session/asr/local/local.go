// Package local runs an engine process beside this one and recognizes through it.
//
// Engines are C and C++, and may crash, hang or leak: in a process of their own they take nobody with them. The process
// listens on a Unix socket in a private folder, is watched, and is started again when it has died or stopped answering.
// An utterance that was with it then fails with ErrUnavailable, and so does Open until the next process is ready:
// whoever holds the audio tries again.
package local

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"steno/session/asr"
	"steno/session/asr/riva"
)

// Config says which process to run. Binary is needed; zero durations take the defaults.
type Config struct {
	// Binary is the path of the engine's program: see [FindBinary].
	Binary string
	// Args are given to it, before those that tell where to listen: --listen=unix:PATH and --exit-with-stdin.
	Args []string
	// Env is added to what the process is given of this one's environment: what programs need, and nothing that may hold
	// secrets.
	Env []string
	// Dir is where the private folder for the socket is made; empty: the system's folder for temporary files. Socket
	// paths are short by law of the system, so a long one is refused. Folders there that killed processes of the same
	// user have left are removed.
	Dir string
	// Client is how the process is spoken to; its Address is filled in.
	Client riva.Config

	StartTimeout time.Duration // from start to answering, models loaded; default 1 min
	HealthEvery  time.Duration // between two questions whether it still answers; default 2 s
	// HealthTimeout bounds the answer; after three missing ones the process is killed. Default 4 s.
	HealthTimeout time.Duration
	Grace         time.Duration // from asking it to end to killing it; default 5 s
	MinBackoff    time.Duration // before the first restart, doubled for each that did not last; default 100 ms
	MaxBackoff    time.Duration // the longest wait, and how long a process must last to be trusted again; default 5 s

	// OnLine is told of every line the process writes, one at a time, by a goroutine that waits for it; long ones are
	// cut. It may be nil.
	OnLine func(string)
	// OnEvent is told of starts and ends, one at a time, by a goroutine that waits for it; it may be nil.
	OnEvent func(Event)
}

// Event is a change in the life of the process.
type Event struct {
	Kind EventKind
	PID  int // 0: it could not be started at all
	// Took is the time from start to Ready, and that the process lasted for Exited.
	Took time.Duration
	// Err tells how it ended, Output the last of what it wrote to its standard streams. Of Exited only.
	Err    error
	Output string
	// RestartIn is the wait before the next start. Of Exited only.
	RestartIn time.Duration
}

// EventKind is Ready or Exited.
type EventKind string

const (
	// Ready says that the process takes utterances.
	Ready EventKind = "ready"
	// Exited says that it ended without being asked to, or never became ready.
	Exited EventKind = "exited"
)

// Recognizer is an [asr.Recognizer] in a process of its own.
type Recognizer struct {
	config  Config
	folder  *folder                 // private, removed by Close
	process atomic.Pointer[process] // nil while none is ready
	stop    context.CancelFunc      // ends the supervisor
	done    chan struct{}           // closed when it has ended
	close   func() error            // once
}

// Start starts the process and waits until it is ready. It fails if the first start does, or with ctx's error; later
// ctx has no influence.
func Start(ctx context.Context, c Config) (*Recognizer, error) {
	for value, otherwise := range map[*time.Duration]time.Duration{
		&c.StartTimeout: time.Minute, &c.HealthEvery: 2 * time.Second, &c.HealthTimeout: 4 * time.Second,
		&c.Grace: 5 * time.Second, &c.MinBackoff: 100 * time.Millisecond, &c.MaxBackoff: 5 * time.Second,
	} {
		if *value <= 0 {
			*value = otherwise
		}
	}
	if c.OnLine == nil {
		c.OnLine = func(string) {}
	}
	if c.OnEvent == nil {
		c.OnEvent = func(Event) {}
	}
	dir, err := newFolder(c.Dir)
	if err != nil {
		return nil, fmt.Errorf("start engine: %w", err)
	}
	lifetime, stop := context.WithCancel(context.WithoutCancel(ctx))
	r := &Recognizer{config: c, folder: dir, stop: stop, done: make(chan struct{})}
	r.close = sync.OnceValue(r.shut)
	first := make(chan error, 1)
	go r.supervise(lifetime, first)
	select {
	case err = <-first:
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("start engine: %w", errors.Join(err, r.Close()))
	}
	return r, nil
}

// Open starts an utterance. While no process is ready it returns ErrUnavailable at once.
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

// PID returns the process id of the ready process; 0 while there is none.
func (r *Recognizer) PID() int {
	if process := r.process.Load(); process != nil {
		return process.cmd.Process.Pid
	}
	return 0
}

// Close ends running utterances with ErrUnavailable, asks the process to end, kills it after the grace time, and
// returns when it is gone and its folder removed.
func (r *Recognizer) Close() error { return r.close() }

func (r *Recognizer) shut() error {
	r.stop()
	<-r.done
	if err := r.folder.remove(); err != nil {
		return fmt.Errorf("close engine: %w", err)
	}
	return nil
}
