package benchmark

import (
	"fmt"
	"slices"

	"steno/vad/training/corpus"
	"steno/vad/training/noise"
)

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
func (d Detector) Conversations(clips []corpus.Clip, hard string) []Row {
	each := func(f func(corpus.Clip) corpus.Clip) *tally {
		var changed []corpus.Clip
		for _, c := range clips {
			changed = append(changed, f(c))
		}
		return d.measure(changed...)
	}
	white := func(snr float64) *tally {
		r := noise.Seed(100 + uint64(snr))
		return each(func(c corpus.Clip) corpus.Clip { return c.With(noise.White(len(c.Samples), r), snr) })
	}
	level := func(db float64) *tally {
		return each(func(c corpus.Clip) corpus.Clip { return c.At(db) })
	}
	clean := d.measure(clips...)
	easy := slices.DeleteFunc(slices.Clone(clips), func(c corpus.Clip) bool { return c.Name == hard })
	quiet, softest := level(-40), level(-60)
	within := func(points float64) bound { return bound{clean.miss() + points, clean.alarm() + points, 100} }
	rows := []Row{
		conversation("conversations", bound{100, 10, 28}, bound{100, 5, 22}, clean),
		conversation("- without "+hard, bound{100, 10, 28}, bound{100, 5, 22}, d.measure(easy...)),
		conversation("- white noise 20 dB", bound{36, 8, 100}, bound{100, 100, 100}, white(20)),
		conversation("- white noise 10 dB", bound{37, 3, 100}, bound{33, 3, 100}, white(10)),
		conversation("- white noise 5 dB", bound{42, 3, 100}, bound{33, 3, 100}, white(5)),
		conversation("- at -40 dBFS", within(3), within(1), quiet),
		conversation("- at -60 dBFS", bound{35, 100, 100}, bound{26, 100, 100}, softest),
		conversation("- over a telephone", bound{22, 20, 100}, bound{100, 100, 30},
			each(func(c corpus.Clip) corpus.Clip {
				return corpus.Clip{Name: c.Name, Samples: noise.Telephone(c.At(-24).Samples), Labels: c.Labels}
			})),
	}
	rows[5].Must, rows[5].Stretch = "within 3 of clean", "within 1"
	return rows
}
