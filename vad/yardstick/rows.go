package yardstick

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"steno/vad"
	"steno/vad/corpus"
	"steno/vad/noise"
)

// Row is one thing measured against what it must reach and what would be good.
type Row struct {
	What, Must, Stretch string
	Reached             string
	OK, Good            bool
}

// Print writes rows as a table.
func Print(w io.Writer, rows []Row) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\twhat\tmust\tstretch\treached")
	for _, r := range rows {
		mark := "FAILS"
		if r.Good {
			mark = "good"
		} else if r.OK {
			mark = "ok"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", mark, r.What, r.Must, r.Stretch, r.Reached)
	}
	t.Flush()
}

// bound is a row that asks for at most so many percent missed, of false alarms and of
// both together; 100 asks nothing.
type bound struct{ miss, alarm, sum float64 }

func (b bound) holds(t *tally) bool {
	return t.miss() <= b.miss && t.alarm() <= b.alarm && t.miss()+t.alarm() <= b.sum
}

func (b bound) String() string {
	out := ""
	for _, p := range []struct {
		name  string
		value float64
	}{{"miss", b.miss}, {"FA", b.alarm}, {"sum", b.sum}} {
		if p.value < 100 {
			out += fmt.Sprintf("%s<=%g ", p.name, p.value)
		}
	}
	return out
}

func conversation(what string, must, stretch bound, t *tally) Row {
	return Row{
		What: what, Must: must.String(), Stretch: stretch.String(),
		Reached: fmt.Sprintf("%.1f / %.1f = %.1f", t.miss(), t.alarm(), t.miss()+t.alarm()),
		OK:      must.holds(t), Good: must.holds(t) && stretch.holds(t),
	}
}

// Conversations measures missed speech and false alarms on conversations with
// annotated turns. The one named hard, full of unannotated laughter and rustle, is
// left out of the second row.
func Conversations(n *vad.Network, clips []corpus.Clip, hard string) []Row {
	each := func(f func(corpus.Clip) corpus.Clip) *tally {
		var changed []corpus.Clip
		for _, c := range clips {
			changed = append(changed, f(c))
		}
		return measure(n, changed...)
	}
	white := func(snr float64) *tally {
		r := noise.Seed(100 + uint64(snr))
		return each(func(c corpus.Clip) corpus.Clip { return c.With(noise.White(len(c.Samples), r), snr) })
	}
	level := func(db float64) *tally {
		return each(func(c corpus.Clip) corpus.Clip { return c.At(db) })
	}
	clean := measure(n, clips...)
	easy := slices.DeleteFunc(slices.Clone(clips), func(c corpus.Clip) bool { return c.Name == hard })
	rows := []Row{
		conversation("conversations", bound{32, 20, 46}, bound{100, 100, 38}, clean),
		conversation("- without "+hard, bound{32, 16, 100}, bound{28, 8, 100}, measure(n, easy...)),
		conversation("- white noise 20 dB", bound{36, 8, 100}, bound{100, 100, 100}, white(20)),
		conversation("- white noise 10 dB", bound{38, 5, 100}, bound{31, 3, 100}, white(10)),
		conversation("- white noise 5 dB", bound{55, 3, 100}, bound{40, 100, 100}, white(5)),
		conversation("- at -40 dBFS", bound{clean.miss() + 4, clean.alarm() + 4, 100}, bound{100, 100, 100}, level(-40)),
		conversation("- at -60 dBFS", bound{100, 100, 100}, bound{40, 100, 100}, level(-60)),
		conversation("- over a telephone", bound{32, 28, 100}, bound{100, 18, 100}, each(func(c corpus.Clip) corpus.Clip {
			return corpus.Clip{Name: c.Name, Samples: noise.Telephone(c.At(-24).Samples), Labels: c.Labels}
		})),
	}
	rows[5].Must = "within 4 of clean"
	return rows
}

// Steady are sounds that never hold speech and are easily told: nothing of them may
// be called speech. The longer ones change level on the way.
func Steady() []corpus.Clip {
	r := noise.Seed(7)
	clip := func(name string, x []float64) corpus.Clip {
		return corpus.Clip{Name: name, Samples: x[:len(x)/corpus.Frame*corpus.Frame]}
	}
	s := noise.Seconds
	out := []corpus.Clip{
		clip("zeros", make([]float64, s(10))),
		clip("dither", noise.Scale(noise.White(s(10), r), 1.0/32768)),
		clip("pink", noise.At(-30, noise.Pink(s(30), r))),
		clip("brown", noise.At(-30, noise.Brown(s(30), r))),
		clip("step of 20 dB", noise.Step(s(30), 10, 20, 20, r)),
		clip("hum", noise.At(-35, noise.Hum(s(15)))),
		clip("tone 440", noise.Scale(noise.Tones(s(10), 440), 0.3)),
		clip("tone 1000", noise.Scale(noise.Tones(s(10), 1000), 0.1)),
		clip("dial tone", noise.Dial(s(10))),
		clip("ringback", noise.Ringback(s(24))),
		clip("busy", noise.Busy(s(12))),
		clip("dtmf", noise.DTMF("15903724680", 0.5, 1)),
		clip("dtmf fast", noise.DTMF("5559173402", 0.1, 0.1)),
	}
	for db := -80.0; db <= -10; db += 10 {
		out = append(out, clip(fmt.Sprintf("white %g", db), noise.At(db, noise.White(s(20), r))))
	}
	return out
}

// Lively are sounds that change as speech does.
func Lively() (music, others []corpus.Clip) {
	r := noise.Seed(77)
	s := noise.Seconds
	music = []corpus.Clip{{Name: "music", Samples: noise.At(-22, noise.Join(noise.Music(s(20), r), noise.Music(s(20), r)))}}
	others = []corpus.Clip{
		{Name: "clicks", Samples: noise.At(-35, noise.Clicks(s(20), r))},
		{Name: "siren", Samples: noise.Scale(noise.Siren(s(15)), 0.1)},
	}
	return music, others
}

// Noises measures how much of noise is called speech. Recorded noises may be missing.
func Noises(n *vad.Network, recorded []corpus.Clip) []Row {
	steady := Steady()
	music, others := Lively()
	called := measure(n, steady...)
	rows := []Row{{
		What: "steady noise and tones", Must: "0 segments", Stretch: "0 segments",
		Reached: fmt.Sprintf("%d segments, %.2f %% of time", called.segments, called.called()),
		OK:      called.segments == 0, Good: called.segments == 0,
	}}
	for _, c := range steady {
		if t := measure(n, c); t.segments > 0 {
			rows = append(rows, Row{What: "  " + c.Name, Reached: fmt.Sprintf("%d segments", t.segments)})
		}
	}
	share := func(what string, must, stretch float64, clips []corpus.Clip) {
		t := measure(n, clips...)
		rows = append(rows, Row{
			What: what, Must: fmt.Sprintf("<=%g %%", must), Stretch: fmt.Sprintf("<=%g %%", stretch),
			Reached: fmt.Sprintf("%.2f %% of time", t.called()),
			OK:      t.called() <= must, Good: t.called() <= stretch,
		})
	}
	share("generated music", 10, 2, music)
	if recorded != nil {
		share("recorded noise", 5, 2, recorded)
	}
	share("all noise", 5, 2.5, slices.Concat(steady, music, others, recorded))
	return rows
}
