package vad

import "math"

const (
	firstBin = 4   // 125 Hz
	endBin   = 124 // 3875 Hz: no more than a telephone carries
	// Bands is how many mel-spaced bands the spectrum is summed into.
	Bands = 18

	// quiet is the largest sample of a window that counts as digital silence: the
	// last bit and its dither. Such a window has the spectrum zero by definition,
	// which is what lets it pass without a transform.
	quiet = 2
)

// bitNoise is the power per bin of white noise of 1 LSB rms seen through the window.
var bitNoise = math.Pow(1.0/32768, 2) * winSize * 3 / 8

// floorPower is added to estimates of noise: it keeps digital silence below 0 dB.
var floorPower = 3 * bitNoise

// fullScale is the level in dB, summed over the bins, of white noise of 0 dBFS rms.
var fullScale = 10 * math.Log10(winSize*3.0/8*(endBin-firstBin))

// bandEdges are the first bins of the bands, and the end of the last.
var bandEdges = mel()

// mel spaces the bands equally on the mel scale, each at least one bin wide.
func mel() (edges [Bands + 1]int) {
	toMel := func(hz float64) float64 { return 2595 * math.Log10(1+hz/700) }
	low, high := toMel(125), toMel(3900)
	edges[0] = firstBin
	for i := 1; i <= Bands; i++ {
		hz := 700 * (math.Pow(10, (low+(high-low)*float64(i)/Bands)/2595) - 1)
		edges[i] = max(int(math.Round(hz/31.25)), edges[i-1]+1)
	}
	edges[Bands] = endBin
	return edges
}

// spectrum holds the window that ends with the latest frame and its power.
type spectrum struct {
	window [winSize]int16
	calm   int // frames in a row without a sample above quiet, at most 4

	power [endBin + 1]float64 // of bins 1..endBin
	band  [Bands]float64      // mean power of the bins of a band

	re, im [points]float64 // scratch of the transforms
}

// push takes a frame; silent says that the window is digital silence, its power zero.
func (s *spectrum) push(frame []int16, gate bool) (silent bool) {
	copy(s.window[:], s.window[FrameSamples:])
	copy(s.window[winSize-FrameSamples:], frame)
	s.calm = min(s.calm+1, 4)
	for _, v := range frame {
		if v > quiet || v < -quiet {
			s.calm = 0
			break
		}
	}
	silent = s.calm == 4
	if silent && gate {
		s.power, s.band = [endBin + 1]float64{}, [Bands]float64{}
		return true
	}
	s.measure(silent)
	return silent
}

func (s *spectrum) measure(silent bool) {
	scale := 1.0 / 32768
	if silent {
		scale = 0
	}
	for i := range s.re {
		s.re[i] = float64(s.window[2*i]) * tables.window[2*i] * scale
		s.im[i] = float64(s.window[2*i+1]) * tables.window[2*i+1] * scale
	}
	transform(&s.re, &s.im)
	for k := 1; k <= endBin; k++ {
		i, j := tables.reverse[k], tables.reverse[points-k]
		evenR, evenI := (s.re[i]+s.re[j])/2, (s.im[i]-s.im[j])/2
		oddR, oddI := (s.im[i]+s.im[j])/2, (s.re[j]-s.re[i])/2
		c, d := tables.cos[k], tables.sin[k]
		r := evenR + c*oddR - d*oddI
		m := evenI + c*oddI + d*oddR
		s.power[k] = r*r + m*m
	}
	for b := range s.band {
		sum := 0.0
		for k := bandEdges[b]; k < bandEdges[b+1]; k++ {
			sum += s.power[k]
		}
		s.band[b] = sum / float64(bandEdges[b+1]-bandEdges[b])
	}
}
