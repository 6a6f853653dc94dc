package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"steno/cmd/steno/config"
	"steno/messages"
	"steno/session/asr/engines"
	"steno/session/asr/local"
	"steno/session/asr/openai"
	"steno/session/asr/realtime"
	"steno/session/asr/riva"
	"steno/session/asr/riva/pool"
	"steno/session/asr/router"
)

// fusionName is the name of the engine whose members vote in stt-fusion.
const fusionName = "stt-fusion"

// stt3Languages are the languages of stt-3.
var stt3Languages = []string{"en", "fr", "de", "es", "it"}

// start starts the engines in the background. The caller must close them.
func (c engineSetup) start(ctx context.Context, o engines.Observer) (*engines.Set, error) {
	setup, err := c.config()
	if err != nil {
		return nil, err
	}
	return engines.Start(ctx, setup, o)
}

// startReady starts the engines and waits until they serve stt-1. The caller
// must close them.
func (c engineSetup) startReady(ctx context.Context) (*engines.Set, error) {
	set, err := c.start(ctx, silentObserver())
	if err != nil {
		return nil, err
	}
	if err := set.Wait(ctx, "stt-1"); err != nil {
		return nil, errors.Join(err, set.Close())
	}
	return set, nil
}

// silentObserver returns the observer of commands that report only their result.
func silentObserver() engines.Observer {
	return engines.Observer{
		Process: func(string, local.Event) {}, Line: func(string, string) {}, Server: func(string, pool.Change) {},
		Answers: func(string, openai.Answers) {}, Variant: func(string, string) {},
	}
}

// engineSetup makes the configuration of the engines of that of the whole.
type engineSetup struct {
	config.Config
	environ []string
}

// config returns the configuration of the engines and the router.
func (c engineSetup) config() (engines.Config, error) {
	out := engines.Config{
		Fusion: c.fusion(), Plans: c.plans(), Languages: messages.Languages(),
		Patience: c.Engines.Patience, ReplayPatience: c.Engines.ReplayPatience,
	}
	for _, name := range c.EngineNames() {
		e, err := c.engine(name)
		if err != nil {
			return engines.Config{}, fmt.Errorf("engine %s: %w", name, err)
		}
		out.Engines = append(out.Engines, e)
	}
	return out, nil
}

// engine returns the configuration of one engine.
func (c engineSetup) engine(name string) (engines.Engine, error) {
	e := c.Engines.More[name]
	out := engines.Engine{Name: name, Languages: e.Languages, Partials: e.Partials, Weight: e.Weight}
	var err error
	switch {
	case e.Riva != nil:
		out.Pool, err = rivaPool(*e.Riva, name)
	case e.OpenAI != nil:
		out.OpenAI, err = openaiServer(e, name, c.environ)
	case e.Realtime != nil:
		out.Realtime, err = realtimeServer(e, name, c.environ)
	default:
		out.StandIn = c.standIn(name)
		out.Local, err = c.localEngine(name)
	}
	return out, err
}

// localEngine returns the configuration of an engine that is a process on this machine.
func (c engineSetup) localEngine(name string) (*local.Config, error) {
	rights, err := c.rights(name)
	return &local.Config{Binary: c.Engines.Binary, Args: c.engineArgs(name), Enabled: c.hasModelsFor(name),
		Rights: rights}, err
}

// rivaPool returns the configuration of servers with the Riva interface.
func rivaPool(r config.Riva, name string) (*pool.Config, error) {
	secured, err := r.TLS.Config()
	if err != nil {
		return nil, err
	}
	return &pool.Config{
		Addresses: r.Addresses,
		Client: riva.Config{
			TLS: secured, Header: r.Header, Model: r.Model, Engine: name, Language: r.Language, Auto: r.Auto,
			Tags:        r.Tags,
			Punctuation: r.Punctuation, OpenTimeout: r.OpenTimeout, FinalTimeout: r.FinalTimeout,
		},
	}, nil
}

// openaiServer returns the configuration of a server with OpenAI's interface.
func openaiServer(e config.NamedEngine, name string, environ []string) (*openai.Config, error) {
	key, err := config.Secret("openai", e.OpenAI.Key, e.OpenAI.KeyEnv, environ)
	if err != nil {
		return nil, err
	}
	return &openai.Config{
		URL: e.OpenAI.URL, Key: key, Model: e.OpenAI.Model, Name: name, Languages: e.Languages, Detects: true,
		Prompt: e.OpenAI.Prompt, Concurrency: e.OpenAI.Concurrency, Timeout: e.OpenAI.Timeout,
		Speculate: e.OpenAI.Speculate,
		Partials:  e.OpenAI.Partials, PartialEvery: e.OpenAI.PartialEvery,
	}, nil
}

// realtimeServer returns the configuration of a server with a realtime interface.
func realtimeServer(e config.NamedEngine, name string, environ []string) (*realtime.Config, error) {
	c := e.Realtime
	key, err := config.Secret("realtime", c.Key, c.KeyEnv, environ)
	if err != nil {
		return nil, err
	}
	return &realtime.Config{
		URL: c.URL, Key: key, Model: c.Model, Name: name, Variant: c.Variant,
		Languages: e.Languages, Detects: c.Detects, Prompt: c.Prompt, Keywords: c.Keywords,
		Concurrency: c.Concurrency, Connect: c.ConnectTimeout, Timeout: c.Timeout, Idle: c.Idle, Renew: c.Renew,
	}, nil
}

