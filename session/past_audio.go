package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"steno/audio"
)

// pastAudio makes a lane's samples anew from the journal, so that a lane in silence need not hold those that an utterance
// would begin with: that is more memory than all the rest of it, and rarely needed.
type pastAudio struct {
	recording *recording
	channel   int
	reach     int64 // ticks before the first one that its samples depend on
}

// newPastAudio returns nil where the samples cannot be made again: the enhancer's depend on all audio before.
func newPastAudio(r *recording, channel int, front *audio.Front) *pastAudio {
	ticks, ok := front.Reach()
	if !ok {
		return nil
	}
	return &pastAudio{r, channel, int64(ticks)}
}

// samples returns those of the ticks [from, to) of the lane, inserted silence included. The caller owns them.
func (p *pastAudio) samples(from, to int64) ([]int16, error) {
	r := p.recording
	front, err := audio.NewFront(r.format, p.channel, false)
	if err != nil {
		return nil, err
	}
	first := max(from-p.reach, 0)
	begin, _ := r.silences.recordedTick(first)
	end, _ := r.silences.recordedTick(to)
	raw, err := p.read(begin, end)
	if err != nil {
		return nil, err
	}
	silence := silentTick(r.format)
	out := make([]int16, (to-first)*audio.TickSamples)
	for tick := first; tick < to; tick++ {
		one := silence
		if at, inserted := r.silences.recordedTick(tick); !inserted {
			one = raw[(at-begin)*int64(len(silence)):]
		}
		front.Tick(one, out[(tick-first)*audio.TickSamples:])
	}
	return out[(from-first)*audio.TickSamples:], nil
}

// read returns the bytes of the ticks [begin, end) of the recording. What fills its last tick up, and is beyond it, is silence.
func (p *pastAudio) read(begin, end int64) ([]byte, error) {
	r := p.recording
	raw := bytes.Repeat(silentTick(r.format), int(end-begin))
	at := begin * int64(r.format.TickBytes())
	left := raw[:max(min(r.intake.heard-at, int64(len(raw))), 0)]
	for len(left) > 0 {
		piece, offset := left[:r.intake.gaps().Run(at, int64(len(left)))], r.intake.gaps().Stream(at)
		n, err := r.cfg.Ledger.ReadAudioAt(r.life, piece, offset)
		if n < len(piece) {
			return nil, fmt.Errorf("read journal at %d: %w", offset, errors.Join(err, io.ErrUnexpectedEOF))
		}
		at, left = at+int64(n), left[n:]
	}
	return raw, nil
}
