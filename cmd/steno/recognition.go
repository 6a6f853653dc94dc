package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"steno/messages"
	"steno/session/asr"
	"steno/session/asr/fusion"
	"steno/session/asr/local"
	"steno/session/asr/riva/pool"
	"steno/session/asr/router"
	"steno/session/asr/twopass"
)

// voters is the name, among the router's engines, of those that vote in stt-fusion.
const voters = "stt-fusion"

// threes are the languages of stt-3.
var threes = []string{"en", "fr", "de", "es", "it"}

// recognition is everything that recognizes: the engines that the configuration makes use of and the way to them.
type recognition struct {
	config    Config
	router    *router.Router
	engines   map[string]asr.Recognizer
	processes []*engineProcess
	pools     map[string]*pool.Recognizer
	pairs     map[string]*twopass.Recognizer // engines with another one for partials
	closers   []io.Closer
	starts    starts
	arrivals  arrivals
}

// observer is told what becomes of engines. Its functions may be called from several goroutines at once.
type observer struct {
	process func(engine string, e local.Event)      // a local one's starts and ends
	line    func(engine, text string)               // what a local one says
	failed  func(engine string, err error)          // it could not be started
	server  func(engine string, change pool.Change) // a remote one's server went or came
}

// silentObserver is for commands that tell only how it all ended.
func silentObserver() observer {
	return observer{
		process: func(string, local.Event) {}, line: func(string, string) {}, failed: func(string, error) {}, server: func(string, pool.Change) {},
	}
}

// startRecognition brings up all engines in the background. The caller owes a Close.
func startRecognition(ctx context.Context, c Config, environ []string, o observer) (*recognition, error) {
	r := &recognition{config: c, engines: map[string]asr.Recognizer{}, pools: map[string]*pool.Recognizer{}, pairs: map[string]*twopass.Recognizer{}, starts: newStarts()}
	err := r.start(ctx, environ, r.noting(o))
	if err == nil {
		r.router, err = router.New(r.routes())
	}
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	r.arrivals.tell(r.router)
	return r, nil
}

func (r *recognition) start(ctx context.Context, environ []string, o observer) error {
	names := r.config.engineNames()
	for _, name := range names {
		engine, err := r.engine(ctx, name, environ, o)
		if err != nil {
			return fmt.Errorf("engine %s: %w", name, err)
		}
		r.engines[name] = engine
	}
	for _, name := range names { // once all are there: engines for partials have none of their own
		if p := r.config.Engines.More[name].Partials; p != "" {
			both := twopass.New(told{r.engines[p]}, r.engines[name])
			r.engines[name], r.pairs[name] = both, both
			r.closers = append(r.closers, both)
		}
	}
	r.starts.await(r.processes, len(r.processes) < len(names))
	return r.addVoters()
}

// told is an engine for partials: it gives none while the language is still to be found, since the words of a wrong
// language are worse than none.
type told struct{ asr.Recognizer }

// Open refuses utterances of no language.
func (t told) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	if p.Language == "" {
		return nil, asr.ErrLanguage
	}
	return t.Recognizer.Open(ctx, p)
}

// Models are the engine's.
func (t told) Models(ctx context.Context) ([]asr.Model, error) {
	lister, ok := t.Recognizer.(asr.Lister)
	if !ok {
		return nil, nil
	}
	return lister.Models(ctx)
}

// engine makes one engine, which need not be there yet.
func (r *recognition) engine(ctx context.Context, name string, environ []string, o observer) (asr.Recognizer, error) {
	switch e := r.config.Engines.More[name]; {
	case e.Riva != nil:
		return r.rivaEngine(name, *e.Riva, o)
	case e.OpenAI != nil:
		return r.openaiEngine(name, e, environ)
	}
	p := coming(ctx, &engineProcess{
		name: name,
		start: func(ctx context.Context) (*local.Recognizer, error) {
			return startEngine(ctx, r.config, name, o)
		},
		wanted: func() bool { return !r.config.usesModels(name) || hasModels(r.config.modelsDir()) },
		report: func(out outcome) {
			if out.err != nil {
				o.failed(out.name, out.err)
			} else {
				r.came(out.name)
			}
			r.starts.learn(out)
		},
	})
	r.processes = append(r.processes, p)
	r.closers = append(r.closers, p)
	return p, nil
}

// addVoters makes an engine of those that vote. One alone has nobody to vote with.
func (r *recognition) addVoters() error {
	names := r.config.Models.STTFusion.Engines
	if len(names) < 2 {
		return nil
	}
	var members []fusion.Member
	for _, name := range names {
		members = append(members, fusion.Member{
			Name: name, Recognizer: r.engines[name], Weight: r.config.Engines.More[name].Weight,
		})
	}
	fused, err := fusion.New(members...)
	if err != nil {
		return fmt.Errorf("models.stt-fusion: %w", err)
	}
	r.engines[voters] = fused
	return nil
}

// routes is what the router is told.
func (r *recognition) routes() router.Config {
	c := router.Config{
		Languages: messages.Languages(), Patience: r.config.Engines.Patience, ReplayPatience: r.config.Engines.ReplayPatience,
		Plans: map[string]router.Plan{
			"stt-1": routed(r.config.plan(r.config.Models.STT1), nil),
			"stt-3": routed(r.config.plan(r.config.Models.STT3), threes),
		},
	}
	for _, name := range r.config.engineNames() {
		c.Engines = append(c.Engines, router.Engine{
			Name: name, Recognizer: r.engines[name], Languages: r.config.Engines.More[name].Languages,
		})
	}
	c.Plans["stt-fusion"] = r.fusionPlan()
	if fused := r.engines[voters]; fused != nil {
		c.Engines = append(c.Engines, router.Engine{Name: voters, Recognizer: fused})
	}
	return c
}

// fusionPlan is that of stt-fusion: the engines that vote, the only one configured, or those of stt-1.
func (r *recognition) fusionPlan() router.Plan {
	names := r.config.Models.STTFusion.Engines
	switch {
	case r.engines[voters] != nil:
		return router.Plan{Engines: []string{voters}}
	case len(names) > 0:
		return router.Plan{Engines: names}
	}
	return routed(r.config.plan(r.config.Models.STT1), nil)
}

func routed(p Plan, only []string) router.Plan {
	return router.Plan{Engines: p.Engines, ByLanguage: p.ByLanguage, Default: p.DefaultLanguage, Only: only}
}

// ready tells why live speech would not be taken now.
func (r *recognition) ready() error {
	for _, e := range r.router.Describe(context.Background(), "stt-1") {
		if e.Available && len(e.Languages) > 0 {
			return nil
		}
	}
	return errors.New("no engine is there yet")
}

// await waits until the first starts are over and what has come up has told what it knows, as far as it does within a while.
func (r *recognition) await(ctx context.Context) error {
	if err := r.starts.wait(ctx); err != nil {
		return err
	}
	for range 100 {
		if r.ready() == nil || !pause(ctx, 100*time.Millisecond) {
			break
		}
	}
	return ctx.Err()
}

// Close ends the engines.
func (r *recognition) Close() error {
	var errs []error
	if r.router != nil {
		errs = append(errs, r.router.Close())
	}
	for _, c := range slices.Backward(r.closers) { // those that use others came after them
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}
