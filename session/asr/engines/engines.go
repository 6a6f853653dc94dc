// Package engines starts the engines of a configuration and puts a router in front of them.
//
// An engine is a program on this machine, a pool of servers with the Riva interface, or a server
// with OpenAI's interface for files or for realtime. Two may be paired, one of them for the
// partials of the other, and several may vote on the words of recordings.
//
// Engines start in the background: the set is usable immediately, and utterances wait for their
// engines as they wait for one that was lost. The set notifies the router of each engine that is
// ready, and follows the first starts: see [Set.Wait] and [Set.Failed].
//
// All goroutines are those of the engines and the router; Close waits for them.
package engines

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"steno/session/asr"
	"steno/session/asr/clean"
	"steno/session/asr/fusion"
	"steno/session/asr/local"
	"steno/session/asr/openai"
	"steno/session/asr/realtime"
	"steno/session/asr/riva/enginepb"
	"steno/session/asr/riva/pool"
	"steno/session/asr/router"
	"steno/session/asr/twopass"
	"steno/session/retry"
)

// Config specifies the engines and what they are for.
type Config struct {
	// Engines in order of preference for capabilities; see [router.Config].
	Engines []Engine
	// Fusion is an engine made of others; without members there is none.
	Fusion Fusion
	// Plans, Languages, Patience and ReplayPatience are the router's.
	Plans          map[string]router.Plan
	Languages      []string
	Patience       time.Duration
	ReplayPatience time.Duration
}

// Engine is one engine. Exactly one of Local, Pool, OpenAI and Realtime is set; their callbacks are
// filled in.
type Engine struct {
	Name     string
	Local    *local.Config
	Pool     *pool.Config
	OpenAI   *openai.Config
	Realtime *realtime.Config

	// StandIn, if set, decides when a local engine is started; nil: Local decides.
	StandIn *StandIn

	// Languages are what the engine may be used for; empty: all it has.
	Languages []string
	// Partials names the engine whose partials are used beside the finals of this one; empty: its
	// own partials.
	Partials string
	// Weight is the engine's weight in a fusion; 0: 1.
	Weight float64
}

// Fusion is an engine whose members vote on every word.
type Fusion struct {
	Name    string
	Members []string // names of at least two engines
}

// Observer is notified of changes. Its functions may be called concurrently; all must be set.
type Observer struct {
	// Process is called for each start and end of a local engine's process.
	Process func(engine string, e local.Event)
	// Line is called with each line that a local engine's process writes.
	Line func(engine, text string)
	// Answers is called when a server with OpenAI's interface is known to answer in some format,
	// and when that changes.
	Answers func(engine string, a openai.Answers)
	// Variant is called when the variant of the protocol that a realtime server speaks is known,
	// and when that changes.
	Variant func(engine, variant string)
	// Server is called when a server of a pool goes or comes.
	Server func(engine string, c pool.Change)
}

// Set is a configuration's engines with the router in front of them.
type Set struct {
	router      *router.Router
	routed      chan struct{} // closed once router is set, or never will be
	config      Config
	observer    Observer
	recognizers map[string]asr.Recognizer // by name; a pair under the name of its engine for finals
	cleaned     map[string]*clean.Counts  // by name: what was dropped of answers
	local       []*process
	pools       map[string]*pool.Recognizer
	openai      map[string]*openai.Recognizer
	pairs       map[string]*twopass.Recognizer
	closers     []io.Closer
	starts      firstStarts
}

// process is a local engine and its name.
type process struct {
	*local.Recognizer
	name    string
	standIn bool // it is started when it is needed
}

// Start begins to bring all engines up and returns without waiting for them. Cancelling ctx ends
// the attempts to start local engines. The caller must call Close.
func Start(ctx context.Context, c Config, o Observer) (*Set, error) {
	s := &Set{
		config: c, observer: o, routed: make(chan struct{}), recognizers: map[string]asr.Recognizer{},
		cleaned: map[string]*clean.Counts{},
		pools:   map[string]*pool.Recognizer{}, openai: map[string]*openai.Recognizer{},
		pairs: map[string]*twopass.Recognizer{}, starts: newFirstStarts(),
	}
	err := s.build(ctx)
	if err == nil {
		s.router, err = router.New(s.routes())
	}
	close(s.routed)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.starts.expect(s.local, len(s.local) < len(c.Engines))
	return s, nil
}

