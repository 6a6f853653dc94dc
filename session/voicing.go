package session

import (
	"math/bits"

	"steno/audio"
	"steno/vad"
)

// voicing remembers in which of a lane's newest ticks speech was heard: as many as an utterance begins before it is known to have, or is cut
// before the speech that goes on.
type voicing [4]uint64

// voicingTicks is how many ticks it remembers.
const voicingTicks = 4 * 64

// push adds a tick.
func (v *voicing) push(speech bool) {
	for i := len(v) - 1; i > 0; i-- {
		v[i] = v[i]<<1 | v[i-1]>>63
	}
	v[0] <<= 1
	if speech {
		v[0] |= 1
	}
}

// newest returns in how many of the newest n ticks speech was heard.
func (v *voicing) newest(n int64) int64 {
	n = min(max(n, 0), voicingTicks)
	count := 0
	for i := range v {
		here := min(max(n-int64(i)*64, 0), 64)
		count += bits.OnesCount64(v[i] & (1<<here - 1))
	}
	return int64(count)
}

// spokenSince returns in how many ticks of the lane since the position speech was heard.
func (l *lane) spokenSince(position int64) int64 {
	return l.voicing.newest(l.ticks + l.silentTicks - position/audio.TickSamples)
}

// hear notes whether speech was heard in a tick, by the probability that the detector gave it. It is not the request's threshold that
// decides: with the lowest all is speech.
func (l *lane) hear(p float32) {
	speech := p >= vad.DefaultThreshold
	l.voicing.push(speech)
	if speech && l.running != nil {
		l.spoken++
	}
}
