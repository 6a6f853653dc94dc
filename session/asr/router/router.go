// Package router chooses an engine for each utterance: by the model of the API, by language, and by
// which engines are present.
//
// A plan orders the engines of a model. The first that has the language is the preferred one. If it
// has been away for longer than the patience, the next one is the fallback, and results state so.
// Until then utterances wait for it, so that the same audio is decoded by the same engine. Where
// the language is unknown, an engine decodes that detects languages; else the language is
// identified from the first seconds of the utterance.
//
// The router asks engines for nothing on its own account. It asks what models they have when a
// caller needs to know and the last answer is old; whether an engine is back shows in the
// utterances that would go there.
//
// # Goroutines and locks
//
// The router runs a goroutine while it asks an engine for its models, and one for each utterance
// that waits for its language and an engine. Close waits for them. Everything else runs on the
// callers' goroutines. Each engine's catalog, availability and refusals, each pending stream and
// the router have a lock of their own; a catalog's and a pending stream's may be held while
// availability.mu or Router.mu is taken, and no lock while an engine is called.
package router

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"steno/session/asr"
)

// Config describes engines and plans. Zero durations take the defaults.
type Config struct {
	// Engines are in order of preference for capabilities. Plans order them for utterances.
	Engines []Engine
	// Plans are keyed by the API's names of models.
	Plans map[string]Plan
	// Languages are all codes of the API. An engine that lists no models is assumed to have them.
	// Empty: such an engine accepts any code, and adds none to lists.
	Languages []string
	// Patience is how long an engine may be away before live speech goes to the next one; default 1
	// s.
	Patience time.Duration
	// ReplayPatience is the same for recordings; default 10 s.
	ReplayPatience time.Duration
	// Refresh is the age at which an engine's list of models is old; default 5 s.
	Refresh time.Duration
}

// Engine is a recognizer under a name.
type Engine struct {
	Name       string
	Recognizer asr.Recognizer
	// Languages are what the engine may be used for; empty: all that it lists (see [asr.Lister]),
	// or all if it lists none.
	Languages []string
}

// Plan orders the engines that decode for a model of the API.
type Plan struct {
	// Engines are names in order of preference. The first that has the language is preferred, the
	// others are fallbacks.
	Engines []string
	// ByLanguage replaces Engines for single languages.
	ByLanguage map[string][]string
	// Default is the language to assume where none is given and none can be detected; empty: "en"
	// if there is, else the first.
	Default string
	// Only bounds the model's languages; empty: no bound.
	Only []string
	// Decodes is how many ways of decoding a final is chosen from, see [asr.Params]; 0: the
	// engines' choice.
	Decodes int
}

// Router holds the engines. Any goroutine may call its methods.
//
// It offers the capabilities of its engines, by the first engine that has one.
type Router struct {
	asr.Delegate
	engines []*engine
	plans   map[string]*plan

	life  context.Context // of the router's goroutines
	stop  context.CancelFunc
	mu    sync.Mutex // guards the start of goroutines against Close
	shut  bool
	tasks sync.WaitGroup
}

// New returns a router. It fails for plans that name unknown engines, and for names given twice.
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
		e.catalog.refresh() // so that the first utterance need not wait for the answer
	}
	return r, nil
}

// For returns the recognizer of a model of the API, which stays the same while engines come and go.
// For a model without a plan it refuses every utterance with [asr.ErrLanguage].
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

// Close ends the router's goroutines and waits for them. Utterances that wait for their language
// fail with [asr.ErrUnavailable]. Utterances that are with an engine continue, and engines are the
// caller's to close.
func (r *Router) Close() error {
	r.mu.Lock()
	r.shut = true
	r.mu.Unlock()
	r.stop()
	r.tasks.Wait()
	return nil
}

// spawn runs a task that ends when life does. It returns false if the router has been closed.
func (r *Router) spawn(task func()) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.shut {
		return false
	}
	r.tasks.Go(task)
	return true
}

var errUnable = fmt.Errorf("%w: no engine is able to", asr.ErrUnavailable)

// delegate is the router's [asr.Delegate]: it asks one engine after the other until one succeeds.
// Where all fail the error is ErrUnavailable if any of them may succeed later, else the last
// refusal.
func (r *Router) delegate(ctx context.Context, try func(any) error) error {
	failed := errUnable
	for _, e := range r.engines {
		err := try(e.recognizer)
		if err == nil {
			return nil
		}
		if err == asr.ErrNotOffered {
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if failed == errUnable || !errors.Is(failed, asr.ErrUnavailable) {
			failed = fmt.Errorf("engine %q: %w", e.name, err)
		}
	}
	return failed
}
