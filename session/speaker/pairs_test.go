package speaker

import (
	"fmt"
	"os"
	"testing"
)

// Two people who talk for a minute are two, whoever they are, of the same sex too, in stretches of
// one to six seconds. STENO_TEST_ALL=1 takes all pairs in place of each reader and the next.
func TestPairsOfReaders(t *testing.T) {
	people := []string{"1688", "2033", "2609", "3080", "367"}
	of := clips(t, 10, people...)
	tried, wrong := 0, 0
	for i, a := range people {
		others := people[i+1:]
		if os.Getenv("STENO_TEST_ALL") == "" {
			others = others[:min(len(others), 1-i%2)]
		}
		for _, b := range others {
			c := talk(fmt.Sprintf("%s and %s", a, b), []string{a, b}, of, 60, uint64(i))
			for _, speech := range [][]Span{c.speech(), nil} {
				turns := mustDiarize(t, c.samples, speech, Count{})
				tried++
				if e := score(c.truth, turns, rate/4); speakers(turns) != 2 || e.confused/e.speech > 0.05 {
					wrong++
					t.Logf("%s, speech given: %v: %d speakers, %.1f %% confused", c.name, speech != nil,
						speakers(turns), 100*e.confused/e.speech)
				}
			}
		}
	}
	if wrong > tried/20 {
		t.Errorf("%d of %d wrong", wrong, tried)
	}
}
