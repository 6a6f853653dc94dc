package audio

import (
	"encoding/binary"

	"github.com/zaf/g711"
)

// decodeChannel reads len(dst) samples of one channel from interleaved bytes in format f. Samples come in units of a
// 16-bit step: full scale is -32768 to just below 32768, and what 24 and 32 bit hold beyond 16 is kept as a fraction
// (every value of every encoding is exact in a float64). src holds at least len(dst)*f.FrameBytes() bytes.
func decodeChannel(dst []float64, src []byte, f Format, channel int) {
	stride := f.FrameBytes()
	src = src[channel*f.BitDepth/8:]
	switch {
	case f.Encoding == ALaw:
		for i := range dst {
			dst[i] = float64(g711.DecodeAlawFrame(src[i*stride]))
		}
	case f.Encoding == MuLaw:
		for i := range dst {
			dst[i] = float64(g711.DecodeUlawFrame(src[i*stride]))
		}
	case f.BitDepth == 8:
		for i := range dst {
			dst[i] = float64((int(src[i*stride]) - 128) << 8)
		}
	case f.BitDepth == 16:
		for i := range dst {
			dst[i] = float64(int16(binary.LittleEndian.Uint16(src[i*stride:])))
		}
	case f.BitDepth == 24:
		for i := range dst {
			b := src[i*stride : i*stride+3]
			dst[i] = float64(int32(b[0])<<8|int32(b[1])<<16|int32(b[2])<<24) / 65536
		}
	default:
		for i := range dst {
			dst[i] = float64(int32(binary.LittleEndian.Uint32(src[i*stride:]))) / 65536
		}
	}
}

// copyChannel is decodeChannel for 16-bit PCM whose samples stay as they are.
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
