package audio

import "encoding/binary"

// decodeChannel fills dst with samples of one channel from interleaved bytes in format f. Their
// unit is a 16-bit step: full scale is -32768 to just below 32768, and what 24 and 32 bits hold
// beyond 16 is kept as a fraction (every value of every encoding is exact in a float64). src has at
// least len(dst)*f.FrameBytes() bytes.
func decodeChannel(dst []float64, src []byte, f Format, channel int) {
	declarations[f.Encoding].decode(dst, src[channel*f.BitDepth/8:], f.BitDepth, f.FrameBytes())
}

// copyChannel is decodeChannel for 16-bit PCM, of which it copies the samples.
func copyChannel(dst []int16, src []byte, f Format, channel int) {
	if f.Channels == 1 {
		DecodePCM(dst, src)
		return
	}
	stride := f.FrameBytes()
	src = src[channel*2:]
	for i := range dst {
		dst[i] = int16(binary.LittleEndian.Uint16(src[i*stride:]))
	}
}
