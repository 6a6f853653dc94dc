package audio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// maxHeader bounds the bytes before the first audio byte.
const maxHeader = 64 << 10

// Format tags of a fmt chunk.
const (
	tagPCM        = 1
	tagFloat      = 3
	tagALaw       = 6
	tagMuLaw      = 7
	tagExtensible = 0xFFFE
)

var errLongHeader = errors.New("WAV header: longer than 64 KiB")

// subformatTail is what follows the tag in the GUID of WAVE_FORMAT_EXTENSIBLE.
var subformatTail = []byte{0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71}

// riffHeader is what stands before the audio of a WAVE file or stream.
type riffHeader struct {
	size   int    // bytes up to the first audio byte
	format Format // for float: the 32-bit PCM it is converted to
	float  bool   // samples are 32-bit floating point
	data   int64  // bytes of audio the header claims; -1 where it leaves that open
	large  int64  // RF64: bytes of audio by its ds64 chunk
	plain  bool   // nothing but RIFF, a PCM fmt of known length, and data
}

// ParseHeader reports whether a stream begins with a RIFF/WAVE header. prefix is the stream's beginning so far.
//
//   - need: the bytes do not suffice to tell; call again with more. A stream that ends there has no header.
//   - n > 0: the audio begins at byte n, and the header says it is in format.
//   - n == 0 without need: the stream has no header, its first byte is audio.
//
// PCM, A-law and mu-law are understood, also as WAVE_FORMAT_EXTENSIBLE; RF64 and BW64 are as good as RIFF. The sizes a
// header gives for the file and its data are not believed. It is an error when the header is damaged, longer than
// 64 KiB, or of a format that Format.Validate refuses (floating point among them). need is never set beyond 64 KiB.
func ParseHeader(prefix []byte) (n int, format Format, need bool, err error) {
	h, need, err := parseRIFF(prefix)
	if err != nil || need {
		return 0, Format{}, need, err
	}
	if h.float {
		return 0, Format{}, false, errors.New("WAV header: floating-point samples")
	}
	return h.size, h.format, false, nil
}

// parseRIFF is ParseHeader with all that it finds. A zero header means there is none.
func parseRIFF(b []byte) (h riffHeader, need bool, err error) {
	if !startsLike(b, "RIFF") && !startsLike(b, "RF64") && !startsLike(b, "BW64") {
		return h, false, nil
	}
	if len(b) < 12 {
		return h, true, nil
	}
	if string(b[8:12]) != "WAVE" {
		return h, false, errors.New("WAV header: a RIFF file, but not WAVE")
	}
	h.data, h.plain = -1, b[1] == 'I'
	for at := 12; ; {
		if at+8 > maxHeader {
			return riffHeader{}, false, errLongHeader
		}
		if len(b) < at+8 {
			return riffHeader{}, true, nil
		}
		id, size := string(b[at:at+4]), binary.LittleEndian.Uint32(b[at+4:])
		at += 8
		if id == "data" {
			return h.finish(at, size)
		}
		if int64(at)+int64(size) > maxHeader {
			return riffHeader{}, false, errLongHeader
		}
		end := at + int(size)
		if len(b) < end {
			return riffHeader{}, true, nil
		}
		if err := h.take(id, b[at:end]); err != nil {
			return riffHeader{}, false, fmt.Errorf("WAV header: %w", err)
		}
		at = end + int(size&1)
	}
}

// take reads a chunk before the data.
func (h *riffHeader) take(id string, body []byte) (err error) {
	switch {
	case id == "fmt " && h.format.Channels != 0:
		return errors.New("two fmt chunks")
	case id == "fmt ":
		h.format, h.float, err = parseFmt(body)
		h.plain = h.plain && len(body) == 16 && h.format.Encoding == PCM && !h.float
	case id == "ds64" && len(body) >= 16:
		h.large = int64(binary.LittleEndian.Uint64(body[8:]))
	default:
		h.plain = false
	}
	return err
}

// finish ends the header at the first audio byte. size is what the data chunk says of itself.
func (h riffHeader) finish(at int, size uint32) (riffHeader, bool, error) {
	if h.format.Channels == 0 {
		return riffHeader{}, false, errors.New("WAV header: no fmt chunk before the data")
	}
	h.size = at
	switch {
	case size == 0xFFFFFFFF && h.large > 0:
		h.data = h.large
	case size != 0 && size != 0xFFFFFFFF:
		h.data = int64(size)
	}
	return h, false, nil
}

// startsLike reports whether b begins with s, or is a beginning of s.
func startsLike(b []byte, s string) bool {
	n := min(len(b), len(s))
	return string(b[:n]) == s[:n]
}

// parseFmt reads the body of a fmt chunk.
func parseFmt(b []byte) (f Format, float bool, err error) {
	if len(b) < 16 {
		return f, false, errors.New("fmt chunk too short")
	}
	tag := binary.LittleEndian.Uint16(b)
	if tag == tagExtensible {
		if len(b) < 40 || !bytes.Equal(b[26:40], subformatTail) {
			return f, false, errors.New("unknown kind of WAVE_FORMAT_EXTENSIBLE")
		}
		tag = binary.LittleEndian.Uint16(b[24:])
	}
	f.Channels = int(binary.LittleEndian.Uint16(b[2:]))
	f.SampleRate = int(min(binary.LittleEndian.Uint32(b[4:]), 1<<30))
	f.BitDepth = int(binary.LittleEndian.Uint16(b[14:]))
	switch tag {
	case tagPCM:
		f.Encoding = PCM
	case tagALaw:
		f.Encoding = ALaw
	case tagMuLaw:
		f.Encoding = MuLaw
	case tagFloat:
		f.Encoding, float = PCM, true
		if f.BitDepth != 32 {
			return Format{}, false, fmt.Errorf("floating-point samples of %d bit", f.BitDepth)
		}
	default:
		return Format{}, false, fmt.Errorf("format tag %#x", tag)
	}
	if err := f.Validate(); err != nil {
		return Format{}, false, err
	}
	if align := int(binary.LittleEndian.Uint16(b[12:])); align != f.FrameBytes() {
		return Format{}, false, fmt.Errorf("block align %d, but a sample of all channels has %d bytes", align, f.FrameBytes())
	}
	return f, float, nil
}

// WAVHeader is the header of a recording of dataBytes bytes in format f, which must be valid; the recording is this
// header and the bytes. A-law and mu-law keep their encoding. PCM of every depth and channel count gets the plain
// 44-byte header, not WAVE_FORMAT_EXTENSIBLE, which some readers refuse. A size that is unknown (negative) or does not
// fit 32 bit is written as 0xFFFFFFFF, "to the end of the file". No padding byte is counted behind an odd number of
// bytes.
func WAVHeader(f Format, dataBytes int64) []byte {
	tag, extra := uint16(tagPCM), 0
	switch f.Encoding {
	case ALaw:
		tag = tagALaw
	case MuLaw:
		tag = tagMuLaw
	}
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
