package audio

import (
	"errors"
	"fmt"
	"io"
)

// What makes channels distinct. After a codec equal channels differ by up to -15 dB in a window,
// measured below 3 kHz over MP3, MP2, AAC, Vorbis and Opus; the same voice in two microphones of a
// room, or two voices, differ by more than -8 dB.
const (
	// distinctWindow is the time over which channels are compared, in ticks: a fraction of a word.
	distinctWindow = 10
	// distinctWindows is how many windows must differ: less than a word, more than a click.
	distinctWindows = 2
	// distinctPart is the least energy of a difference as a part of the energy of the channels: -11
	// dB.
	distinctPart = 0.08
	// distinctFloor is the energy of a sample below which a channel is silent: -78 dB of full
	// scale.
	distinctFloor = 4.0 * 4.0
	// distinctRange is the least energy of a difference as a part of the loudest window so far: -50
	// dB.
	distinctRange = 1e-5
)

// DistinctChannels returns the channels of a recording that differ from each other: of each group
// of channels with the same content the first. Channels have the same content if they hardly differ
// in any tenth of a second, in the frequencies of speech; differences that lossy codecs or slightly
// different levels make do not count. So has a channel that is a copy of another in another level
// or polarity, through another codec, or up to half a second earlier or later. Two microphones that
// hear two people differ, since one is louder in one and the other in the other. Silent channels
// are left out; if all are silent the first is returned.
//
// from has interleaved samples in format f. It is read to the end only if some channels may be the
// same. The error is the reader's.
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
	c.copies.end()
	return c.distinct(), nil
}

// comparison compares the channels of a recording, window by window.
type comparison struct {
	format  Format
	bands   []band
	thin    int         // number of samples that are averaged to one, which keeps the frequencies of speech
	decoded []float64   // of a channel
	samples [][]float64 // of the window, by channel, filtered
	energy  []float64   // likewise
	loudest float64     // energy of a sample, in the loudest window of any channel so far
	audible []bool      // a sound was found in the channel
	differ  [][]int     // for channels a < b: number of windows in which they differ
	equal   [][]int     // and of those with a sound in which they do not
	copies  *copies
}

func newComparison(f Format) *comparison {
	c := &comparison{
		format: f, thin: max(f.SampleRate/Rate, 1), decoded: make([]float64, f.TickFrames()*distinctWindow),
		energy: make([]float64, f.Channels), audible: make([]bool, f.Channels),
		copies: newCopies(f.Channels, float64(f.SampleRate)/float64(max(f.SampleRate/Rate, 1))),
	}
	for range f.Channels {
		c.bands = append(c.bands, newBand(f.SampleRate/c.thin))
		c.samples = append(c.samples, make([]float64, len(c.decoded)/c.thin))
		c.differ = append(c.differ, make([]int, f.Channels))
		c.equal = append(c.equal, make([]int, f.Channels))
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
		c.copies.add(i, samples)
		c.loudest = max(c.loudest, c.energy[i])
		c.audible[i] = c.audible[i] || c.energy[i] > distinctFloor
	}
	floor := max(distinctFloor, c.loudest*distinctRange)
	for a := range c.differ {
		for b := a + 1; b < len(c.differ); b++ {
			between := difference(c.samples[a][:frames], c.samples[b][:frames]) / float64(frames)
			if between > max(floor, distinctPart*(c.energy[a]+c.energy[b])/2) {
				c.differ[a][b]++
			} else if max(c.energy[a], c.energy[b]) > max(distinctFloor, copyActive*c.loudest) {
				c.equal[a][b]++
			}
		}
	}
	c.copies.compare()
}

// apart reports whether two channels are known to differ. Where they are mostly equal, sample by
// sample, a word that one has more is heard though the other is louder, which copies would not
// tell.
func (c *comparison) apart(a, b int) bool {
	differ := c.differ[a][b]
	return differ >= distinctWindows && (differ < c.equal[a][b] || c.copies.apart(a, b))
}

// settled reports whether all pairs of channels are known to differ, which later windows cannot
// change.
func (c *comparison) settled() bool {
	for a := range c.differ {
		if !c.audible[a] {
			return false
		}
		for b := a + 1; b < len(c.differ); b++ {
			if !c.apart(a, b) {
				return false
			}
		}
	}
	return true
}

// distinct returns the channels with a sound, of those with the same content only the first.
func (c *comparison) distinct() []int {
	var list []int
	for b := range c.differ {
		own := c.audible[b]
		for _, a := range list {
			own = own && c.apart(a, b)
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

// means sets each sample to the mean of n of the others.
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
