package audio

import (
	"math"
	"slices"
)

// What makes a channel a copy of another: in every tenth of a second the energies of its bands are
// those of the other, but for a gain of each band that stays. Measured with speech, copies through
// GSM, G.726, Speex, Opus and MP3 at their lowest rates stray by up to 3 dB from that for two
// tenths of a second; two people in two microphones by 5.3 where each hears the other by 3 dB
// quieter, by 11 where it is 6 dB.
const (
	// copyStray is how far a copy may stray, in dB, in two tenths of a second after each other. Of
	// exact copies it is copyExact and copyUsual times as much more as the window in the middle
	// strays.
	copyStray, copyExact, copyUsual = 4.5, 2, 3
	// copyWindow is the time over which energies are compared, in ticks, and copyBlock the time in
	// which lag and gains are found.
	copyWindow, copyBlock = 10, 2000
	// copyLag is the longest lag, in ticks.
	copyLag = 50
	// copyLike is the least correlation of the levels of a copy and its original.
	copyLike = 0.5
	// copySounds is how many windows with a sound it takes to find lag and gains.
	copySounds = 5
	// copyActive is the energy of a sound as a part of that of the loudest window: -25 dB. What is
	// less than copyFaint of the loudest window of a band (-40 dB) does not count.
	copyActive, copyFaint = 3e-3, 1e-4
)

// copyBands are the frequencies of the bands' middles, in Hz: those of speech that the telephone
// has.
var copyBands = [...]float64{350, 680, 1200, 2200}

// bands are a channel's energies, by band.
type bands [len(copyBands)]float64

func (b bands) sum() (sum float64) {
	for _, v := range b {
		sum += v
	}
	return sum
}

// copies finds out which channels are copies of others. It holds the energies of a block of each
// channel.
type copies struct {
	filters []bandpass
	levels  [][]bands // by channel, of the ticks of the block
	carried int       // ticks of the block before
	loudest []bands   // by channel: the loudest window's, each band's own
	most    []float64 // by channel: the energy of the loudest window
	pairs   [][]pair  // for channels a < b
}

// pair is what is known of two channels.
type pair struct {
	known bool    // lag, gains and most are
	lag   int     // ticks by which b follows a
	gains bands   // b's energies to a's, in dB
	most  float64 // by how much b may stray, in dB
	apart bool    // b is no copy of a
}

func newCopies(channels int, rate float64) *copies {
	c := &copies{
		filters: make([]bandpass, channels), levels: make([][]bands, channels), loudest: make([]bands, channels),
		most: make([]float64, channels), pairs: make([][]pair, channels),
	}
	for i := range channels {
		c.filters[i], c.pairs[i] = newBandpass(rate), make([]pair, channels)
	}
	return c
}

// add appends whole ticks of a channel.
func (c *copies) add(channel int, samples []float64) {
	f := &c.filters[channel]
	for tick := range slices.Chunk(samples, f.tick) {
		c.levels[channel] = append(c.levels[channel], f.energies(tick))
	}
}

// compare compares the channels once a block is there.
func (c *copies) compare() {
	if len(c.levels[0]) >= c.carried+copyBlock {
		c.block()
	}
}

// end compares what is left.
func (c *copies) end() {
	if len(c.levels[0]) > c.carried {
		c.block()
	}
}

func (c *copies) block() {
	for i, list := range c.levels {
		for at := 0; at+copyWindow <= len(list); at += copyWindow {
			w := total(list[at : at+copyWindow])
			c.most[i] = max(c.most[i], w.sum())
			for k, v := range w {
				c.loudest[i][k] = max(c.loudest[i][k], v)
			}
		}
	}
	for a := range c.pairs {
		for b := a + 1; b < len(c.pairs); b++ {
			if p := &c.pairs[a][b]; !p.apart {
				c.compareTwo(a, b, p)
			}
		}
	}
	// What follows is compared with up to the longest lag before it.
	c.carried = min(copyLag+copyWindow, len(c.levels[0]))
	for i, list := range c.levels {
		c.levels[i] = append(list[:0], list[len(list)-c.carried:]...)
	}
}

func (c *copies) compareTwo(a, b int, p *pair) {
	if !p.known {
		like := 0.0
		if p.lag, like = lag(c.levels[a], c.levels[b]); like < copyLike {
			p.apart = c.sounds(a) || c.sounds(b)
			return
		}
	}
	windows := c.windows(a, b, p.lag)
	if !p.known && len(windows) > 0 {
		p.gains, p.known = gains(windows), true
		p.most = min(copyStray, copyExact+copyUsual*usual(windows, p.gains))
		p.apart = len(windows) < copySounds
	}
	strayed := -2 // none
	for _, w := range windows {
		if w.stray(p.gains) <= p.most {
			continue
		}
		p.apart = p.apart || strayed == w.number-1
		strayed = w.number
	}
}

