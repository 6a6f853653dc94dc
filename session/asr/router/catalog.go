package router

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"steno/session/asr"
	"steno/session/panics"
)

const (
	// listTimeout bounds how long an engine may take to list its models.
	listTimeout = 5 * time.Second
	// expiry is how long an engine that is away keeps its place in lists.
	expiry = time.Minute
)

// modelSet is an engine's answer to what models it has.
type modelSet struct {
	models []asr.Model
	codes  []string // of all models, in their order
	has    map[string]bool
}

// preferred returns the name of the first model that has the language.
func (t *modelSet) preferred(code string) string {
	for _, m := range t.models {
		if slices.Contains(m.Languages, code) {
			return m.Name
		}
	}
	return ""
}

// catalog caches what models an engine has and whether it can identify languages. It asks the
// engine again when an answer is needed and the last one is old.
type catalog struct {
	router     *Router
	lister     asr.Lister     // nil: the engine lists no models
	identifier asr.Identifier // nil: the engine cannot identify languages
	every      time.Duration
	onAnswer   func(changed bool)

	latest       atomic.Pointer[modelSet] // the last answer; nil: there was none
	identify     identifier               // the state of the capability
	availability availability             // of the engine, as far as its answers show

	mu      sync.Mutex
	asked   time.Time     // when the last request ended; zero: there was none
	running chan struct{} // closed when the request under way ends; nil: none is
	again   bool          // the engine arrived after that request began
	silent  bool          // the engine answered that it lists no models
}

func newCatalog(r *Router, recognizer asr.Recognizer, every time.Duration, learned func(bool)) *catalog {
	l := &catalog{router: r, every: every, onAnswer: learned}
	if l.every <= 0 {
		l.every = 5 * time.Second
	}
	l.lister, _ = recognizer.(asr.Lister)
	l.identifier, _ = recognizer.(asr.Identifier)
	return l
}

// refresh starts a request if the last answer is old. It returns the end of the request under way,
// nil if there is none.
func (c *catalog) refresh() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.begin()
}

// invalidate starts a request as if there had been none, so that callers wait for its answer.
func (c *catalog) invalidate() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked, c.again = time.Time{}, c.running != nil
	c.availability.expect()
	c.begin()
}

// begin is refresh for a caller that holds the lock.
func (c *catalog) begin() <-chan struct{} {
	if c.running != nil || c.lister == nil && c.identifier == nil || c.fresh() {
		return c.running
	}
	ok, away := c.availability.ask()
	if !ok {
		return nil
	}
	c.running = make(chan struct{})
	if !c.router.spawn(func() { c.ask(away) }) {
		c.availability.withdraw(away)
		c.running = nil
	}
	return c.running
}

// fresh reports whether the engine answered the last request and the answer is not old. The caller
// holds the lock.
func (c *catalog) fresh() bool {
	return !c.asked.IsZero() && c.availability.away() == 0 && time.Since(c.asked) < c.every
}

// awaitFirst waits until the engine was asked at least once, and has an old answer renewed in the
// background.
func (c *catalog) awaitFirst(ctx context.Context) { c.wait(ctx, false) }

// awaitFresh waits until an old answer is renewed, unless the engine does not answer.
func (c *catalog) awaitFresh(ctx context.Context) { c.wait(ctx, true) }

func (c *catalog) wait(ctx context.Context, renewed bool) {
	end := c.refresh()
	c.mu.Lock()
	first := c.asked.IsZero()
	c.mu.Unlock()
	if end == nil || !first && (!renewed || c.availability.away() > 0) {
		return
	}
	select {
	case <-end:
	case <-ctx.Done():
	}
}

// ask asks until the answer is from after the engine's last arrival. It runs on a goroutine of the
// router's.
func (c *catalog) ask(away bool) {
	for ended := false; !ended; {
		c.askOnce(away)
		ended, away = c.finish()
	}
}

// finish ends the request, unless another one has to follow.
func (c *catalog) finish() (ended, away bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.again {
		c.again = false
		c.availability.expect()
		_, away = c.availability.ask()
		return false, away
	}
	c.asked = time.Now()
	close(c.running)
	c.running = nil
	return true, false
}

func (c *catalog) askOnce(away bool) {
	ctx, cancel := context.WithTimeout(c.router.life, listTimeout)
	defer cancel()
	begun := time.Now()
	err := panics.Catch(func() error {
		err := c.askModels(ctx)
		if err == nil {
			c.identify.survey(ctx, c.identifier)
		}
		return err
	})
	if err == nil {
		c.availability.answered()
	} else {
		c.availability.failed(begun, away)
	}
}

// askModels asks for the models. An engine that answers that it lists none has answered.
func (c *catalog) askModels(ctx context.Context) error {
	if c.lister == nil {
		return nil
	}
	models, err := c.lister.Models(ctx)
	unable := err != nil && !errors.Is(err, asr.ErrUnavailable) && ctx.Err() == nil
	if err == nil {
		c.onAnswer(c.store(models))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.silent = unable
	if unable {
		return nil
	}
	return err
}

// store keeps the models, and reports whether their languages have changed.
func (c *catalog) store(models []asr.Model) (changed bool) {
	t := &modelSet{models: models, has: make(map[string]bool)}
	for _, m := range models {
		for _, code := range m.Languages {
			if !t.has[code] {
				t.has[code] = true
				t.codes = append(t.codes, code)
			}
		}
	}
	before := c.latest.Swap(t)
	return before == nil || !maps.Equal(before.has, t.has)
}

// undecided reports whether the engine may still answer what models it has.
func (c *catalog) undecided() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lister != nil && !c.silent && c.latest.Load() == nil
}

// expired reports whether the engine has been away for so long that lists leave it out.
func (c *catalog) expired() bool { return c.availability.away() > expiry }

// lastAnswer returns when the last request ended, and whether the engine answered it.
func (c *catalog) lastAnswer() (time.Time, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.asked, c.availability.away() == 0
}

// models returns a copy of the models that the engine listed last.
func (c *catalog) models() []asr.Model {
	t := c.latest.Load()
	if t == nil {
		return nil
	}
	models := slices.Clone(t.models)
	for i := range models {
		models[i].Languages = slices.Clone(models[i].Languages)
	}
	return models
}
