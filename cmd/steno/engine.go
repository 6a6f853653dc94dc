package main

import (
	"context"
	"os"
	"strconv"

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
