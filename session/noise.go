package session

import (
	"steno/session/asr"
	"steno/vad"
)

// leastVoice is the speech, in ticks, of an utterance whose words are believed: 0.15 s. The shortest words have more; of what clicks,
// barks and drums make a detector take for speech most have less, and recognizers write words for it.
const leastVoice = 15

// believed returns a final without its words where hardly any speech was heard. A request that asks for a lower threshold than the
// usual one wants all; what follows a forced cut belongs to speech before it.
func (c *collector) believed(u *utterance, r asr.Result) asr.Result {
	wary := c.cfg.Request.PreProcessing.SpeechThreshold >= vad.DefaultThreshold
	if len(r.Words) == 0 || !wary || u.onset == u.from || u.spoken() >= leastVoice {
		return r
	}
	if c.cfg.Noise != nil {
		c.cfg.Noise(r.Engine)
	}
	r.Words, r.Dropped = nil, "noise"
	return r
}
