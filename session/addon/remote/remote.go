// Package remote calls servers outside on behalf of add-ons: a few requests at a time, the urgent
// ones first, with bounds on time and size, and again where that may help.
//
// A call runs on its caller's goroutine; the package starts none. Close ends the calls under way
// and waits for them.
package remote

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"steno/session/httpclient"
	"steno/session/retry"
	"steno/session/semaphore"
)

// Config bounds the calls. Service is needed; zero values take the defaults.
type Config struct {
	// Service is how clients know the server, such as "language model": errors name it.
	Service string
	// Client makes the requests; nil: one of its own. Redirects are never followed.
	Client *http.Client

	Concurrency int           // requests at a time; default 4
	Queue       int           // calls waiting for their request; default 1024
	Attempts    int           // requests for one call, at most; default 3
	Timeout     time.Duration // of one request; default 1 min
	Budget      time.Duration // of one call, with its waiting; default 5 min
	MinBackoff  time.Duration // before the second request, doubled for each further one; default 500 ms
	MaxBackoff  time.Duration // the longest wait before another request; default 30 s
	MaxAnswer   int64         // bytes of an answer; default 4 MiB
}

// Caller makes the calls to one server. Its methods may be called from any goroutine.
type Caller struct {
	config Config
	client *httpclient.Client
	slots  *semaphore.Semaphore

	lifetime context.Context // ends with Close
	stop     context.CancelFunc
	mu       sync.Mutex
	closed   bool
	calls    sync.WaitGroup // begun under mu while not closed
}

// New returns a caller. The server is not asked.
func New(c Config) *Caller {
	setDefaults(&c)
	r := &Caller{
		config: c, client: httpclient.New(c.Client, c.Concurrency),
		slots: semaphore.New(int64(c.Concurrency), 0, c.Queue),
	}
	r.lifetime, r.stop = context.WithCancel(context.Background())
	return r
}

func setDefaults(c *Config) {
	for value, otherwise := range map[*time.Duration]time.Duration{
		&c.Timeout: time.Minute, &c.Budget: 5 * time.Minute, &c.MinBackoff: 500 * time.Millisecond,
		&c.MaxBackoff: 30 * time.Second,
	} {
		if *value <= 0 {
			*value = otherwise
		}
	}
	for value, otherwise := range map[*int]int{&c.Concurrency: 4, &c.Queue: 1024, &c.Attempts: 3} {
		if *value <= 0 {
			*value = otherwise
		}
	}
	if c.MaxAnswer <= 0 {
		c.MaxAnswer = 4 << 20
	}
}

// Concurrency is how many requests are made at a time.
func (r *Caller) Concurrency() int { return r.config.Concurrency }

// Close ends the calls under way and returns when they have.
func (r *Caller) Close() error {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.stop()
	r.calls.Wait()
	r.client.Close()
	return nil
}

// Call runs attempt, which makes one request by [Caller.Do], until it succeeds, another attempt
// would be useless, or there were enough. [WithPriority] decides which of the waiting calls goes
// first. Errors are an [*Error], or the cause of the context's end where it was cancelled.
func (r *Caller) Call(ctx context.Context, attempt func(ctx context.Context) error) error {
	if !r.begin() {
		return r.Fault(http.StatusServiceUnavailable, "Closed", "is being shut down", nil)
	}
	defer r.calls.Done()
	ctx, cancel := context.WithTimeout(ctx, r.config.Budget)
	defer cancel()
	defer context.AfterFunc(r.lifetime, cancel)()
	err := r.attempts(ctx, attempt)
	switch {
	case err == nil:
		return nil
	case r.lifetime.Err() != nil:
		return r.Fault(http.StatusServiceUnavailable, "Closed", "is being shut down", nil)
	case ctx.Err() == context.Canceled:
		return context.Cause(ctx)
	case ctx.Err() != nil:
		return r.Fault(http.StatusGatewayTimeout, "Timeout", "took too long", err)
	}
	return err
}

func (r *Caller) begin() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	r.calls.Add(1)
	return true
}

// attempts holds a slot while an attempt is made, not between two.
func (r *Caller) attempts(ctx context.Context, attempt func(ctx context.Context) error) error {
	pauses := retry.Backoff{First: r.config.MinBackoff, Longest: r.config.MaxBackoff}
	for n := 1; ; n++ {
		err := r.once(ctx, attempt)
		again, asked := helps(err)
		wait := max(pauses.Next(), asked)
		deadline, _ := ctx.Deadline()
		if !again || n == r.config.Attempts || wait > r.config.MaxBackoff || time.Until(deadline) <= wait {
			return err
		}
		if err := retry.Sleep(ctx, wait); err != nil {
			return err
		}
	}
}

func (r *Caller) once(ctx context.Context, attempt func(ctx context.Context) error) error {
	switch err := r.slots.AcquireIn(ctx, int(priorityOf(ctx)), "", 1); {
	case errors.Is(err, semaphore.ErrFull):
		return r.Fault(http.StatusServiceUnavailable, "Overloaded", "has too much to do", nil)
	case err != nil:
		return err
	}
	defer r.slots.Release("", 1)
	ctx, cancel := context.WithTimeout(ctx, r.config.Timeout)
	defer cancel()
	return attempt(ctx)
}
