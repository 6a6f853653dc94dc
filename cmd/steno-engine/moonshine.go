package main

import (
	"context"
	"fmt"

	"steno/session/asr/moonshine"
	"steno/session/asr/rivaserver"
	"steno/session/asr/schedule"
)

type moonshineFlags struct {
	Decodes int `default:"0" help:"moonshine: variants of an utterance that a final chooses from, 1 to 4; 0: 2."`
}

func loadMoonshine(ctx context.Context, f flags) (rivaserver.Config, func() error, error) {
	if f.Models == "" {
		return rivaserver.Config{}, nil, fmt.Errorf("--engine=moonshine needs --models")
	}
	recognizer, err := moonshine.New(ctx, moonshine.Config{
		Dir: f.Models, Models: f.Use, Slots: f.Slots, Utterances: f.Utterances, Decodes: f.Moonshine.Decodes,
	})
	if err != nil {
		return rivaserver.Config{}, nil, err
	}
	return rivaserver.Config{
		Recognizer: recognizer, Name: moonshine.Engine, MaxCalls: max(f.Utterances, minCalls),
		Models:  func() []schedule.Figures { return recognizer.Figures().Models },
		Figures: func() map[string]float64 { return moonshineFigures(recognizer.Figures()) },
	}, recognizer.Close, nil
}

// moonshineFigures names the recognizer's figures for monitoring.
func moonshineFigures(f moonshine.Figures) map[string]float64 {
	figures := map[string]float64{
		"slots": float64(f.Slots), "busy": float64(f.Busy), "open": float64(f.Open), "refused": float64(f.Refused),
		"models": float64(len(f.Models)),
	}
	for reason, count := range f.Dropped {
		figures["dropped_"+reason] = float64(count)
	}
	return figures
}
