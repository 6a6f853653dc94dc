package audio

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/zaf/g711"
)

// Encoding is how one sample is written in a stream or file. All that the program knows of an
// encoding is its declaration in this file, with which messages must agree on the name.
type Encoding int

// The encodings.
const (
	PCM   Encoding = iota // linear, little-endian; 8 bit unsigned, else signed two's complement
	ALaw                  // ITU-T G.711 A-law, 8 bit
	MuLaw                 // ITU-T G.711 mu-law, 8 bit
)

// declaration is everything about an encoding. Its functions are given one of its depths, and keep
// nothing.
type declaration struct {
	name   string // in requests
	title  string // in errors
	depths []int  // bits of a sample, whole bytes
	riff   uint16 // format tag in the fmt chunk of a WAV file
	// ffmpeg returns the name of ffmpeg's format of bare samples; that of its codec is the same
	// after "pcm_".
	ffmpeg func(depth int) string
	// silence returns the byte of which samples of silence consist.
	silence func(depth int) byte
	// decode fills dst with samples of which the first is at src[0] and each is stride bytes after
	// the one before. See decodeChannel for their unit.
	decode func(dst []float64, src []byte, depth, stride int)
	// encode appends a sample, in the unit of decode and within the range of 16 bits.
	encode func(b []byte, x float64, depth int) []byte
}

var declarations = [...]declaration{
	PCM: {
		name: "wav/pcm", title: "PCM", depths: []int{8, 16, 24, 32}, riff: 1,
		ffmpeg: pcmName, silence: pcmSilence, decode: decodePCM, encode: encodePCM,
	},
	ALaw: {
		name: "wav/alaw", title: "wav/alaw", depths: []int{8}, riff: 6,
		ffmpeg: constant("alaw"), silence: constant(byte(0xD5)), decode: decodeALaw,
		encode: func(b []byte, x float64, _ int) []byte {
			return append(b, g711.EncodeAlawFrame(int16(math.Round(x))))
		},
	},
	MuLaw: {
		name: "wav/ulaw", title: "wav/ulaw", depths: []int{8}, riff: 7,
		ffmpeg: constant("mulaw"), silence: constant(byte(0xFF)), decode: decodeMuLaw,
		encode: func(b []byte, x float64, _ int) []byte {
			return append(b, g711.EncodeUlawFrame(int16(math.Round(x))))
		},
	},
}

// constant returns a function that returns the same value for every depth.
func constant[T any](v T) func(int) T { return func(int) T { return v } }

// containers declares the encodings of which the bytes are those of a container: their names in
// requests and, by what [Container] calls their beginnings, ffmpeg's demultiplexers. One with an
// empty name may begin in any way.
var containers = []struct {
	name           string
	demultiplexers map[string]string
}{
	{"webm/opus", map[string]string{"WebM": "matroska", "Matroska": "matroska"}},
	{"ogg/opus", map[string]string{"Ogg Opus": "ogg", "Ogg": "ogg"}},
	{"mp3", map[string]string{"MP3": "mp3", "": "mp3"}},
	{"flac", map[string]string{"FLAC": "flac"}},
	{"aac", map[string]string{"AAC": "aac", "MP4": "mov", "": "aac"}},
}

// EncodingNames lists the names of all encodings in requests: of samples, then of containers.
func EncodingNames() []string {
	var all []string
	for _, d := range declarations {
		all = append(all, d.name)
	}
	for _, c := range containers {
		all = append(all, c.name)
	}
	return all
}

// EncodingNamed returns the encoding of samples with a name, and whether there is one.
func EncodingNamed(name string) (Encoding, bool) {
	i := slices.IndexFunc(declarations[:], func(d declaration) bool { return d.name == name })
	return Encoding(max(i, 0)), i >= 0
}