// build makes all recognizers: engines, then pairs, which need two of them, then the fusion.
func (s *Set) build(ctx context.Context) error {
	for _, e := range s.config.Engines {
		if err := s.add(ctx, e); err != nil {
			return fmt.Errorf("engine %s: %w", e.Name, err)
		}
		s.clean(e.Name)
	}
	for _, e := range s.config.Engines {
		if e.Partials != "" {
			pair := twopass.New(languageGated{s.recognizers[e.Partials]}, s.recognizers[e.Name])
			s.recognizers[e.Name], s.pairs[e.Name] = pair, pair
			s.closers = append(s.closers, pair)
		}
	}
	return s.addFusion()
}

// clean has the answers of a recognizer cleaned.
func (s *Set) clean(name string) {
	counts := new(clean.Counts)
	s.recognizers[name], s.cleaned[name] = clean.New(s.recognizers[name], counts), counts
}

// add makes one engine.
func (s *Set) add(ctx context.Context, e Engine) error {
	switch {
	case e.Local != nil:
		s.addLocal(ctx, e)
		return nil
	case e.Pool != nil:
		return s.addPool(e.Name, *e.Pool)
	case e.Realtime != nil:
		return s.addRealtime(e.Name, *e.Realtime)
	}
	return s.addOpenAI(e.Name, *e.OpenAI)
}

func (s *Set) addOpenAI(name string, c openai.Config) error {
	c.OnAnswers = func(a openai.Answers) { s.observer.Answers(name, a) }
	r, err := openai.New(c)
	if err != nil {
		return err
	}
	s.recognizers[name], s.openai[name] = r, r
	s.closers = append(s.closers, r)
	return nil
}

func (s *Set) addRealtime(name string, c realtime.Config) error {
	c.OnVariant = func(variant string) { s.observer.Variant(name, variant) }
	r, err := realtime.New(c)
	if err != nil {
		return err
	}
	s.recognizers[name] = r
	s.closers = append(s.closers, r)
	return nil
}

func (s *Set) addLocal(ctx context.Context, e Engine) {
	name, c := e.Name, *e.Local
	c.OnEvent = func(e local.Event) { s.processChanged(name, e) }
	c.OnLine = func(line string) { s.observer.Line(name, line) }
	if e.StandIn != nil {
		c.Enabled = (&needed{set: s, name: name, rule: *e.StandIn}).now
	}
	r := local.New(ctx, c)
	s.recognizers[name] = r
	s.local = append(s.local, &process{r, name, e.StandIn != nil})
	s.closers = append(s.closers, r)
}

func (s *Set) addPool(name string, c pool.Config) error {
	c.OnChange = func(change pool.Change) { s.serverChanged(name, change) }
	r, err := pool.New(c)
	if err != nil {
		return err
	}
	s.recognizers[name], s.pools[name] = r, r
	s.closers = append(s.closers, r)
	return nil
}

// addFusion makes the engine whose members vote, if there is one.
func (s *Set) addFusion() error {
	if len(s.config.Fusion.Members) == 0 {
		return nil
	}
	var members []fusion.Member
	for _, name := range s.config.Fusion.Members {
		m := fusion.Member{Name: name, Recognizer: s.recognizers[name]}
		if i := slices.IndexFunc(s.config.Engines, func(e Engine) bool { return e.Name == name }); i >= 0 {
			m.Weight = s.config.Engines[i].Weight
		}
		members = append(members, m)
	}
	r, err := fusion.New(members...)
	if err != nil {
		return fmt.Errorf("models.stt-fusion: %w", err)
	}
	s.recognizers[s.config.Fusion.Name] = r
	s.clean(s.config.Fusion.Name)
	return nil
}

// routes is the router's configuration.
func (s *Set) routes() router.Config {
	c := router.Config{
		Plans: s.config.Plans, Languages: s.config.Languages,
		Patience: s.config.Patience, ReplayPatience: s.config.ReplayPatience,
	}
	for _, e := range s.config.Engines {
		c.Engines = append(c.Engines, router.Engine{Name: e.Name, Recognizer: s.recognizers[e.Name],
			Languages: e.Languages})
	}
	if name := s.config.Fusion.Name; s.recognizers[name] != nil {
		c.Engines = append(c.Engines, router.Engine{Name: name, Recognizer: s.recognizers[name]})
	}
	return c
}

// languageGated is a recognizer for partials that refuses utterances of unknown language: partials
// in a wrong language are worse than none. It offers no capabilities but its models.
type languageGated struct{ asr.Recognizer }

