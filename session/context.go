package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"steno/audio"
	"steno/session/asr"
)

// maxGap is the longest silence, in samples, between utterances of which the later one is decoded
// in the context of the earlier: 1.5 s.
const maxGap = 3 * asr.Rate / 2

// chain is a series of utterances of a lane, each following closely on the one before. Their audio
// is the context of the next utterance.
type chain struct {
	start int64 // position of the first sample of its first utterance
	end   int64 // position after the last sample of its newest complete utterance
}

// noChain is the chain of a lane that has had no utterance.
var noChain = chain{-1, -1}

// contextFrom returns the position at which the context of an utterance starts whose own audio
// starts at from. It returns from if there is no context.
func (l *lane) contextFrom(from int64) int64 {
	if !l.contextual || l.chain == noChain || from-l.chain.end > maxGap {
		return from
	}
	return max(l.chain.start, from-asr.MaxContext)
}

// oldestContext returns the position of the oldest sample in the context of any future utterance,
// or the end of the buffer if none will have a context.
func (l *lane) oldestContext() int64 {
	next := l.endpointer.Keep() // the earliest position at which another may start
	if !l.contextual || l.running == nil && l.contextFrom(next) == next {
		return l.buffer.End()
	}
	return max(l.chain.start, next-asr.MaxContext)
}

// resume is called before the first tick after a restart. It starts the utterance that continues
// after a forced cut, and computes the samples of its context. If the lane cannot read the journal
// later, it computes those of the next utterance as well.
func (l *lane) resume() error {
	if !l.restored {
		return nil
	}
	l.restored = false
	if l.past == nil || l.resumeAt >= 0 {
		if err := l.recall(l.history, l.oldestContext()); err != nil {
			return err
		}
	}
	if l.resumeAt < 0 {
		return nil
	}
	return l.begin(l.resumeAt, l.resumeAt, true)
}

// follow adds an utterance that starts at from to the chain, or starts a new chain with it. It
// returns the utterance's context.
func (l *lane) follow(from int64) []int16 {
	first := l.contextFrom(from)
	if first == from {
		l.chain = chain{from, from}
	}
	return slices.Clone(l.buffer.Slice(first, from))
}

// pastAudio computes a lane's samples from the journal. It saves a silent lane from holding the
// samples that an utterance would start with: they are most of its memory and rarely needed.
type pastAudio struct {
	recording *recording
	channel   int
	reach     int64 // ticks before the first one that its samples depend on
}

// newPastAudio returns nil if the samples cannot be computed again: those of the enhancer depend on
// all audio before.
func newPastAudio(r *recording, channel int, front *audio.Front) *pastAudio {
	ticks, ok := front.Reach()
	if !ok {
		return nil
	}
	return &pastAudio{r, channel, int64(ticks)}
}

// samples returns those of the ticks [from, to) of the lane, inserted silence included. The caller
// owns them.
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

// read returns the bytes of the ticks [begin, end) of the recording, padded with silence at its
// end.
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