// encodingTagged returns the encoding of samples with a RIFF format tag, and whether there is one.
func encodingTagged(tag uint16) (Encoding, bool) {
	i := slices.IndexFunc(declarations[:], func(d declaration) bool { return d.riff == tag })
	return Encoding(max(i, 0)), i >= 0
}

// Demultiplexer returns the name of ffmpeg's demultiplexer for an encoding that is a container, by
// what [Container] calls the beginning of the bytes. It returns false where they are something
// else.
func Demultiplexer(encoding, beginning string) (string, bool) {
	for _, c := range containers {
		if c.name == encoding {
			name, ok := c.demultiplexers[beginning]
			return name, ok
		}
	}
	return "", false
}

// valid reports whether e is one of the encodings.
func (e Encoding) valid() bool { return e >= 0 && int(e) < len(declarations) }

// String returns the name that clients use, as in "wav/pcm".
func (e Encoding) String() string {
	if !e.valid() {
		return fmt.Sprintf("encoding(%d)", int(e))
	}
	return declarations[e].name
}

// checkDepth returns an error unless the encoding has samples of so many bits.
func (e Encoding) checkDepth(bits int) error {
	if !e.valid() {
		return fmt.Errorf("unknown encoding %d", int(e))
	}
	d := declarations[e]
	if slices.Contains(d.depths, bits) {
		return nil
	}
	list := strconv.Itoa(d.depths[0])
	for i, depth := range d.depths[1:] {
		separator := ", "
		if i == len(d.depths)-2 {
			separator = " or "
		}
		list += separator + strconv.Itoa(depth)
	}
	return fmt.Errorf("bit depth %d: %s has %s bit", bits, d.title, list)
}

// FFmpeg returns the name of ffmpeg's format for bare samples; that of its codec is the same after
// "pcm_".
func (f Format) FFmpeg() string { return declarations[f.Encoding].ffmpeg(f.BitDepth) }

// SilentByte returns the byte of which samples of digital silence consist.
func (f Format) SilentByte() byte { return declarations[f.Encoding].silence(f.BitDepth) }

// Silence fills p with digital silence.
func (f Format) Silence(p []byte) {
	silent := f.SilentByte()
	for i := range p {
		p[i] = silent
	}
}

// AppendSample appends a sample given in 16-bit steps; what is beyond full scale is clipped.
func (f Format) AppendSample(b []byte, x float64) []byte {
	x = min(max(x, math.MinInt16), math.MaxInt16)
	return declarations[f.Encoding].encode(b, x, f.BitDepth)
}

func pcmName(depth int) string {
	if depth == 8 {
		return "u8"
	}
	return "s" + strconv.Itoa(depth) + "le"
}

func pcmSilence(depth int) byte {
	if depth == 8 {
		return 0x80
	}
	return 0
}

func decodePCM(dst []float64, src []byte, depth, stride int) {
	switch depth {
	case 8:
		for i := range dst {
			dst[i] = float64((int(src[i*stride]) - 128) << 8)
		}
	case 16:
		for i := range dst {
			dst[i] = float64(int16(binary.LittleEndian.Uint16(src[i*stride:])))
		}
	case 24:
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

func encodePCM(b []byte, x float64, depth int) []byte {
	s := int16(math.Round(x))
	switch depth {
	case 8:
		return append(b, byte(int(s)>>8+128))
	case 16:
		return binary.LittleEndian.AppendUint16(b, uint16(s))
	case 24:
		v := int32(x * 256)
		return append(b, byte(v), byte(v>>8), byte(v>>16))
	}
	return binary.LittleEndian.AppendUint32(b, uint32(int32(x*65536)))
}

func decodeALaw(dst []float64, src []byte, _, stride int) {
	for i := range dst {
		dst[i] = float64(g711.DecodeAlawFrame(src[i*stride]))
	}
}

func decodeMuLaw(dst []float64, src []byte, _, stride int) {
	for i := range dst {
		dst[i] = float64(g711.DecodeUlawFrame(src[i*stride]))
	}
}
