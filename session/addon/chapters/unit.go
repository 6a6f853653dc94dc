package chapters

import (
	"steno/session/addon/sentences"
	"steno/session/addon/summary/terms"
)

// mostUnits bounds the work of the division, which grows with the square of the number of units.
const mostUnits = 600

// unit is a few consecutive sentences that stay together.
type unit struct {
	// to is the index of the sentence after its last.
	to int
	// stems are the numbers of the content words' stems.
	stems []int
	// speech and the pause before it are in seconds.
	speech, pause float64
	evidence      evidence
}

// units groups sentences: one in each unit, or more where there would be too many units.
func units(said []sentences.Sentence, reader *terms.Reader) (all []unit, priors []float64) {
	known := map[string]int{}
	habits := newHabits(reader)
	heard := 0.0 // the latest end of the sentences so far
	per := (len(said) + mostUnits - 1) / mostUnits
	for i, s := range said {
		if i%per == 0 {
			u := unit{pause: max(s.Start-heard, 0)}
			if i > 0 {
				u.evidence = habits.in(s.Language).evidence(said[i-1], s, reader)
			}
			all = append(all, u)
		}
		heard = max(heard, s.End)
		u := &all[len(all)-1]
		u.to = i + 1
		u.speech += max(s.End-s.Start, 0)
		for _, stem := range reader.Stems(s.Text, s.Language) {
			id, ok := known[stem]
			if !ok {
				id = len(known)
				known[stem] = id
				priors = append(priors, habits.in(s.Language).prior(stem))
			}
			u.stems = append(u.stems, id)
		}
	}
	return all, priors
}
