package audio

import "math"

const (
	// The paper's constants, 0.8 and 0.9 for frames 16 ms apart, with the same time constants at 10
	// ms.
	noiseSmoothing    = 0.87
	presenceSmoothing = 0.936

	// presenceSNR is the SNR of speech where it is present, 15 dB as in the paper.
	presenceSNR = 31.6

	// The minimum is searched in minimumSlots stretches of slotFrames frames, 1.2 s in all;
	// smoothed before, as in R. Martin's minimum statistics (2001).
	minimumSlots     = 4
	slotFrames       = 30
	minimumSmoothing = 0.8

	// minimumAfter is how many frames must have been seen before the minimum is believed: less, and
	// a stream that begins with a vowel would have it taken for noise.
	minimumAfter = 2 * slotFrames

	// Powers in one bin for white noise of -70 dB (what a quiet recording has, assumed before
	// anything is known) and -90 dB (the step of 16 bit, the least ever assumed). The window's
	// energy is half a frame.
	startNoise = 32768 * 32768 * 1e-7 * frameSamples / 2
	leastNoise = 32768 * 32768 * 1e-9 * frameSamples / 2

	noiseFloats = frameBins * (4 + minimumSlots)
)

// noiseTracker estimates the noise's power in each bin, during speech as well: T. Gerkmann and R.
// C. Hendriks, "Unbiased MMSE-based noise power estimation with low complexity and low tracking
// delay", IEEE Trans. ASLP 20(4), 2012. The noise is taken from each bin in the measure in which
// speech is improbable there. Where noise jumps up, that estimate would call it speech for long; so
// it is never let below the least smoothed power of the last 1.2 s, a net as in R. C. Hendriks, R.
// Heusdens and J. Jensen, "MMSE based noise PSD tracking with low complexity", ICASSP 2010.
type noiseTracker struct {
	power    []float32 // of the noise, per bin
	presence []float32 // smoothed probability of speech
	smooth   []float32 // smoothed power of the signal
	lowest   []float32 // least smooth of the current stretch
	slots    []float32 // least smooth of the last minimumSlots stretches, one after the other
	frames   uint32    // seen so far, saturating
	inSlot   uint32    // frames of the current stretch, below slotFrames
	slot     uint32    // where the current stretch will be put, below minimumSlots
}

// begin lays the tracker into memory of noiseFloats values.
func (n *noiseTracker) begin(memory []float32) {
	n.power, memory = memory[:frameBins], memory[frameBins:]
	n.presence, memory = memory[:frameBins], memory[frameBins:]
	n.smooth, memory = memory[:frameBins], memory[frameBins:]
	n.lowest, n.slots = memory[:frameBins], memory[frameBins:]
	for k := range n.power {
		n.power[k] = startNoise
		n.lowest[k] = math.MaxFloat32
	}
	for i := range n.slots {
		n.slots[i] = math.MaxFloat32
	}
}

// update takes the next frame's power in each bin into account.
func (n *noiseTracker) update(power []float64) {
	if n.frames < math.MaxUint32 {
		n.frames++
	}
	n.trackMinimum(power)
	for k, p := range power {
		noise := float64(n.power[k])
		likelihood := (1 + presenceSNR) * math.Exp(-min(p/noise, 200)*presenceSNR/(1+presenceSNR))
		speech := 1 / (1 + likelihood)
		n.presence[k] = float32(presenceSmoothing*float64(n.presence[k]) + (1-presenceSmoothing)*speech)
		if n.presence[k] > 0.99 { // an estimate that only ever hears speech is stuck
			speech = min(speech, 0.99)
		}
		seen := speech*noise + (1-speech)*p
		noise = noiseSmoothing*noise + (1-noiseSmoothing)*seen
		n.power[k] = float32(max(noise, n.minimum(k), leastNoise))
	}
}

func (n *noiseTracker) trackMinimum(power []float64) {
	if n.frames <= frameSamples/TickSamples { // frames that are not full yet
		return
	}
	for k, p := range power {
		n.smooth[k] = float32(minimumSmoothing*float64(n.smooth[k]) + (1-minimumSmoothing)*p)
		n.lowest[k] = min(n.lowest[k], n.smooth[k])
	}
	if n.inSlot++; n.inSlot < slotFrames {
		return
	}
	copy(n.slots[n.slot*frameBins:], n.lowest)
	for k := range n.lowest {
		n.lowest[k] = math.MaxFloat32
	}
	n.inSlot = 0
	n.slot = (n.slot + 1) % minimumSlots
}

// minimum is the least smoothed power of bin k lately, 0 while that is not known.
func (n *noiseTracker) minimum(k int) float64 {
	if n.frames < minimumAfter {
		return 0
	}
	least := n.lowest[k]
	for i := k; i < len(n.slots); i += frameBins {
		least = min(least, n.slots[i])
	}
	return float64(least)
}
