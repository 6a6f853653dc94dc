package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync/atomic"

	"steno/session/asr"
	"steno/session/asr/local"
)

// startEngine starts the engine process the configuration asks for and waits until it takes speech. onEvent, which may
// be nil, is told of its ends and restarts.
func startEngine(ctx context.Context, c Config, onEvent func(local.Event)) (*local.Recognizer, error) {
	binary := c.Engines.Binary
	if binary == "" {
		var err error
		if binary, err = local.FindBinary("steno-engine"); err != nil {
			return nil, err
		}
	}
	return local.Start(ctx, local.Config{Binary: binary, Args: engineArgs(c), OnEvent: onEvent})
}

// engineArgs is the engine's command line.
func engineArgs(c Config) []string {
	args := []string{"--engine=" + c.Engine}
	if c.Engine != "sphinx" {
		return args
	}
	s := c.Engines.Sphinx
	for flag, value := range map[string]string{
		"--model": s.Model, "--lm": s.LM, "--dict": s.Dictionary, "--language": s.Language,
	} {
		if value != "" {
			args = append(args, flag+"="+value)
		}
	}
	if s.Decoders > 0 {
		args = append(args, "--decoders="+strconv.Itoa(s.Decoders))
	}
	return args
}

// engineToCome is the recognizer of a gateway that listens while its engine still loads models: after a restart,
// clients come back within a second or two, and give up if nobody answers by then. Until the engine is there,
// utterances wait as they do for one that was lost.
type engineToCome struct {
	engine atomic.Pointer[local.Recognizer]
	cancel context.CancelFunc
	failed chan error    // has the error of a first start that failed
	done   chan struct{} // closed when the first start is over
}

// comingEngine starts the engine in the background.
func comingEngine(ctx context.Context, c Config, onEvent func(local.Event)) *engineToCome {
	ctx, cancel := context.WithCancel(ctx)
	e := &engineToCome{cancel: cancel, failed: make(chan error, 1), done: make(chan struct{})}
	go func() {
		defer close(e.done)
		engine, err := startEngine(ctx, c, onEvent)
		if err != nil {
			e.failed <- err
			return
		}
		e.engine.Store(engine)
	}()
	return e
}

// Open starts an utterance, with ErrUnavailable as long as there is no engine.
func (e *engineToCome) Open(ctx context.Context, p asr.Params) (asr.Utterance, error) {
	engine := e.engine.Load()
	if engine == nil {
		return nil, fmt.Errorf("%w: the engine is starting", asr.ErrUnavailable)
	}
	return engine.Open(ctx, p)
}

// ready tells why utterances would not be taken now.
func (e *engineToCome) ready() error {
	if engine := e.engine.Load(); engine == nil || engine.PID() == 0 {
		return errors.New("the engine is starting")
	}
	return nil
}

// Close ends a start that is under way, and the engine.
func (e *engineToCome) Close() error {
	e.cancel()
	<-e.done
	if engine := e.engine.Load(); engine != nil {
		return engine.Close()
	}
	return nil
}

// untilInterrupted is a context that the first signal ends.
func untilInterrupted(ctx context.Context, interrupts <-chan os.Signal) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-interrupts:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}
