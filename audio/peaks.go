package audio

import "math"

// PeakTicks is the length of the stretch that one peak covers, in ticks: 20 ms.
const PeakTicks = 2

// Peaks gathers the lowest and the highest sample of every stretch of PeakTicks of a stream,
// channel by channel, for drawing it. It belongs to one goroutine at a time.
type Peaks struct {
	format  Format
	stretch int    // bytes
	rest    []byte // of an unfinished stretch
	samples []float64
	data    []int8 // of each stretch, of each channel: lowest, highest
}

// NewPeaks returns the peaks of a stream in a valid format, which has no samples yet.
func NewPeaks(f Format) *Peaks {
	return &Peaks{format: f, stretch: PeakTicks * f.TickBytes(), samples: make([]float64, PeakTicks*f.TickFrames())}
}

// Format returns the format of the stream.
func (p *Peaks) Format() Format { return p.format }

// Write takes the next bytes of the stream, cut anywhere. It never fails, and keeps nothing of b.
func (p *Peaks) Write(b []byte) (int, error) {
	n := len(b)
	if len(p.rest) > 0 {
		take := min(len(b), p.stretch-len(p.rest))
		p.rest, b = append(p.rest, b[:take]...), b[take:]
		if len(p.rest) < p.stretch {
			return n, nil
		}
		p.add(p.rest)
		p.rest = p.rest[:0]
	}
	for ; len(b) >= p.stretch; b = b[p.stretch:] {
		p.add(b[:p.stretch])
	}
	p.rest = append(p.rest, b...)
	return n, nil
}

// add takes a whole stretch.
func (p *Peaks) add(stretch []byte) {
	for c := range p.format.Channels {
		decodeChannel(p.samples, stretch, p.format, c)
		low, high := p.samples[0], p.samples[0]
		for _, s := range p.samples {
			low, high = min(low, s), max(high, s)
		}
		p.data = append(p.data, int8(math.Floor(low/256)), int8(min(math.Ceil(high/256), math.MaxInt8)))
	}
}

// Len is the number of whole stretches so far.
func (p *Peaks) Len() int { return len(p.data) / (2 * p.format.Channels) }

// Size is how many bytes of memory the peaks take.
func (p *Peaks) Size() int64 { return int64(cap(p.data) + cap(p.rest) + 8*len(p.samples)) }

// Join returns the stretches from one up to, but without, another, every so many of them as one: of
// each, of each channel, the lowest and the highest sample in 256 steps of full scale, -128 to 127.
// The last may be of fewer stretches.
func (p *Peaks) Join(from, to, every int) []int8 {
	width := 2 * p.format.Channels
	joined := make([]int8, 0, (to-from+every-1)/every*width)
	for ; from < to; from += every {
		at := len(joined)
		joined = append(joined, p.data[from*width:(from+1)*width]...)
		for next := from + 1; next < min(from+every, to); next++ {
			extend(joined[at:], p.data[next*width:(next+1)*width])
		}
	}
	return joined
}

// extend widens the peaks of all channels by those of another stretch.
func extend(peaks, by []int8) {
	for i := 0; i < len(peaks); i += 2 {
		peaks[i], peaks[i+1] = min(peaks[i], by[i]), max(peaks[i+1], by[i+1])
	}
}
