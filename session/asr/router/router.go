// Package router takes utterances to engines: by the model of the API that was asked for, by language, and by which
// engines are there.
//
// A plan orders the engines of a model. The first that has the language is meant; where it stays away longer than a
// caller may be kept waiting, the next one stands in and the results say so. While it is away for a shorter time
// everybody waits for it, so that the same audio is decoded by the same engine. Where the language is not told, an
// engine that tells languages apart decodes; else the language is identified from the first seconds of the utterance.
//
// The router asks nobody on its own account. What engines can do is asked when somebody wants to know and the last
// answer is old; whether an engine that was away is back is found out by the utterances that would go there.
//
// Goroutines of its own run while an engine is asked what it can do, and while an utterance waits for its language and
// an engine. Everything else is done by the callers'.
package router

import (
	"context"
	"sync"
	"time"

	"steno/session/asr"
)

// Config says what there is. Zero durations take the defaults.
type Config struct {
	// Engines in order of preference for everything but utterances: see [Router].
	Engines []Engine
	// Plans by the API's name of a model.
	Plans map[string]Plan
	// Languages are all codes of the API: what an engine is taken to have that does not tell. Empty: such an engine
	// takes any code, and adds none to lists.
	Languages []string
	// Patience is how long an engine may be away before live speech goes to the next one; default 1 s.
	Patience time.Duration
	// ReplayPatience is the same for recordings; default 10 s.
	ReplayPatience time.Duration
	// Refresh is how old what engines told of their models may be; default 5 s.
	Refresh time.Duration
}

// Engine is a recognizer under a name.
type Engine struct {
	Name       string
	Recognizer asr.Recognizer
	// Languages are what it may be used for; empty: all it tells to have (as an [asr.Lister]), or everything if it does
	// not tell.
	Languages []string
}

// Plan says which engines decode for a model of the API.
type Plan struct {
	// Engines are names in order of preference: the first that has the language is meant, the others stand in.
	Engines []string
	// ByLanguage replaces Engines for single languages.
	ByLanguage map[string][]string
	// Default is the language where none is told and none can be found out; empty: "en" if there is, else the first.
	Default string
	// Only are the languages the model has at most; empty: all.
	Only []string
}

// Router holds the engines. Its methods may be called from any goroutine.
//
// It offers the capabilities of its engines, by the first engine that has one.
type Router struct {
	asr.Delegate
	engines []*engine
	plans   map[string]*plan

	life  context.Context // of its own goroutines
	stop  context.CancelFunc
	mu    sync.Mutex // guards starting work against Close
	shut  bool
	tasks sync.WaitGroup
}

// New returns a router. It fails for plans that name engines there are none of, and for names given twice.
func New(c Config) (*Router, error) {
	if err := check(c); err != nil {
		return nil, err
	}
	r := &Router{plans: make(map[string]*plan)}
	r.Delegate = r.delegate
	r.life, r.stop = context.WithCancel(context.Background())
	byName := make(map[string]*engine)
	for _, e := range c.Engines {
		engine := newEngine(r, e, c)
		r.engines = append(r.engines, engine)
		byName[e.Name] = engine
	}
	for model, p := range c.Plans {
		r.plans[model] = newPlan(r, p, c, byName)
	}
	for _, e := range r.engines {
		e.catalog.refresh() // so that the first utterance need not wait for it
	}
	return r, nil
}

// For returns the recognizer of a model of the API, which stays the same while engines come and go. For a model
// without a plan it refuses every utterance with [asr.ErrLanguage].
func (r *Router) For(model string) asr.Recognizer {
	if p := r.plans[model]; p != nil {
		return p
	}
	return unplanned{}
}

// unplanned is the recognizer of models without a plan.
type unplanned struct{}

func (unplanned) Open(ctx context.Context, _ asr.Params) (asr.Stream, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return nil, asr.ErrLanguage
}

// Close ends the router's own goroutines. Utterances that wait for their language fail with [asr.ErrUnavailable];
// those that are with an engine are the engine's, and engines are the caller's.
func (r *Router) Close() error {
	r.mu.Lock()
	r.shut = true
	r.mu.Unlock()
	r.stop()
	r.tasks.Wait()
	return nil
}

// spawn runs a task that ends when the router's life does. It tells whether the router is still there to do so.
func (r *Router) spawn(task func()) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.shut {
		return false
	}
	r.tasks.Go(task)
	return true
}
