package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"steno/session/asr/rivaserver"
	"steno/session/asr/schedule"
	"steno/session/asr/sherpa"
)

type sherpaFlags struct {
	Threads   int           `default:"1" help:"sherpa: processors for one decode."`
	Batch     int           `default:"8" help:"sherpa: utterances in one decode of a streaming model at most."`
	BatchWait time.Duration `help:"sherpa: wait for others to decode with, while a processor is free."`
	Greedy    bool          `help:"sherpa: faster search of transducers, without vocabularies."`
}

// minCalls is how many calls are taken at least: each model has Utterances of its own and refuses
// those beyond, and there are calls for capabilities.
const minCalls = 1024

func loadSherpa(ctx context.Context, f flags, stderr io.Writer) (rivaserver.Config, func() error, error) {
	s := f.Sherpa
	if f.Models == "" {
		return rivaserver.Config{}, nil, fmt.Errorf("--engine=sherpa needs --models")
	}
	self, err := os.Executable()
	if err != nil {
		return rivaserver.Config{}, nil, err
	}
	recognizer, err := sherpa.New(ctx, sherpa.Config{
		Dir: f.Models, Models: f.Use, Slots: f.Slots, Batch: s.Batch, BatchWait: s.BatchWait, Threads: s.Threads,
		Utterances: f.Utterances, Greedy: s.Greedy,
		Probe: func(ctx context.Context, dirs ...string) error { return probe(ctx, self, dirs) },
		OnProblem: func(folder string, err error) {
			fmt.Fprintf(stderr, "steno-engine: model not served: %s: %s\n", folder, oneLine(err.Error()))
		},
	})
	if err != nil {
		return rivaserver.Config{}, nil, err
	}
	return rivaserver.Config{
		Recognizer: recognizer, Name: sherpa.Engine, MaxCalls: max(f.Utterances, minCalls),
		Models:  func() []schedule.Figures { return recognizer.Figures().Models },
		Figures: func() map[string]float64 { return sherpaFigures(recognizer.Figures()) },
	}, recognizer.Close, nil
}

// sherpaFigures names the recognizer's figures for monitoring.
func sherpaFigures(f sherpa.Figures) map[string]float64 {
	figures := map[string]float64{
		"slots": float64(f.Slots), "busy": float64(f.Busy), "open": float64(f.Open), "refused": float64(f.Refused),
		"models": float64(len(f.Models)), "problems": float64(f.Problems),
	}
	for reason, count := range f.Dropped {
		figures["dropped_"+string(reason)] = float64(count)
	}
	return figures
}