// Open refuses utterances without a language.
func (g languageGated) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	if p.Language == "" {
		return nil, asr.ErrLanguage
	}
	return g.Recognizer.Open(ctx, p)
}

// Models implements [asr.Lister].
func (g languageGated) Models(ctx context.Context) ([]asr.Model, error) {
	lister, ok := g.Recognizer.(asr.Lister)
	if !ok {
		return nil, nil
	}
	return lister.Models(ctx)
}

// Router returns the router, which is the set's to close.
func (s *Set) Router() *router.Router { return s.router }

// Ready returns an error while no engine of the model accepts utterances.
func (s *Set) Ready(model string) error {
	for _, e := range s.router.Describe(context.Background(), model) {
		if e.Available && len(e.Languages) > 0 {
			return nil
		}
	}
	return errors.New("no engine is there yet")
}

// Failed returns a channel that receives an error if nothing can recognize speech when the first
// starts have finished.
func (s *Set) Failed() <-chan error { return s.starts.failed }

// Wait returns when the first starts have finished and an engine of the model is ready, or ten
// seconds after the first starts. It returns an error if nothing can recognize speech, or ctx's.
func (s *Set) Wait(ctx context.Context, model string) error {
	if err := s.starts.wait(ctx); err != nil {
		return err
	}
	for range 100 {
		if s.Ready(model) == nil {
			break
		}
		if err := retry.Sleep(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// Close ends the router and the engines and waits for them.
func (s *Set) Close() error {
	var errs []error
	if s.router != nil {
		errs = append(errs, s.router.Close())
	}
	for _, c := range slices.Backward(s.closers) { // pairs before the engines they are made of
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// Figures are what one engine process or server counts.
type Figures struct {
	Engine string
	// Server is the address of a pool's server; empty for a local engine.
	Server string
	// Figures are nil if a local engine has not answered, or a server is away.
	Figures *enginepb.Figures
}

// Figures asks the local engines and the pools' servers for their counts, all at the same time,
// until ctx ends. Left out are local engines that wait for a model to be installed, and servers
// that are there and have no counts.
func (s *Set) Figures(ctx context.Context) (all []Figures) {
	var mu sync.Mutex
	add := func(f Figures) {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, f)
	}
	var asked sync.WaitGroup
	for _, p := range s.local {
		if p.Idle() {
			continue
		}
		asked.Go(func() {
			figures, _ := p.Figures(ctx) // nil means that there are none
			add(Figures{Engine: p.name, Figures: figures})
		})
	}
	for name, r := range s.pools {
		asked.Go(func() {
			told := r.Figures(ctx)
			for _, server := range r.Servers() {
				if figures := told[server.Address]; figures != nil || !server.Up {
					add(Figures{Engine: name, Server: server.Address, Figures: figures})
				}
			}
		})
	}
	asked.Wait()
	return all
}

// Drops returns the partials that were left out, by engine and reason.
func (s *Set) Drops() map[string]map[twopass.Drop]int64 {
	all := map[string]map[twopass.Drop]int64{}
	for name, pair := range s.pairs {
		all[name] = pair.Drops()
	}
	for name, r := range s.openai {
		if all[name] == nil { // not one of a pair
			all[name] = map[twopass.Drop]int64{}
		}
		for reason, n := range r.PartialsDropped() {
			all[name][twopass.Drop(reason)] = n
		}
	}
	return all
}

// Answers returns what a server with OpenAI's interface answers with; false for other engines, and
// while that is not known.
func (s *Set) Answers(engine string) (openai.Answers, bool) {
	if r := s.openai[engine]; r != nil {
		return r.Answers()
	}
	return openai.Answers{}, false
}

// Estimates reports whether the times of an engine's words are always estimated: realtime servers
// send none.
func (s *Set) Estimates(engine string) bool {
	i := slices.IndexFunc(s.config.Engines, func(e Engine) bool { return e.Name == engine })
	return i >= 0 && s.config.Engines[i].Realtime != nil
}

// TextDrops returns how often parts of engines' answers were dropped as nothing that was said, or
// times that cannot be, by engine and reason.
func (s *Set) TextDrops() map[string]map[string]int64 {
	all := map[string]map[string]int64{}
	for name, counts := range s.cleaned {
		all[name] = map[string]int64{}
		maps.Copy(all[name], counts.All())
	}
	for name, r := range s.openai {
		for reason, n := range r.Dropped() {
			all[name][reason] += n
		}
	}
	return all
}
