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

// told is what an engine told of itself.
type told struct {
	models []asr.Model
	codes  []string // of all models, in their order
	has    map[string]bool
}

// preferred is the name of the first model that has the language.
func (t *told) preferred(code string) string {
	for _, m := range t.models {
		if slices.Contains(m.Languages, code) {
			return m.Name
		}
	}
	return ""
}

// list is what an engine tells of itself, asked again where somebody wants to know and the answer is old.
type list struct {
	router     *Router
	lister     asr.Lister     // nil: it tells no models
	identifier asr.Identifier // nil: it cannot identify
	every      time.Duration
	learned    func(changed bool)

	told     atomic.Pointer[told] // the last answer; nil: there was none
	identify identifier           // what is known of the ability
	presence presence             // of its answers

	mu    sync.Mutex
	asked time.Time     // when the last asking ended; zero: none has
	now   chan struct{} // closed when the asking under way ends; nil: none is
	again bool          // the engine came since that began
	mute  bool          // it said that it does not tell
}

func newList(r *Router, recognizer asr.Recognizer, every time.Duration, learned func(bool)) *list {
	l := &list{router: r, every: every, learned: learned}
	if l.every <= 0 {
		l.every = 5 * time.Second
	}
	l.lister, _ = recognizer.(asr.Lister)
	l.identifier, _ = recognizer.(asr.Identifier)
	return l
}

// refresh begins to ask if the last answer is old. It returns the end of the asking under way, nil if there is none.
func (l *list) refresh() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.begin()
}

// anew asks as if nobody ever had: whoever wants to know waits for the answer.
func (l *list) anew() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked, l.again = time.Time{}, l.now != nil
	l.presence.soon()
	l.begin()
}

// begin is refresh, for a caller that holds the lock.
func (l *list) begin() <-chan struct{} {
	if l.now != nil || l.lister == nil && l.identifier == nil || l.fresh() {
		return l.now
	}
	ok, away := l.presence.ask()
	if !ok {
		return nil
	}
	l.now = make(chan struct{})
	if !l.router.spawn(func() { l.ask(away) }) {
		l.presence.withdraw(away)
		l.now = nil
	}
	return l.now
}

// fresh tells whether the last answer, if it was one, is not old. The caller holds the lock.
func (l *list) fresh() bool {
	return !l.asked.IsZero() && l.presence.away() == 0 && time.Since(l.asked) < l.every
}

// known waits until the engine was asked once at least, and has old answers renewed meanwhile.
func (l *list) known(ctx context.Context) { l.wait(ctx, false) }

// renewed waits until old answers are renewed, unless the engine does not answer.
func (l *list) renewed(ctx context.Context) { l.wait(ctx, true) }

func (l *list) wait(ctx context.Context, renewed bool) {
	end := l.refresh()
	l.mu.Lock()
	first := l.asked.IsZero()
	l.mu.Unlock()
	if end == nil || !first && (!renewed || l.presence.away() > 0) {
		return
	}
	select {
	case <-end:
	case <-ctx.Done():
	}
}

// ask asks until the answer is none from before the engine came.
func (l *list) ask(away bool) {
	for ended := false; !ended; {
		l.once(away)
		ended, away = l.end()
	}
}

// end ends the asking, unless there is one more to be made.
func (l *list) end() (ended, away bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.again {
		l.again = false
		l.presence.soon()
		_, away = l.presence.ask()
		return false, away
	}
	l.asked = time.Now()
	close(l.now)
	l.now = nil
	return true, false
}

func (l *list) once(away bool) {
	ctx, cancel := context.WithTimeout(l.router.life, tellTimeout)
	defer cancel()
	begun := time.Now()
	err := panics.Catch(func() error {
		err := l.models(ctx)
		if err == nil {
			l.identify.survey(ctx, l.identifier)
		}
		return err
	})
	if err == nil {
		l.presence.answered()
	} else {
		l.presence.failed(begun, away)
	}
}

// models asks for the models. An engine that answers that it does not tell has answered.
func (l *list) models(ctx context.Context) error {
	if l.lister == nil {
		return nil
	}
	models, err := l.lister.Models(ctx)
	unable := err != nil && !errors.Is(err, asr.ErrUnavailable) && ctx.Err() == nil
	if err == nil {
		l.learned(l.learn(models))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.mute = unable
	if unable {
		return nil
	}
	return err
}

// learn notes the models, and tells whether there are other languages than before.
func (l *list) learn(models []asr.Model) (changed bool) {
	t := &told{models: models, has: make(map[string]bool)}
	for _, m := range models {
		for _, code := range m.Languages {
			if !t.has[code] {
				t.has[code] = true
				t.codes = append(t.codes, code)
			}
		}
	}
	before := l.told.Swap(t)
	return before == nil || !maps.Equal(before.has, t.has)
}

// open tells whether the engine may still tell what it has.
func (l *list) open() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lister != nil && !l.mute && l.told.Load() == nil
}

// forgotten tells that the engine has been away for so long that lists do without it.
func (l *list) forgotten() bool { return l.presence.away() > remembered }

// answered tells whether the last asking had an answer, and when it was.
func (l *list) answered() (time.Time, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.asked, l.presence.away() == 0
}

// copied returns what the engine told of its models.
func (l *list) copied() []asr.Model {
	t := l.told.Load()
	if t == nil {
		return nil
	}
	models := slices.Clone(t.models)
	for i := range models {
		models[i].Languages = slices.Clone(models[i].Languages)
	}
	return models
}
