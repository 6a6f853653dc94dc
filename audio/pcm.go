package audio

import (
	"encoding/binary"
	"slices"
)

// AppendPCM appends samples to b as 16-bit little-endian PCM, two bytes each.
func AppendPCM(b []byte, samples []int16) []byte {
	have, n := len(b), 2*len(samples)
	b = slices.Grow(b, n)[:have+n]
	rest := b[have:]
	for ; len(samples) >= 4 && len(rest) >= 8; samples, rest = samples[4:], rest[8:] {
		binary.LittleEndian.PutUint64(rest, uint64(uint16(samples[0]))|uint64(uint16(samples[1]))<<16|
			uint64(uint16(samples[2]))<<32|uint64(uint16(samples[3]))<<48)
	}
	for i, s := range samples {
		binary.LittleEndian.PutUint16(rest[2*i:], uint16(s))
	}
	return b
}

// DecodePCM fills samples from 16-bit little-endian PCM, of which b must have two bytes for each;
// it passes over what follows them.
func DecodePCM(samples []int16, b []byte) {
	for len(samples) >= 4 && len(b) >= 8 {
		four := binary.LittleEndian.Uint64(b)
		samples[0], samples[1], samples[2], samples[3] = int16(four), int16(four>>16), int16(four>>32), int16(four>>48)
		samples, b = samples[4:], b[8:]
	}
	for i := range samples {
		samples[i] = int16(binary.LittleEndian.Uint16(b[2*i:]))
	}
}
