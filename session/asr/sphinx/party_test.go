package sphinx

import (
	"testing"
	"time"

	"steno/session/asr"
)

// Finals of a party that has many waiting do not delay one of another, and those that have no
// decoder are given one in turn.
func TestPartiesTakeTurns(t *testing.T) {
	for _, decoders := range []int{1, 3} {
		simulate(t, Config{Slots: 1, Decoders: decoders, FinalDecoders: decoders}, slow{whole: 100 * ms},
			func(t *testing.T, r *Recognizer) {
				var heavy []asr.Stream
				for range 10 {
					u := opened(t, r, asr.Params{Party: "heavy"})
					try(t, u.Write(make([]int16, asr.Rate)), u.End())
					heavy = append(heavy, u)
				}
				time.Sleep(250 * ms)
				light := opened(t, r, asr.Params{Party: "light"})
				try(t, light.Write(make([]int16, 2*asr.Rate)))
				finalIn(t, light, 2*asr.Rate, 150*ms)
				for _, u := range heavy {
					outcome(t, u)
				}
			})
	}
}