// sounds reports whether the block of a channel has a sound.
func (c *copies) sounds(channel int) bool {
	for at, list := 0, c.levels[channel]; at+copyWindow <= len(list); at += copyWindow {
		if c.active(channel, total(list[at:at+copyWindow])) {
			return true
		}
	}
	return false
}

// active reports whether a channel has a sound in a window.
func (c *copies) active(channel int, w bands) bool {
	return w.sum() > max(copyActive*c.most[channel], distinctFloor*copyWindow)
}

// window is a tenth of a second of two channels with a sound.
type window struct {
	number  int
	ratio   bands // of b's energies to a's, in dB
	weights bands // of the bands; their sum is 1
}

// windows returns the windows of the block in which one of two channels has a sound.
func (c *copies) windows(a, b, lag int) (out []window) {
	x, y := c.levels[a], c.levels[b]
	x, y = x[max(0, -lag):], y[max(0, lag):]
	n := min(len(x), len(y)) / copyWindow
	for i := range n {
		u, v := total(x[i*copyWindow:(i+1)*copyWindow]), total(y[i*copyWindow:(i+1)*copyWindow])
		if !c.active(a, u) && !c.active(b, v) {
			continue
		}
		w := window{number: i}
		for k := range u {
			mostA, mostB := max(c.loudest[a][k], 1e-9), max(c.loudest[b][k], 1e-9)
			w.ratio[k] = 10 * math.Log10((v[k]+copyFaint*mostB)/(u[k]+copyFaint*mostA))
			w.weights[k] = max(u[k]/mostA, v[k]/mostB)
		}
		for k, sum := 0, w.weights.sum(); k < len(w.weights); k++ {
			w.weights[k] /= sum
		}
		out = append(out, w)
	}
	return out
}

// stray returns how far the window strays from gains, in dB.
func (w window) stray(gains bands) (sum float64) {
	for k, r := range w.ratio {
		sum += w.weights[k] * math.Abs(r-gains[k])
	}
	return sum
}

// usual returns the median of how far windows stray.
func usual(windows []window, gains bands) float64 {
	return median(windows, func(w window) float64 { return w.stray(gains) })
}

// gains returns the medians of the windows' ratios.
func gains(windows []window) (out bands) {
	for k := range out {
		out[k] = median(windows, func(w window) float64 { return w.ratio[k] })
	}
	return out
}

// median returns the median of what f returns for windows, of which there is one at least.
func median(windows []window, f func(window) float64) float64 {
	list := make([]float64, len(windows))
	for i, w := range windows {
		list[i] = f(w)
	}
	slices.Sort(list)
	return list[len(list)/2]
}

// lag returns the number of ticks by which b most likely follows a, and the correlation of their
// levels then.
func lag(a, b []bands) (best int, like float64) {
	x, y := loudness(a), loudness(b)
	like = -1
	for l := -copyLag; l <= copyLag; l++ {
		u, v := x[max(0, -l):], y[max(0, l):]
		var uv, uu, vv float64
		for i := range min(len(u), len(v)) {
			uv, uu, vv = uv+u[i]*v[i], uu+u[i]*u[i], vv+v[i]*v[i]
		}
		if r := uv / math.Sqrt(uu*vv); r > like {
			best, like = l, r
		}
	}
	return best, like
}

// loudness returns the logarithms of the ticks' energies, less their mean.
func loudness(ticks []bands) []float64 {
	out, most, mean := make([]float64, len(ticks)), 0.0, 0.0
	for _, t := range ticks {
		most = max(most, t.sum())
	}
	for i, t := range ticks {
		out[i] = math.Log(t.sum() + copyFaint*max(most, 1e-9))
		mean += out[i] / float64(len(ticks))
	}
	for i := range out {
		out[i] -= mean
	}
	return out
}

// total returns the energies of ticks.
func total(ticks []bands) (sum bands) {
	for _, t := range ticks {
		for k, v := range t {
			sum[k] += v
		}
	}
	return sum
}

// apart reports whether b is known to be no copy of a.
func (c *copies) apart(a, b int) bool { return c.pairs[a][b].apart }

// bandpass divides a channel into its bands.
type bandpass struct {
	tick    int // samples
	filters [len(copyBands)]biquad
	history [len(copyBands)]history
}

func newBandpass(rate float64) bandpass {
	b := bandpass{tick: int(rate / 100)}
	for k, middle := range copyBands {
		w := 2 * math.Pi * middle / rate
		alpha := math.Sin(w) / 3 // quality 1.5
		b.filters[k] = biquad{alpha / (1 + alpha), 0, -alpha / (1 + alpha), -2 * math.Cos(w) / (1 + alpha),
			(1 - alpha) / (1 + alpha)}
	}
	return b
}

// energies returns the mean energies of the samples of a tick.
func (b *bandpass) energies(samples []float64) (out bands) {
	for k := range out {
		for _, v := range samples {
			y := b.filters[k].next(&b.history[k], v)
			out[k] += y * y
		}
		out[k] /= float64(len(samples))
	}
	return out
}
