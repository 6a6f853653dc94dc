package benchmark

import (
	"fmt"
	"slices"

	"steno/vad/training/corpus"
)

// Noises measures how much of noise is called speech: of what is made by the project, and
// of recordings; those may be missing.
func (d Detector) Noises(recorded, everyday, tunes []corpus.Clip) []Row {
	steady := Steady()
	music, others := Lively()
	rows := d.steady(steady)
	share := func(what string, must, stretch float64, heldOut bool, clips []corpus.Clip) {
		if len(clips) == 0 {
			return
		}
		t := d.measure(clips...)
		rows = append(rows, Row{
			What: what, Must: fmt.Sprintf("<=%g %%", must), Stretch: fmt.Sprintf("<=%g %%", stretch),
			Reached: fmt.Sprintf("%.2f %% of time", t.called()),
			OK:      t.called() <= must, Good: t.called() <= stretch, HeldOut: heldOut,
		})
	}
	share("generated music", 2, 0, true, music)
	share("recorded noise", 4, 2.5, false, recorded)
	share("all noise", 0.8, 0.4, false, slices.Concat(steady, music, others, recorded))
	share("everyday noise", 6, 2.5, true, everyday)
	share("recorded music", 8, 4, true, tunes)
	return rows
}

// steady measures what must never be called speech, and names what is.
func (d Detector) steady(clips []corpus.Clip) []Row {
	called, low := d.measure(clips...), d.At(d.Threshold/2).measure(clips...)
	rows := []Row{{
		What: "steady noise and tones", Must: "0 segments", Stretch: "also at half the threshold",
		Reached: fmt.Sprintf("%d segments, %d", called.segments, low.segments),
		OK:      called.segments == 0, Good: called.segments == 0 && low.segments == 0,
	}}
	for _, c := range clips {
		if t := d.measure(c); t.segments > 0 {
			rows = append(rows, Row{What: "  " + c.Name, Reached: fmt.Sprintf("%d segments", t.segments)})
		}
	}
	return rows
}
