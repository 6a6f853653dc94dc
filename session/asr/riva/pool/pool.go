// Package pool recognizes speech on several servers with the Riva ASR interface, as if they were
// one.
//
// All servers are assumed to have the same models. An utterance goes to the server with the fewest
// open, in turn among equals. A server that fails, or whose health service reports that it does, is
// excluded: it gets no utterances for a while, longer with each failure, and only once it is
// healthy again. A server that leaves several health checks in a row unanswered loses its
// utterances: they fail with ErrUnavailable, and the session feeds their audio again.
//
// Each server has one goroutine, which checks its health and alone readmits it; Close waits for
// them. The pool's lock guards the state of all servers. Nothing is called with it held.
package pool

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"steno/session/asr"
	"steno/session/asr/riva"
)

// Config specifies which servers to use and how. Addresses are needed; zero durations take the
// defaults.
type Config struct {
	// Addresses of the servers, each as [riva.Config] has it.
	Addresses []string
	// Client is the configuration of the servers' clients; its Address is filled in.
	Client riva.Config

	HealthEvery   time.Duration // between two health checks; default 5 s
	HealthTimeout time.Duration // of an answer; default 3 s
	// how long a server is excluded after a failure, doubled by each further one; default 250 ms
	MinBackoff time.Duration
	MaxBackoff time.Duration // the longest; default 10 s

	// OnChange is called when a server is excluded and when it is back. Each server's goroutine
	// calls it, so several may at the same time. It may be nil.
	OnChange func(Change)
}

// Change reports that a server was excluded or is back.
type Change struct {
	Address string
	Up      bool
	Err     error         // why it was excluded; nil if Up
	Wait    time.Duration // until the next health check; 0 if Up
}

// State is the state of a server.
type State struct {
	Address  string
	Up       bool
	Open     int   // its utterances
	Failures int64 // how often it was excluded since the start
	Err      error // of the latest failure; nil if none
}

// Recognizer is an [asr.Recognizer] over several servers. It offers their capabilities.
type Recognizer struct {
	asr.Delegate
	config Config
	stop   context.CancelFunc
	tasks  sync.WaitGroup
	close  func() error // once

	mu      sync.Mutex
	closed  bool
	servers []*server
	turn    int // the next server among those with equally many utterances
}

// New returns a recognizer and starts the health checks. It fails for a bad configuration only.
func New(c Config) (*Recognizer, error) {
	if len(c.Addresses) == 0 {
		return nil, errors.New("pool of recognizers: no addresses")
	}
	setDefaults(&c)
	ctx, stop := context.WithCancel(context.Background())
	r := &Recognizer{config: c, stop: stop}
	r.Delegate = r.delegate
	r.close = sync.OnceValue(r.shut)
	for i, address := range c.Addresses {
		client := c.Client
		client.Address = address
		dialled, err := riva.Dial(client)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("pool of recognizers: address %d: %w", i+1, err), r.Close())
		}
		r.servers = append(r.servers, &server{
			address: address, client: dialled, failed: make(chan struct{}, 1), open: map[*stream]struct{}{},
		})
	}
	for _, s := range r.servers {
		r.tasks.Go(func() { r.watch(ctx, s) })
	}
	return r, nil
}

func setDefaults(c *Config) {
	for value, otherwise := range map[*time.Duration]time.Duration{
		&c.HealthEvery: 5 * time.Second, &c.HealthTimeout: 3 * time.Second,
		&c.MinBackoff: 250 * time.Millisecond, &c.MaxBackoff: 10 * time.Second,
		&c.Client.MaxBackoff: time.Second, // of the connection: a server that is back shall be found soon
	} {
		if *value <= 0 {
			*value = otherwise
		}
	}
	if c.OnChange == nil {
		c.OnChange = func(Change) {}
	}
}

// Close ends running utterances with ErrUnavailable and closes the connections.
func (r *Recognizer) Close() error { return r.close() }

func (r *Recognizer) shut() error {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.stop()
	r.tasks.Wait()
	var errs []error
	for _, s := range r.servers {
		errs = append(errs, s.client.Close())
	}
	return errors.Join(errs...)
}

// maxTries bounds the servers asked for one utterance.
const maxTries = 3

// Open starts an utterance. Where a server refuses for another reason than the language the next is
// asked immediately, three at most: a permanent refusal may be that of one server alone. Where all
// are excluded Open returns ErrUnavailable without asking. Params.Attempt passes over as many
// servers.
func (r *Recognizer) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var tried []*server
	err := r.Ready()
	for skip := p.Attempt; len(tried) < maxTries; skip = 0 {
		u := newStream(ctx, r)
		s := r.take(u, tried, skip)
		if s == nil {
			u.cancel()
			break
		}
		if err = u.begin(p); err == nil {
			return u, nil
		}
		if decisive(ctx, err) {
			return nil, err
		}
		tried = append(tried, s)
	}
	if err == nil {
		err = asr.ErrUnavailable // the last server went just now
	}
	return nil, err
}

// decisive reports whether no other server would answer otherwise.
func decisive(ctx context.Context, err error) bool {
	return err == nil || errors.Is(err, asr.ErrLanguage) || ctx.Err() != nil
}

// Ready returns ErrUnavailable, with the latest reason, while no server is there for utterances.
func (r *Recognizer) Ready() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return fmt.Errorf("%w: closed", asr.ErrUnavailable)
	}
	var latest *server
	for _, s := range r.servers {
		if s.up() {
			return nil
		}
		if latest == nil || s.until.After(latest.until) {
			latest = s
		}
	}
	return fmt.Errorf("%w: no server of %d is there; %s: %v", asr.ErrUnavailable, len(r.servers), latest.address,
		latest.err)
}

// Servers returns the states of the servers, in the order of their addresses.
func (r *Recognizer) Servers() []State {
	r.mu.Lock()
	defer r.mu.Unlock()
	states := make([]State, len(r.servers))
	for i, s := range r.servers {
		states[i] = State{Address: s.address, Up: s.up(), Open: len(s.open), Failures: s.failures, Err: s.err}
	}
	return states
}
