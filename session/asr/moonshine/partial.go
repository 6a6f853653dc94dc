package moonshine

import (
	"steno/session/asr"
	"steno/session/asr/whole"
)

const (
	// window is the audio that a partial decodes (8 s): the encoder hears all of it again each time.
	window = 8 * rate
	// kept is how much of a window that has grown too long stays in it: the last 3 to 5 s. What is before is decoded once
	// more, and not changed in later partials.
	keptLeast, keptMost = 3 * rate, 5 * rate
)

// growth is what partials of an utterance know of it.
type growth struct {
	from   int     // where the window begins
	before outcome // the text before it
	draft  []int   // the newest text of the window
}

// partial decodes what has been said so far, without influence on the final.
func (x decoding) partial(samples []int16, g growth) (words []asr.Word, next growth, err error) {
	if len(samples)-g.from > window {
		if g, err = x.settle(samples, g); err != nil {
			return nil, g, err
		}
	}
	heard := samples[g.from:]
	h, err := x.m.decode(x.d, variants[0].apply(heard), g.draft, x.lexis, x.yield)
	if err != nil {
		return nil, g, err
	}
	g.draft = h.ids
	o := x.m.outcome(h, heard)
	if g.from == 0 {
		return o.words, g, nil
	}
	before := g.before
	before.words = append([]asr.Word(nil), before.words...) // join changes the words at the cut
	return before.join(o).words, g, nil
}

// settle moves the window to the quietest place that leaves it some seconds.
func (x decoding) settle(samples []int16, g growth) (growth, error) {
	heard := samples[g.from:]
	at := whole.Quietest(heard, len(heard)-keptMost, len(heard)-keptLeast)
	h, err := x.m.decode(x.d, variants[0].apply(heard[:at]), g.draft, x.lexis, x.yield)
	if err != nil {
		return g, err
	}
	o := x.m.outcome(h, heard[:at])
	if g.from > 0 {
		o = g.before.join(o)
	}
	return growth{from: g.from + at, before: o}, nil
}
