package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"steno/session/asr"
	"steno/session/asr/local"
)

// startEngine starts the process of a local engine and waits until it takes speech.
func startEngine(ctx context.Context, c Config, name string, o observer) (*local.Recognizer, error) {
	binary := c.Engines.Binary
	if binary == "" {
		var err error
		if binary, err = local.FindBinary("steno-engine"); err != nil {
			return nil, err
		}
	}
	return local.Start(ctx, local.Config{
		Binary: binary, Args: c.engineArgs(name),
		OnEvent: func(e local.Event) { o.process(name, e) }, OnLine: func(line string) { o.line(name, line) },
	})
}

// usesModels tells whether an engine is of no use without installed models.
func (c Config) usesModels(name string) bool {
	return name == "sherpa" || c.Engines.More[name].Sherpa != nil
}

// engineArgs is the command line of a local engine.
func (c Config) engineArgs(name string) []string {
	e := c.Engines.More[name]
	switch {
	case e.Sphinx != nil:
		return e.Sphinx.args()
	case e.Sherpa != nil:
		return e.Sherpa.args(c.modelsDir())
	case e.Scripted != nil:
		return e.Scripted.args()
	case name == "sphinx":
		return c.Engines.Sphinx.args()
	case name == "sherpa":
		return c.Engines.Sherpa.args(c.modelsDir())
	}
	return Scripted{}.args()
}

// modelsDir is the folder of the installed models.
func (c Config) modelsDir() string {
	if c.Engines.Models != "" {
		return c.Engines.Models
	}
	return filepath.Join(c.Data, "models")
}

// arguments are flags of the engine's; those without a value are left out.
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

func (s Sphinx) args() []string {
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

func (s Sherpa) args(models string) []string {
	a := arguments{"--engine=sherpa"}
	a.text("--models", models)
	a.text("--use", strings.Join(s.Use, ","))
	a.count("--slots", s.Slots)
	a.count("--threads", s.Threads)
	a.count("--batch", s.Batch)
	a.duration("--batch-wait", s.BatchWait)
	if s.Greedy {
		a = append(a, "--greedy")
	}
	return a
}

func (s Scripted) args() []string {
	a := arguments{"--engine=scripted"}
	a.duration("--scripted-delay", s.Delay)
	a.count("--scripted-slots", s.Slots)
	if s.Factor > 0 {
		a = append(a, "--scripted-factor="+strconv.FormatFloat(s.Factor, 'g', -1, 64))
	}
	return a
}

// engineProcess is a local engine that comes when it can: once there are models, where it needs some, and again after a
// start that failed. A gateway listens meanwhile: after a restart clients come back within a second or two, and give up
// if nobody answers by then. Until the engine is there, utterances wait as they do for one that was lost.
type engineProcess struct {
	name   string
	start  func(context.Context) (*local.Recognizer, error)
	wanted func() bool // whether it is of any use now
	report func(outcome)

	engine atomic.Pointer[local.Recognizer]
	idle   atomic.Bool // not wanted so far
	cancel context.CancelFunc
	done   chan struct{} // closed when no further start will be tried
}

// outcome is how an attempt to start an engine ended; nil: it is there.
type outcome struct {
	name string
	err  error
}

// How long is waited between two looks whether an engine is wanted, and after a start that failed.
const (
	lookEvery  = 2 * time.Second
	retryStart = 30 * time.Second
)

// coming begins to bring a local engine up in the background.
func coming(ctx context.Context, p *engineProcess) *engineProcess {
	ctx, p.cancel = context.WithCancel(ctx)
	p.done = make(chan struct{})
	p.idle.Store(!p.wanted())
	go func() {
		defer close(p.done)
		p.bringUp(ctx)
	}()
	return p
}

// bringUp ends with the first start that succeeds, or with ctx.
func (p *engineProcess) bringUp(ctx context.Context) {
	for {
		for !p.wanted() {
			if !pause(ctx, lookEvery) {
				return
			}
		}
		p.idle.Store(false)
		engine, err := p.start(ctx)
		if ctx.Err() != nil {
			if err == nil {
				_ = engine.Close() // nobody is told any more
			}
			return
		}
		if err == nil {
			p.engine.Store(engine)
		}
		p.report(outcome{p.name, err})
		if err == nil || !pause(ctx, retryStart) {
			return
		}
	}
}

// pause waits, and tells whether it could wait to the end.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// there is the engine, or why it is not there.
func (p *engineProcess) there() (*local.Recognizer, error) {
	if engine := p.engine.Load(); engine != nil {
		return engine, nil
	}
	return nil, fmt.Errorf("%w: engine %s is starting", asr.ErrUnavailable, p.name)
}

// Close ends a start that is under way, and the engine.
func (p *engineProcess) Close() error {
	p.cancel()
	<-p.done
	if engine := p.engine.Load(); engine != nil {
		return engine.Close()
	}
	return nil
}

// Open starts an utterance, with ErrUnavailable as long as there is no engine.
func (p *engineProcess) Open(ctx context.Context, params asr.Params) (asr.Stream, error) {
	engine, err := p.there()
	if err != nil {
		return nil, err
	}
	return engine.Open(ctx, params)
}

// Models lists what the engine has: nothing, while it waits for models to be installed.
func (p *engineProcess) Models(ctx context.Context) ([]asr.Model, error) {
	engine, err := p.there()
	if err != nil && p.idle.Load() {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return engine.Models(ctx)
}

// Identify is the engine's.
func (p *engineProcess) Identify(ctx context.Context, samples []int16, among []string) (string, error) {
	engine, err := p.there()
	if err != nil {
		return "", err
	}
	return engine.Identify(ctx, samples, among)
}

// Punctuate is the engine's.
func (p *engineProcess) Punctuate(ctx context.Context, language, text string) (string, error) {
	engine, err := p.there()
	if err != nil {
		return "", err
	}
	return engine.Punctuate(ctx, language, text)
}

// Diarize is the engine's.
func (p *engineProcess) Diarize(ctx context.Context, samples []int16, want asr.Speakers) ([]asr.Turn, error) {
	engine, err := p.there()
	if err != nil {
		return nil, err
	}
	return engine.Diarize(ctx, samples, want)
}

// Denoise is the engine's.
func (p *engineProcess) Denoise(ctx context.Context) (asr.Denoising, error) {
	engine, err := p.there()
	if err != nil {
		return nil, err
	}
	return engine.Denoise(ctx)
}

// hasModels tells whether anything is installed in a folder of models.
func hasModels(dir string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			return true
		}
	}
	return false
}
