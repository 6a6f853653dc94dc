package main

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"

	"steno/session/asr/align"
	"steno/session/asr/moonshine"
	"steno/session/asr/rivaserver"
	"steno/session/asr/schedule"
)

type moonshineFlags struct {
	Decodes int `default:"0" help:"moonshine: variants of an utterance that a final chooses from, 1 to 5; 0: as asked, or up to 3."`
}

func loadMoonshine(ctx context.Context, f flags, stderr io.Writer) (rivaserver.Config, func() error, error) {
	if f.Models == "" {
		return rivaserver.Config{}, nil, fmt.Errorf("--engine=moonshine needs --models")
	}
	debug.SetGCPercent(50) // the garbage is audio, the memory that counts is the library's
	aligner := loadAligner(stderr)
	recognizer, err := moonshine.New(ctx, moonshine.Config{
		Dir: f.Models, Models: f.Use, Slots: f.Slots, Utterances: f.Utterances, Decodes: f.Moonshine.Decodes,
		Aligner: aligner,
	})
	if err != nil {
		closeAligner(aligner)
		return rivaserver.Config{}, nil, err
	}
	return rivaserver.Config{
			Recognizer: recognizer, Name: moonshine.Engine, MaxCalls: max(f.Utterances, minCalls),
			Models:  func() []schedule.Figures { return recognizer.Figures().Models },
			Figures: func() map[string]float64 { return moonshineFigures(recognizer.Figures()) },
		}, func() error {
			defer closeAligner(aligner)
			return recognizer.Close()
		}, nil
}

// loadAligner returns what finds the times of words; nil where PocketSphinx is missing.
func loadAligner(stderr io.Writer) *align.Pool {
	aligner, err := align.New(align.Config{})
	if err != nil {
		fmt.Fprintf(stderr, "steno-engine: times of words are estimates: %s\n", oneLine(err.Error()))
		return nil
	}
	return aligner
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

func closeAligner(p *align.Pool) {
	if p != nil {
		p.Close()
	}
}
