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
	// tellTimeout bounds what an engine takes to tell what it has.
	tellTimeout = 5 * time.Second
	// remembered is how long an engine that is away keeps its place in lists.
	remembered = time.Minute
)

// modelSet is what an engine modelSet of itself.
type modelSet struct {
	models []asr.Model
	codes  []string // of all models, in their order
	has    map[string]bool
}

// preferred is the name of the first model that has the language.
func (t *modelSet) preferred(code string) string {
	for _, m := range t.models {
		if slices.Contains(m.Languages, code) {
			return m.Name
		}
	}
	return ""
}

// catalog is what an engine tells of itself, asked again where somebody wants to know and the answer is old.
type catalog struct {
	router     *Router
	lister     asr.Lister     // nil: it tells no models
	identifier asr.Identifier // nil: it cannot identify
	every      time.Duration
	onAnswer    func(changed bool)

	latest     atomic.Pointer[modelSet] // the last answer; nil: there was none
	identify identifier           // what is known of the ability
	presence presence             // of its answers

	mu    sync.Mutex
	asked time.Time     // when the last asking ended; zero: none has
	running   chan struct{} // closed when the asking under way ends; nil: none is
	again bool          // the engine came since that began
	silent  bool          // it said that it does not tell
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

// refresh begins to ask if the last answer is old. It returns the end of the asking under way, nil if there is none.
func (c *catalog) refresh() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.begin()
}

// invalidate asks as if nobody ever had: whoever wants to know waits for the answer.
func (c *catalog) invalidate() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked, c.again = time.Time{}, c.running != nil
	c.presence.expect()
	c.begin()
}

// begin is refresh, for a caller that holds the lock.
func (c *catalog) begin() <-chan struct{} {
	if c.running != nil || c.lister == nil && c.identifier == nil || c.fresh() {
		return c.running
	}
	ok, away := c.presence.ask()
	if !ok {
		return nil
	}
	c.running = make(chan struct{})
	if !c.router.spawn(func() { c.ask(away) }) {
		c.presence.withdraw(away)
		c.running = nil
	}
	return c.running
}

// fresh tells whether the last answer, if it was one, is not old. The caller holds the lock.
func (c *catalog) fresh() bool {
	return !c.asked.IsZero() && c.presence.away() == 0 && time.Since(c.asked) < c.every
}

// awaitFirst waits until the engine was asked once at least, and has old answers renewed meanwhile.
func (c *catalog) awaitFirst(ctx context.Context) { c.wait(ctx, false) }

// awaitFresh waits until old answers are awaitFresh, unless the engine does not answer.
func (c *catalog) awaitFresh(ctx context.Context) { c.wait(ctx, true) }

func (c *catalog) wait(ctx context.Context, renewed bool) {
	end := c.refresh()
	c.mu.Lock()
	first := c.asked.IsZero()
	c.mu.Unlock()
	if end == nil || !first && (!renewed || c.presence.away() > 0) {
		return
	}
	select {
	case <-end:
	case <-ctx.Done():
	}
}

// ask asks until the answer is none from before the engine came.
func (c *catalog) ask(away bool) {
	for ended := false; !ended; {
		c.askOnce(away)
		ended, away = c.finish()
	}
}

// finish ends the asking, unless there is one more to be made.
func (c *catalog) finish() (ended, away bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.again {
		c.again = false
		c.presence.expect()
		_, away = c.presence.ask()
		return false, away
	}
	c.asked = time.Now()
	close(c.running)
	c.running = nil
	return true, false
}

func (c *catalog) askOnce(away bool) {
	ctx, cancel := context.WithTimeout(c.router.life, tellTimeout)
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
		c.presence.answered()
	} else {
		c.presence.failed(begun, away)
	}
}

// askModels asks for the askModels. An engine that answers that it does not tell has answered.
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

// store notes the models, and tells whether there are other languages than before.
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

// undecided tells whether the engine may still tell what it has.
func (c *catalog) undecided() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lister != nil && !c.silent && c.latest.Load() == nil
}

// expired tells that the engine has been away for so long that lists do without it.
func (c *catalog) expired() bool { return c.presence.away() > remembered }

// lastAnswer tells whether the last asking had an answer, and when it was.
func (c *catalog) lastAnswer() (time.Time, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.asked, c.presence.away() == 0
}

// models returns what the engine told of its models.
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
