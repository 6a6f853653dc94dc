package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"steno/session/asr/moonshine"
	"steno/session/asr/rivaserver"
	"steno/session/asr/scripted"
	"steno/session/asr/sherpa"
	"steno/session/asr/sphinx"
)

type sphinxFlags struct {
	Model         string        `placeholder:"FOLDER" help:"sphinx: acoustic model. Default: Debian's US English."`
	LM            string        `name:"lm" placeholder:"FILE" help:"sphinx: language model."`
	Dict          string        `placeholder:"FILE" help:"sphinx: pronunciation dictionary."`
	Language      string        `default:"en" help:"Language code of the models."`
	Decoders      int           `default:"0" help:"sphinx: decoders in all, about 100 MB each; 0: eight for each slot."`
	Vocabularies  int           `default:"0" help:"sphinx: vocabularies kept ready, a decoder each; 0: 4."`
	FinalDecoders int           `default:"0" help:"sphinx: how many of them are for finals, one for each speaker best; 0: five of eight."`
	Accurate      bool          `help:"sphinx: wider search for finals, 2.4 times the work."`
	PartialEvery  time.Duration `default:"100ms" help:"sphinx: audio between partials."`
}

type scriptedFlags struct {
	Delay  time.Duration `help:"scripted: wait before each final."`
	Factor float64       `placeholder:"SECONDS" help:"scripted: and so much more for each second of audio."`
	Slots  int           `help:"scripted: finals waited for at a time; 0: no bound."`
}

// load makes the configured recognizer and the server's configuration. shut closes the recognizer.
func load(ctx context.Context, f flags, stderr io.Writer) (config rivaserver.Config, shut func() error, err error) {
	switch f.Engine {
	case scripted.Engine:
		return loadScripted(f)
	case sherpa.Engine:
		return loadSherpa(ctx, f, stderr)
	case moonshine.Engine:
		return loadMoonshine(ctx, f, stderr)
	}
	return loadSphinx(ctx, f)
}

func loadScripted(f flags) (rivaserver.Config, func() error, error) {
	if f.Scripted.Delay < 0 || f.Scripted.Factor < 0 || f.Scripted.Slots < 0 {
		return rivaserver.Config{}, nil, fmt.Errorf("the cost of scripted finals must not be negative")
	}
	recognizer := scripted.New(scripted.Config{
		Delay: f.Scripted.Delay, Factor: f.Scripted.Factor, Slots: f.Scripted.Slots,
	})
	nothing := func() error { return nil }
	return rivaserver.Config{Recognizer: recognizer, Name: scripted.Engine}, nothing, nil
}

func loadSphinx(ctx context.Context, f flags) (rivaserver.Config, func() error, error) {
	s := f.Sphinx
	name := "sphinx"
	if s.Accurate {
		name = "sphinx-accurate"
	}
	recognizer, err := sphinx.New(ctx, sphinx.Config{
		Model: s.Model, LM: s.LM, Dict: s.Dict, Language: s.Language, Name: name, Slots: f.Slots, Decoders: s.Decoders,
		FinalDecoders: s.FinalDecoders, Vocabularies: s.Vocabularies, Utterances: f.Utterances, Accurate: s.Accurate,
		PartialEvery: s.PartialEvery,
	})
	if err != nil {
		return rivaserver.Config{}, nil, fmt.Errorf("load sphinx: %w", err)
	}
	return rivaserver.Config{
		Recognizer: recognizer, Name: name, MaxCalls: f.Utterances, Models: recognizer.Figures,
		Figures: func() map[string]float64 { return sphinxFigures(recognizer.Stats()) },
	}, recognizer.Close, nil
}

// sphinxFigures names the recognizer's figures for monitoring; times are in seconds.
func sphinxFigures(s sphinx.Stats) map[string]float64 {
	figures := map[string]float64{
		"slots": float64(s.Slots), "busy": float64(s.Busy),
		"final_decoders": float64(s.FinalDecoders), "final_decoders_idle": float64(s.FinalIdle),
		"live_decoders": float64(s.LiveDecoders), "live_decoders_idle": float64(s.LiveIdle),
		"open": float64(s.Open), "speaking": float64(s.Speaking), "refused": float64(s.Refused),
		"queue_live_finals": float64(s.LiveFinals), "queue_first_partials": float64(s.FirstPartials),
		"queue_later_partials": float64(s.LaterPartials), "queue_replay_finals": float64(s.ReplayFinals),
		"finals": float64(s.Finals.Count), "final_audio": s.Finals.Audio.Seconds(),
		"final_time":    s.Finals.Time.Seconds(),
		"final_longest": s.Finals.Longest.Seconds(), "chunks": float64(s.Chunks.Count),
		"chunk_audio": s.Chunks.Audio.Seconds(), "chunk_time": s.Chunks.Time.Seconds(),
		"chunk_longest": s.Chunks.Longest.Seconds(),
		"lagged":        float64(s.Lagged.Count), "lagged_time": s.Lagged.Time.Seconds(),
		"lagged_longest": s.Lagged.Longest.Seconds(),
		"waited":         s.Waited.Seconds(), "longest_wait": s.LongestWait.Seconds(),
		"speculations": float64(s.Speculations.Begun), "speculations_used": float64(s.Speculations.Used),
		"speculations_wasted": float64(s.Speculations.Wasted),
		"vocabularies_loaded": float64(s.Vocabularies.Count), "vocabulary_time": s.Vocabularies.Time.Seconds(),
	}
	for reason, count := range s.Dropped {
		figures["dropped_"+string(reason)] = float64(count)
	}
	return figures
}
