package main

import (
	"reflect"
	"testing"
	"time"

	"steno/gateway/admission"
	"steno/session/asr/engines"
	"steno/session/asr/riva/enginepb"
)

// What is decoded for finals before their utterances end counts as theirs, but not how long it
// waits: nobody does for it. Engines of earlier builds tell less.
func TestLoadsOfEngines(t *testing.T) {
	var classes []*enginepb.ClassFigures
	for i := range guesses + 1 {
		amount := float64(int(1) << i)
		classes = append(classes, &enginepb.ClassFigures{
			Jobs: 1 << i, Waiting: 1, OldestSeconds: amount, QueueSeconds: amount, DecodeSeconds: 2 * amount,
			AudioSeconds: amount, ProcessorSeconds: amount,
		})
	}
	work := func(jobs, more int) admission.Work {
		w := admission.Work{Jobs: int64(jobs), Queued: time.Duration(jobs) * time.Second,
			Oldest: time.Duration(jobs) * time.Second, Waiting: 1}
		sum := time.Duration(jobs+more) * time.Second
		w.Decoding, w.Audio, w.Processor = 2*sum, sum, sum
		return w
	}
	for all, early := range map[int]int{4: 0, 5: 16, 6: 48} {
		model := &enginepb.ModelFigures{Classes: classes[:all]}
		partials := &enginepb.ModelFigures{Classes: classes[:4], OnlyPartials: true}
		figures := &enginepb.Figures{Slots: 2, Models: []*enginepb.ModelFigures{model}}
		got := engineLoads([]engines.Figures{{Engine: "e", Figures: figures}})
		want := []admission.EngineLoad{{Engine: "e", Slots: 2, Finals: work(1, 2+4+early), Replay: work(8, 0)}}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d classes:\n got %+v\nwant %+v", all, got, want)
		}
		figures.Models = []*enginepb.ModelFigures{partials}
		got = engineLoads([]engines.Figures{{Engine: "e", Figures: figures}})
		if p := got[0].Partials; p.Jobs != 6 || p.Waiting != 2 || p.Decoding != 12*time.Second {
			t.Errorf("partials %+v", p)
		}
	}
	if got := engineLoads([]engines.Figures{{Engine: "tells nothing"}}); got != nil {
		t.Errorf("an engine that tells nothing: %+v", got)
	}
}
