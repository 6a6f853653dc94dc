package audio_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"steno/audio"
)

// upsampled converts samples in pieces of the lengths that next returns.
func upsampled(samples []int16, next func() int) (out []int16) {
	var u audio.Upsampler
	for len(samples) > 0 {
		n := min(next(), len(samples))
		out = u.Append(out, samples[:n])
		samples = samples[n:]
	}
	return u.Flush(out)
}

func whole() int { return math.MaxInt }

// TestUpsamplerTones expects tones where they were, and nothing else.
func TestUpsamplerTones(t *testing.T) {
	const level = 16000.0
	for _, hz := range []float64{100, 440, 1000, 3000, 6000, 7000} {
		in := make([]int16, audio.Rate)
		for i := range in {
			in[i] = int16(math.RoundToEven(level * math.Sin(2*math.Pi*hz*float64(i)/audio.Rate)))
		}
		out := upsampled(in, whole)
		if len(out) != audio.UpsampledRate {
			t.Fatalf("%d samples of %d", len(out), len(in))
		}
		var worst float64
		for i := 1000; i < len(out)-1000; i++ {
			want := level * math.Sin(2*math.Pi*hz*float64(i)/audio.UpsampledRate)
			worst = max(worst, math.Abs(float64(out[i])-want))
		}
		if worst > level/200 {
			t.Errorf("%v Hz: off by %v of %v", hz, worst, level)
		}
	}
}

// TestUpsamplerCuts expects the same however a stream is cut, and three samples for two.
func TestUpsamplerCuts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 3, 159, 160, 48001} {
		in := make([]int16, n)
		for i := range in {
			in[i] = int16(random.IntN(1 << 16))
		}
		want := upsampled(in, whole)
		if len(want) != (3*n+1)/2 {
			t.Errorf("%d samples of %d", len(want), n)
		}
		for name, next := range map[string]func() int{
			"1": func() int { return 1 }, "160": func() int { return 160 },
			"random": func() int { return random.IntN(3000) },
		} {
			if !slices.Equal(upsampled(in, next), want) {
				t.Errorf("%d samples in pieces of %s: another result", n, name)
			}
		}
	}
}