// fusion returns the engine whose members vote, if at least two are configured.
func (c engineSetup) fusion() engines.Fusion {
	if len(c.Models.STTFusion.Engines) < 2 {
		return engines.Fusion{}
	}
	return engines.Fusion{Name: fusionName, Members: c.Models.STTFusion.Engines}
}

// plans returns the router's plans of the API's models.
func (c engineSetup) plans() map[string]router.Plan {
	return map[string]router.Plan{
		"stt-1":      routerPlan(c.Plan(c.Models.STT1), nil, 0),
		"stt-3":      routerPlan(c.Plan(c.Models.STT3), stt3Languages, accurateDecodes),
		"stt-fusion": c.fusionPlan(),
	}
}

// accurateDecodes is how many ways of decoding a final of stt-3 and stt-fusion is chosen from, by
// engines that have several.
const accurateDecodes = 2

// fusionPlan returns the plan of stt-fusion: the fusion, the only engine configured for it, or the
// engines of stt-1.
func (c engineSetup) fusionPlan() router.Plan {
	switch names := c.Models.STTFusion.Engines; len(names) {
	case 0:
		return routerPlan(c.Plan(c.Models.STT1), nil, accurateDecodes)
	case 1:
		return router.Plan{Engines: names, Decodes: accurateDecodes}
	}
	return router.Plan{Engines: []string{fusionName}, Decodes: accurateDecodes}
}

func routerPlan(p config.Plan, only []string, decodes int) router.Plan {
	return router.Plan{Engines: p.Engines, ByLanguage: p.ByLanguage, Default: p.DefaultLanguage, Only: only,
		Decodes: decodes}
}

// engineArgs returns the arguments of a local engine's program.
func (c engineSetup) engineArgs(name string) []string {
	e := c.Engines.More[name]
	switch {
	case e.Sphinx != nil:
		return sphinxArgs(*e.Sphinx)
	case e.Sherpa != nil:
		return sherpaArgs(*e.Sherpa, c.modelsFor(sherpaModels))
	case e.Moonshine != nil:
		return moonshineArgs(*e.Moonshine, c.modelsFor(moonshineModels))
	case e.Scripted != nil:
		return scriptedArgs(*e.Scripted)
	case name == "sphinx":
		return sphinxArgs(c.Engines.Sphinx)
	case name == "sherpa":
		return sherpaArgs(c.Engines.Sherpa, c.modelsFor(sherpaModels))
	case name == "moonshine":
		return moonshineArgs(c.Engines.Moonshine, c.modelsFor(moonshineModels))
	}
	return scriptedArgs(config.Scripted{})
}

// arguments are flags of the engine's program; those without a value are left out.
type arguments []string

func (a *arguments) text(flag, value string) {
	if value != "" {
		*a = append(*a, flag+"="+value)
	}
}

func (a *arguments) count(flag string, n int) {
	if n > 0 {
		*a = append(*a, flag+"="+strconv.Itoa(n))
	}
}

func (a *arguments) duration(flag string, d time.Duration) {
	if d > 0 {
		*a = append(*a, flag+"="+d.String())
	}
}

func sphinxArgs(s config.Sphinx) []string {
	a := arguments{"--engine=sphinx"}
	a.text("--model", s.Model)
	a.text("--lm", s.LM)
	a.text("--dict", s.Dictionary)
	a.text("--language", s.Language)
	a.count("--slots", s.Slots)
	a.count("--decoders", s.Decoders)
	a.count("--final-decoders", s.FinalDecoders)
	a.count("--vocabularies", s.Vocabularies)
	a.duration("--partial-every", s.PartialEvery)
	if s.Accurate {
		a = append(a, "--accurate")
	}
	return a
}

// modelArguments are those of engines that take installed models.
func modelArguments(engine, models string, use []string, slots int) arguments {
	a := arguments{"--engine=" + engine}
	a.text("--models", models)
	a.text("--use", strings.Join(use, ","))
	a.count("--slots", slots)
	return a
}

func sherpaArgs(s config.Sherpa, models string) []string {
	a := modelArguments("sherpa", models, s.Use, s.Slots)
	a.count("--threads", s.Threads)
	a.count("--batch", s.Batch)
	a.duration("--batch-wait", s.BatchWait)
	if s.Greedy {
		a = append(a, "--greedy")
	}
	return a
}

func moonshineArgs(m config.Moonshine, models string) []string {
	a := modelArguments("moonshine", models, m.Use, m.Slots)
	a.count("--decodes", m.Decodes)
	return a
}

func scriptedArgs(s config.Scripted) []string {
	a := arguments{"--engine=scripted"}
	a.duration("--scripted-delay", s.Delay)
	a.count("--scripted-slots", s.Slots)
	if s.Factor > 0 {
		a = append(a, "--scripted-factor="+strconv.FormatFloat(s.Factor, 'g', -1, 64))
	}
	return a
}
