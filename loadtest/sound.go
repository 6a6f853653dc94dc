package loadtest

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"steno/audio"
)

// noiseLength is how much noise of a room is made at most; longer pauses repeat it.
const noiseLength = 5 * time.Second

// Pause lengths vary from half to one and a half of their mean.
const leastPause, pauseSpread = 0.5, 1.0

// withPauses returns the clips with a pause after each, so that silence is that share of the whole,
// 0 to below 1. A pause is not digital silence: it is the noise of a room, as loud as the quietest
// parts of the recording.
func withPauses(clips []*Clip, silence float64, seed uint64) []*Clip {
	r := rand.New(rand.NewPCG(seed, 0x70617573))
	out := make([]*Clip, len(clips))
	for i, c := range clips {
		d := *c
		d.pause = nil
		frame := int64(c.Format.FrameBytes())
		mean := float64(len(c.Data)) * silence / (1 - silence)
		left := int64(mean*(leastPause+pauseSpread*r.Float64())) / frame * frame
		longest := int64(noiseLength.Seconds()*float64(c.Format.SampleRate)) * frame
		for noise := roomNoise(c.Format, noiseFloor(c), min(left, longest)/frame, r); left > 0; left -= longest {
			d.pause = append(d.pause, noise[:min(left, longest)])
		}
		out[i] = &d
	}
	return out
}

// noiseFloor is the effective value of the quietest tenth of a recording, in 16-bit steps, within
// what rooms have. Where the samples are not 16-bit PCM it is that of a quiet room, -60 dB.
func noiseFloor(c *Clip) float64 {
	const least, usual, most = 2, 33, 330
	if c.Format.Encoding != audio.PCM || c.Format.BitDepth != 16 {
		return usual
	}
	window := c.Format.SampleRate / 50 * c.Format.FrameBytes()
	var levels []float64
	for at := 0; at+window <= len(c.Data); at += window {
		sum := 0.0
		for i := at; i < at+window; i += 2 {
			x := float64(int16(binary.LittleEndian.Uint16(c.Data[i:])))
			sum += x * x
		}
		levels = append(levels, math.Sqrt(sum/float64(window/2)))
	}
	if len(levels) == 0 {
		return usual
	}
	slices.Sort(levels)
	return min(max(levels[len(levels)/10], least), most)
}

// roomNoise is so many frames of noise with an effective value in 16-bit steps, duller than white
// noise as that of rooms is.
func roomNoise(f audio.Format, level float64, frames int64, r *rand.Rand) []byte {
	const smooth = 0.3                           // of a one-pole low-pass
	gain := level * math.Sqrt((2-smooth)/smooth) // which leaves white noise that much less
	var b []byte
	y := make([]float64, f.Channels)
	for range frames {
		for c := range y {
			y[c] += smooth * (r.NormFloat64() - y[c])
			b = f.AppendSample(b, gain*y[c])
		}
	}
	return b
}

// spread returns clips of n channels that all play a mono recording, each from another place on;
// clips with several channels are left as they are.
func spread(clips []*Clip, n int) []*Clip {
	out := make([]*Clip, len(clips))
	for i, c := range clips {
		if c.Format.Channels != 1 {
			out[i] = c
			continue
		}
		d := *c
		d.Format.Channels = n
		frame := c.Format.FrameBytes()
		frames := len(c.Data) / frame
		d.Data = make([]byte, 0, n*len(c.Data))
		for at := range frames {
			for channel := range n {
				from := (at + channel*frames/n) % frames * frame
				d.Data = append(d.Data, c.Data[from:from+frame]...)
			}
		}
		out[i] = &d
	}
	return out
}
