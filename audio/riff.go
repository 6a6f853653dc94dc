package audio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// Format tags of a fmt chunk.
const (
	tagPCM        = 1
	tagFloat      = 3
	tagExtensible = 0xFFFE
)

// subformatTail is what follows the tag in the GUID of WAVE_FORMAT_EXTENSIBLE.
var subformatTail = []byte{0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71}

// wavFormat is the format by a fmt chunk.
type wavFormat struct {
	Format      // for floating point: the 32-bit PCM that it is converted to; the rate may be one that Validate refuses
	float  bool // samples are 32-bit floating point
}

// fits returns an error unless samples of the format are those of the declared one.
func (f wavFormat) fits(declared Format) error {
	if f.float {
		return errors.New("floating-point samples")
	}
	if err := f.Validate(); err != nil {
		return err
	}
	if f.Format != declared {
		return fmt.Errorf("%s, where %s is declared", f.Format, declared)
	}
	return nil
}

// startsLike reports whether b begins with s, or is a beginning of s.
func startsLike(b []byte, s string) bool {
	n := min(len(b), len(s))
	return string(b[:n]) == s[:n]
}

// parseFmt reads the body of a fmt chunk, of which 40 bytes suffice.
func parseFmt(b []byte) (f wavFormat, err error) {
	if len(b) < 16 {
		return f, errors.New("fmt chunk too short")
	}
	tag := binary.LittleEndian.Uint16(b)
	if tag == tagExtensible {
		if len(b) < 40 || !bytes.Equal(b[26:40], subformatTail) {
			return f, errors.New("unknown kind of WAVE_FORMAT_EXTENSIBLE")
		}
		tag = binary.LittleEndian.Uint16(b[24:])
	}
	f.Channels = int(binary.LittleEndian.Uint16(b[2:]))
	f.SampleRate = int(min(binary.LittleEndian.Uint32(b[4:]), 1<<30))
	f.BitDepth = int(binary.LittleEndian.Uint16(b[14:]))
	known := true
	if f.float = tag == tagFloat; f.float && f.BitDepth != 32 {
		return wavFormat{}, fmt.Errorf("floating-point samples of %d bit", f.BitDepth)
	} else if !f.float {
		f.Encoding, known = encodingTagged(tag)
	}
	if !known {
		return wavFormat{}, fmt.Errorf("format tag %#x", tag)
	}
	if err := f.sensible(); err != nil {
		return wavFormat{}, err
	}
	if align := int(binary.LittleEndian.Uint16(b[12:])); align != f.FrameBytes() {
		return wavFormat{}, fmt.Errorf("block align %d, but a sample of all channels has %d bytes", align,
			f.FrameBytes())
	}
	return f, nil
}

// sensible is Validate for files, which may have any rate and more channels.
func (f wavFormat) sensible() error {
	one := f.Format
	one.SampleRate, one.Channels = Rate, 1
	if err := one.Validate(); err != nil {
		return err
	}
	if f.SampleRate < 1000 || f.SampleRate > 1_000_000 {
		return fmt.Errorf("sample rate %d Hz", f.SampleRate)
	}
	if f.Channels < 1 || f.Channels > 256 {
		return fmt.Errorf("%d channels", f.Channels)
	}
	return nil
}

// WAVHeader is the header of a recording of dataBytes bytes in format f, which must be valid; the
// recording is this header and the bytes. PCM of every depth and channel count gets the plain
// 44-byte header, not WAVE_FORMAT_EXTENSIBLE, which some readers refuse. A size that is unknown
// (negative) or does not fit 32 bit is written as 0xFFFFFFFF, "to the end of the file". No padding
// byte is counted after an odd number of bytes.
func WAVHeader(f Format, dataBytes int64) []byte {
	tag, extra := declarations[f.Encoding].riff, 0
	if tag != tagPCM {
		extra = 2 + 12 // an empty extension of fmt, and the fact chunk, which the standard asks for
	}
	le := binary.LittleEndian
	b := make([]byte, 0, 44+extra)
	b = le.AppendUint32(append(b, "RIFF"...), clipSize(dataBytes, int64(36+extra)))
	b = le.AppendUint32(append(b, "WAVEfmt "...), uint32(16+min(extra, 2)))
	b = le.AppendUint16(b, tag)
	b = le.AppendUint16(b, uint16(f.Channels))
	b = le.AppendUint32(b, uint32(f.SampleRate))
	b = le.AppendUint32(b, uint32(f.SampleRate*f.FrameBytes()))
	b = le.AppendUint16(b, uint16(f.FrameBytes()))
	b = le.AppendUint16(b, uint16(f.BitDepth))
	if extra > 0 {
		b = le.AppendUint16(b, 0)
		b = le.AppendUint32(append(b, "fact"...), 4)
		frames := dataBytes
		if frames > 0 {
			frames /= int64(f.FrameBytes())
		}
		b = le.AppendUint32(b, clipSize(frames, 0))
	}
	return le.AppendUint32(append(b, "data"...), clipSize(dataBytes, 0))
}

// clipSize is size+more for a field of 32 bit.
func clipSize(size, more int64) uint32 {
	if size < 0 || size > 0xFFFFFFFF-more {
		return 0xFFFFFFFF
	}
	return uint32(size + more)
}
