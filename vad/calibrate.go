package vad

// NoiseBias returns what the Bias of a Network must be: the ratio of the mean of
// steady white noise to its tracked minimum, per band. A minute of noise far above
// the last bit is enough.
func NoiseBias(noise []int16) [Bands]float64 {
	const settle = 500 // frames until all sub-windows are filled
	var one, mean, low [Bands]float64
	for b := range one {
		one[b] = 1
	}
	var s spectrum
	var floor noiseFloor
	floor.reset()
	for i := 0; i+FrameSamples <= len(noise); i += FrameSamples {
		s.push(noise[i:i+FrameSamples], true)
		floor.push(&s.band, &one)
		if i < settle*FrameSamples {
			continue
		}
		for b := range mean {
			mean[b] += s.band[b]
			low[b] += floor.estimate[b] - floorPower
		}
	}
	for b := range mean {
		mean[b] /= max(low[b], bitNoise)
	}
	return mean
}
