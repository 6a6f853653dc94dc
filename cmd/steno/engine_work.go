package main

import (
	"time"

	"steno/gateway/admission"
	"steno/session/asr/engines"
	"steno/session/asr/riva/enginepb"
)

// The places of classes in the figures of a model.
const (
	finals = iota
	firstPartials
	laterPartials
	recordings
	lagged  // finals' too, during the speech; earlier builds report neither this nor the next
	guesses // finals' too, while the speech may have ended
	classes = lagged
)

// engineLoads returns the loads of the engines that report the classes of their work; others are
// left out.
func engineLoads(all []engines.Figures) (loads []admission.EngineLoad) {
	for _, f := range all {
		l := admission.EngineLoad{Engine: f.Engine, Server: f.Server, Slots: int(f.Figures.GetSlots())}
		if l.Slots == 0 {
			continue
		}
		for _, m := range f.Figures.Models {
			if len(m.Classes) < classes {
				continue
			}
			l.Replay = l.Replay.Add(workOf(m.Classes[recordings]))
			l.Finals = l.Finals.Add(workOf(m.Classes[finals]))
			for _, early := range m.Classes[lagged:min(guesses+1, len(m.Classes))] {
				l.Finals = l.Finals.Add(decodingOf(workOf(early)))
			}
			before := workOf(m.Classes[firstPartials]).Add(workOf(m.Classes[laterPartials]))
			if m.OnlyPartials {
				l.Partials = l.Partials.Add(before)
				continue
			}
			// Decoded while it is spoken, for partials as for the final. Only work for finals shows
			// how long finals wait.
			l.Finals = l.Finals.Add(decodingOf(before))
		}
		loads = append(loads, l)
	}
	return loads
}

func workOf(c *enginepb.ClassFigures) admission.Work {
	processor := c.GetProcessorSeconds()
	if processor == 0 { // the engine cannot tell
		processor = c.GetDecodeSeconds()
	}
	return admission.Work{
		Jobs: c.GetJobs(), Waiting: int(c.GetWaiting()), Oldest: seconds(c.GetOldestSeconds()),
		Queued:   seconds(c.GetQueueSeconds()),
		Decoding: seconds(c.GetDecodeSeconds()), Audio: seconds(c.GetAudioSeconds()),
		Processor: seconds(processor),
	}
}

// decodingOf is work without its pieces and how they waited.
func decodingOf(w admission.Work) admission.Work {
	return admission.Work{Decoding: w.Decoding, Audio: w.Audio, Processor: w.Processor}
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
