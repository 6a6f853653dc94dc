package audio

import (
	"errors"
	"fmt"
	"io"
)

// What makes channels distinct. Codecs give equal channels back with differences of up to -15 dB in a window, measured below
// 3 kHz over MP3, MP2, AAC, Vorbis and Opus; the same voice in two microphones of a room, or two voices, differ by more than
// -8 dB.
const (
	// distinctWindow is the time over which channels are compared, in ticks: a fraction of a word.
	distinctWindow = 10
	// distinctWindows is how many of them make channels distinct: less than a word, more than a click.
	distinctWindows = 2
	// distinctPart is the energy of the difference, as a part of that of the channels, from which on they differ: -11 dB.
	distinctPart = 0.08
	// distinctFloor is the energy of a sample below which there is nothing: -78 dB of full scale.
	distinctFloor = 4.0 * 4.0
	// distinctRange is the same as a part of the loudest window so far: -50 dB.
	distinctRange = 1e-5
)

// DistinctChannels tells which channels of a recording have something of their own to say, given its interleaved samples: the
// first of each group that hold the same. Channels hold the same where they hardly differ in any tenth of a second, in the
// frequencies that carry speech; what lossy codecs, and slightly different levels, make of equal channels counts as the same.
// A channel without any sound is not among them, unless none has any.
//
// It reads no further than it has to: to the end only where some channels may be the same. The error is the reader's.
func DistinctChannels(from io.Reader, f Format) ([]int, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	if f.Channels == 1 {
		return []int{0}, nil
	}
	c := newComparison(f)
	raw := make([]byte, f.TickBytes()*distinctWindow)
	for !c.settled() {
		n, err := io.ReadFull(from, raw)
		if ticks := n / f.TickBytes(); ticks > 0 {
			c.window(raw[:ticks*f.TickBytes()])
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("compare channels: %w", err)
		}
	}
	return c.distinct(), nil
}

// comparison is what is known of the channels of a recording so far.
type comparison struct {
	format  Format
	bands   []band
	thin    int         // so many samples count as one: enough are left for the frequencies that matter
	decoded []float64   // of a channel
	samples [][]float64 // of the window, by channel, filtered
	energy  []float64   // likewise
	loudest float64     // energy of a sample, in the loudest window of any channel so far
	audible []bool      // there was a sound in it
	differ  [][]int     // for channels a < b: windows in which they did
}

func newComparison(f Format) *comparison {
	c := &comparison{
		format: f, thin: max(f.SampleRate/Rate, 1), decoded: make([]float64, f.TickFrames()*distinctWindow),
		energy: make([]float64, f.Channels), audible: make([]bool, f.Channels),
	}
	for range f.Channels {
		c.bands = append(c.bands, newBand(f.SampleRate/c.thin))
		c.samples = append(c.samples, make([]float64, len(c.decoded)/c.thin))
		c.differ = append(c.differ, make([]int, f.Channels))
	}
	return c
}

// window compares the channels in some ticks.
func (c *comparison) window(raw []byte) {
	frames := len(raw) / c.format.FrameBytes() / c.thin
	for i := range c.bands {
		samples := c.samples[i][:frames]
		decodeChannel(c.decoded[:frames*c.thin], raw, c.format, i)
		means(samples, c.decoded, c.thin)
		c.bands[i].run(samples)
		c.energy[i] = energy(samples) / float64(frames)
		c.loudest = max(c.loudest, c.energy[i])
		c.audible[i] = c.audible[i] || c.energy[i] > distinctFloor
	}
	floor := max(distinctFloor, c.loudest*distinctRange)
	for a := range c.differ {
		for b := a + 1; b < len(c.differ); b++ {
			if c.differ[a][b] >= distinctWindows {
				continue
			}
			between := difference(c.samples[a][:frames], c.samples[b][:frames]) / float64(frames)
			if between > max(floor, distinctPart*(c.energy[a]+c.energy[b])/2) {
				c.differ[a][b]++
			}
		}
	}
}

// settled reports that every pair of channels is known to differ: nothing that follows can change that.
func (c *comparison) settled() bool {
	for a := range c.differ {
		if !c.audible[a] {
			return false
		}
		for b := a + 1; b < len(c.differ); b++ {
			if c.differ[a][b] < distinctWindows {
				return false
			}
		}
	}
	return true
}

// distinct returns the channels that have a sound, of those that hold the same only the first.
func (c *comparison) distinct() []int {
	var list []int
	for b := range c.differ {
		own := c.audible[b]
		for _, a := range list {
			own = own && c.differ[a][b] >= distinctWindows
		}
		if own {
			list = append(list, b)
		}
	}
	if len(list) == 0 {
		return []int{0}
	}
	return list
}

// means makes each sample the mean of n others.
func means(samples, of []float64, n int) {
	for i := range samples {
		var sum float64
		for _, v := range of[i*n : (i+1)*n] {
			sum += v
		}
		samples[i] = sum / float64(n)
	}
}

func energy(samples []float64) (sum float64) {
	for _, v := range samples {
		sum += v * v
	}
	return sum
}

func difference(a, b []float64) (sum float64) {
	for i, v := range a {
		sum += (v - b[i]) * (v - b[i])
	}
	return sum
}
