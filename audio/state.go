package audio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// stateVersion changes with the layout below and with anything that changes what a saved state
// means.
const stateVersion = 1

// stateHeader names what a state belongs to: version, encoding, bit depth, channels, channel,
// enhanced, rate.
const stateHeader = 6 + 4

// AppendState appends all that later Ticks depend on to b: a Front of the same format, channel and
// enhancement that restores it continues bit for bit. At most 1 KiB without enhancement, 13 KiB
// with.
//
// Layout, little-endian: the header; the resampler's past as 32-bit samples of full scale, which is
// exact for every encoding; the enhancer's counters and its memory.
func (fr *Front) AppendState(b []byte) []byte {
	b = fr.appendHeader(b)
	for _, v := range fr.past() {
		b = binary.LittleEndian.AppendUint32(b, uint32(int32(v*65536)))
	}
	if e := fr.enhance; e != nil {
		b = binary.LittleEndian.AppendUint32(b, e.noise.frames)
		b = binary.LittleEndian.AppendUint32(b, e.noise.inSlot)
		b = binary.LittleEndian.AppendUint32(b, e.noise.slot)
		for _, v := range e.memory {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
		}
	}
	return b
}

func (fr *Front) appendHeader(b []byte) []byte {
	enhanced := byte(0)
	if fr.enhance != nil {
		enhanced = 1
	}
	f := fr.format
	b = append(b, stateVersion, byte(f.Encoding), byte(f.BitDepth), byte(f.Channels), byte(fr.channel), enhanced)
	return binary.LittleEndian.AppendUint32(b, uint32(f.SampleRate))
}

// past is what the resampler remembers between ticks; empty at 16 kHz.
func (fr *Front) past() []float64 {
	if fr.resample == nil {
		return nil
	}
	return fr.in[:len(fr.in)-fr.format.TickFrames()]
}

func (fr *Front) stateBytes() int {
	n := stateHeader + 4*len(fr.past())
	if fr.enhance != nil {
		n += 4 * (3 + len(fr.enhance.memory))
	}
	return n
}

// RestoreState sets the Front to a state at the beginning of b and returns what follows it. It
// fails, and leaves the Front as it was, for a state that is cut short, damaged, of another
// version, format or channel, or saved with the other choice of enhancement.
func (fr *Front) RestoreState(b []byte) (rest []byte, err error) {
	var own [stateHeader]byte
	header := fr.appendHeader(own[:0])
	if len(b) < fr.stateBytes() {
		return nil, errors.New("audio state: too short")
	}
	if b[0] != stateVersion {
		return nil, fmt.Errorf("audio state: version %d, not %d", b[0], stateVersion)
	}
	if string(b[:stateHeader]) != string(header) {
		return nil, errors.New("audio state: saved for another format, channel or enhancement")
	}
	rest = b[fr.stateBytes():]
	past := b[stateHeader : stateHeader+4*len(fr.past())]
	if fr.enhance != nil {
		if err := fr.enhance.restore(b[stateHeader+len(past) : fr.stateBytes()]); err != nil {
			return nil, fmt.Errorf("audio state: %w", err)
		}
	}
	for i := range fr.past() {
		fr.in[i] = float64(int32(binary.LittleEndian.Uint32(past[4*i:]))) / 65536
	}
	return rest, nil
}

// restore checks b, whose length is right, before it changes anything. The limits keep every later
// value finite: real states hold samples below 2^17, powers of them below 2^50.
func (e *enhancer) restore(b []byte) error {
	frames, inSlot, slot := word(b, 0), word(b, 1), word(b, 2)
	if inSlot >= slotFrames || slot >= minimumSlots {
		return errors.New("enhancer's counters out of range")
	}
	first := len(e.memory) - noiseFloats // everything of the noise tracker is a power or a probability
	for i := range e.memory {
		v := math.Float32frombits(word(b, 3+i))
		if v != v || math.IsInf(float64(v), 0) || i < first && (v < -1e15 || v > 1e15) || i >= first && v < 0 {
			return errors.New("enhancer's memory out of range")
		}
		if i >= first && i < first+frameBins && v < leastNoise {
			return errors.New("enhancer's noise out of range")
		}
	}
	e.noise.frames, e.noise.inSlot, e.noise.slot = frames, inSlot, slot
	for i := range e.memory {
		e.memory[i] = math.Float32frombits(word(b, 3+i))
	}
	return nil
}

func word(b []byte, i int) uint32 { return binary.LittleEndian.Uint32(b[4*i:]) }
