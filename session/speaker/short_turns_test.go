package speaker

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// manner is how people talk: the lengths of their turns and of the pauses between, in seconds.
type manner struct {
	name        string
	turn, pause [2]float64
}

var (
	brisk   = manner{"brisk", [2]float64{1, 2.5}, [2]float64{0.3, 0.8}}
	gapless = manner{"gapless", [2]float64{1, 2.5}, [2]float64{0.02, 0.25}}
	calm    = manner{"calm", [2]float64{3, 7}, [2]float64{0.3, 0.8}}
)

// talking has people of whom there are clips take turns for so many seconds. change makes each turn
// louder, softer or noisier.
func (m manner) talking(who []string, of map[string][][]int16, seconds int, seed uint64,
	change func([]int16, *rand.Rand) []int16) conversation {
	r := rand.New(rand.NewPCG(seed, 8))
	c := conversation{name: fmt.Sprint(m.name, who)}
	tape := make([][]int16, len(who))
	for k, w := range who {
		tape[k] = slices.Concat(of[w]...)
	}
	between := func(b [2]float64) int { return int((b[0] + (b[1]-b[0])*r.Float64()) * rate) }
	last := -1
	for len(c.samples) < seconds*rate {
		k := r.IntN(len(who))
		for k == last && len(who) > 1 {
			k = r.IntN(len(who))
		}
		last = k
		n, gap := between(m.turn), between(m.pause)
		if n > len(tape[k]) {
			break
		}
		for range gap {
			c.samples = append(c.samples, int16(r.NormFloat64()*4))
		}
		x := tape[k][:n]
		tape[k] = tape[k][n:]
		if change != nil {
			x = change(x, r)
		}
		c.truth = append(c.truth, Turn{Start: len(c.samples), End: len(c.samples) + n, Speaker: k})
		c.samples = append(c.samples, x...)
	}
	c.samples = append(c.samples, make([]int16, rate/5)...)
	return c
}

// uneven changes the loudness by up to 12 dB and adds noise.
func uneven(x []int16, r *rand.Rand) []int16 {
	gain, noise := 0.25+0.75*r.Float64(), 60*r.Float64()
	out := make([]int16, len(x))
	for i, s := range x {
		out[i] = int16(max(-32768, min(32767, gain*float64(s)+noise*r.NormFloat64())))
	}
	return out
}

// TestTurnsWithoutPauses: people who take turns of 1 to 2.5 s for a minute, without pauses, are
// distinguished, and a single person is one, however loud and with whatever noise each piece is.
// STENO_TEST_ALL=1 prints a table of more of them, and of people who leave pauses, whose division
// has to stay.
func TestTurnsWithoutPauses(t *testing.T) {
	people := []string{"1688", "2033", "2609", "3080", "367"}
	of := clips(t, 30, people...)
	if os.Getenv("STENO_TEST_ALL") != "" {
		for _, m := range []manner{brisk, gapless, calm} {
			for n := 1; n <= 3; n++ {
				m.table(t, people, of, n)
			}
		}
	}
	talks := []struct {
		seed   uint64
		who    []string
		change func([]int16, *rand.Rand) []int16
	}{
		{2, []string{"367", "3080"}, nil}, {9, []string{"367", "2609", "2033"}, uneven}, {7, []string{"2033"}, uneven},
		{10, []string{"2033", "3080"}, nil}, {4, []string{"367", "2033", "2609"}, nil}, {5, []string{"1688"}, uneven},
	}
	if os.Getenv("STENO_TEST_ALL") == "" {
		talks = talks[:3]
	}
	for _, x := range talks {
		c := gapless.talking(x.who, of, 60, x.seed, x.change)
		turns := mustDiarize(t, c.samples, nil, Count{})
		if e := score(c.truth, turns, rate/4); speakers(turns) != len(x.who) || e.confused > 0.1*e.speech {
			t.Errorf("%s: %d speakers, %.1f %% confused", c.name, speakers(turns), 100*e.confused/e.speech)
		}
	}
}

// table logs how often the number of speakers is right, and how much is confused, in talks of so
// many of the people; every other talk is uneven.
func (m manner) table(t *testing.T, people []string, of map[string][][]int16, n int) {
	var sum errorTimes
	right, talks := 0, 12
	for seed := range talks {
		var who []string
		for _, k := range rand.New(rand.NewPCG(uint64(seed), uint64(n))).Perm(len(people))[:n] {
			who = append(who, people[k])
		}
		change := uneven
		if seed%2 == 0 {
			change = nil
		}
		c := m.talking(who, of, 60, uint64(seed), change)
		turns := mustDiarize(t, c.samples, nil, Count{})
		sum.add(score(c.truth, turns, rate/4))
		if speakers(turns) == n {
			right++
		}
	}
	t.Logf("%s, %d: number right in %d of %d, %.1f %% confused, error rate %.1f %%", m.name, n, right, talks,
		100*sum.confused/sum.speech, sum.rate())
}
