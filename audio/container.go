package audio

import (
	"bytes"
	"encoding/binary"
)

// Container returns the name of what the bytes at the beginning of a stream are, where that is no
// WAV and no bare samples, as in "WebM" or "MP3"; empty: nothing that is known. need reports that
// more bytes are needed to decide, which samples of a microphone never do.
func Container(p []byte) (name string, need bool) {
	for _, m := range magics {
		if name, need := m.names(p); name != "" || need {
			return name, need
		}
	}
	for _, f := range framings {
		if name, need := f.names(p); name != "" || need {
			return name, need
		}
	}
	return "", false
}

// magic is how the files of a container begin.
type magic struct {
	name   string
	at     int // bytes before text
	text   string
	within string // follows among the first 64 bytes; empty: nothing need follow
}

var magics = [...]magic{
	{"WebM", 0, "\x1a\x45\xdf\xa3", "webm"},
	{"Matroska", 0, "\x1a\x45\xdf\xa3", "matroska"},
	{"Ogg Opus", 0, "OggS\x00\x02", "OpusHead"},
	{"Ogg", 0, "OggS\x00", ""},
	{"FLAC", 0, "fLaC", ""},
	{"MP4", 4, "ftyp", ""},
	{"MP4", 4, "styp", ""},
	{"MP4", 4, "moof", ""},
	{"MP3", 0, "ID3\x02\x00", ""},
	{"MP3", 0, "ID3\x03\x00", ""},
	{"MP3", 0, "ID3\x04\x00", ""},
	{"AIFF", 0, "FORM", "AIF"},
	{"CAF", 0, "caff\x00", ""},
	{"AMR", 0, "#!AMR", ""},
	{"ASF", 0, "\x30\x26\xb2\x75\x8e\x66\xcf\x11", ""},
	{"FLV", 0, "FLV\x01", ""},
	{"AU", 0, ".snd\x00\x00", ""},
	{"Wave64", 0, "riff\x2e\x91\xcf\x11", ""},
	{"WavPack", 0, "wvpk", "\x04"}, // of its version, 4.x
	{"TTA", 0, "TTA1\x01\x00", ""},
	{"DSF", 0, "DSD \x1c\x00", ""},
	{"WAV with big-endian samples", 0, "RIFX", "WAVE"},
	{"MPEG-TS", 0, "\x47\x40\x00\x10", ""},
	{"MPEG-TS", 0, "\x47\x40\x11\x10", ""},
}

func (m magic) names(p []byte) (name string, need bool) {
	if len(p) < m.at+len(m.text) {
		return "", len(p) <= m.at || startsLike(p[m.at:], m.text)
	}
	if string(p[m.at:m.at+len(m.text)]) != m.text {
		return "", false
	}
	if bytes.Contains(p[:min(len(p), 64)], []byte(m.within)) {
		return m.name, false
	}
	return "", len(p) < 64
}

// framings are formats without a beginning, recognized by several frames in succession.
var framings = [...]framing{
	{"MP3", [2]byte{0xFF, 0xE0}, [2]byte{0xFF, 0xE0}, mpegFrame}, {"AAC", [2]byte{0xFF, 0xF0}, [2]byte{0xFF, 0xF6},
		adtsFrame},
	{"AC-3", [2]byte{0x0B, 0x77}, [2]byte{0xFF, 0xFF}, ac3Frame},
}

// framing is one of them. Each frame begins with sync, of which mask has the bits. size returns the
// length of the frame that begins so, and what all frames of a stream share; 0: none does. It is
// given 7 bytes.
type framing struct {
	name       string
	sync, mask [2]byte
	size       func(p []byte) (n int, same uint32)
}

const (
	frameHead  = 7
	wantFrames = 4
)

func (f framing) names(p []byte) (name string, need bool) {
	for i, b := range p[:min(len(p), len(f.sync))] {
		if b&f.mask[i] != f.sync[i] {
			return "", false
		}
	}
	var all uint32
	for frame := range wantFrames {
		if len(p) < frameHead {
			return "", true
		}
		n, same := f.size(p)
		if n == 0 || frame > 0 && same != all {
			return "", false
		}
		if all = same; len(p) < n {
			return "", frame < wantFrames-1
		}
		p = p[n:]
	}
	return f.name, false
}

// kilobits are the bit rates of MPEG audio: of layer I, II and III of version 1, and of layer I and
// the other two of version 2.
var kilobits = [5][16]int{
	{0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448},
	{0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384},
	{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320},
	{0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256},
	{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160},
}

// mpegFrame reads the header of a frame of layer II or III, ISO/IEC 11172-3, 2.4.2.3.
func mpegFrame(p []byte) (n int, same uint32) {
	head := binary.BigEndian.Uint32(p)
	version, layer := head>>19&3, 4-int(head>>17&3)
	rate := [4]int{44100, 48000, 32000, 0}[head>>10&3]
	if head>>21 != 0x7FF || version == 1 || layer == 4 || layer == 1 || rate == 0 {
		return 0, 0
	}
	table, factor := layer-1, 144
	if version != 3 {
		rate /= 2
		table = 4
		if layer == 3 {
			factor = 72
		}
	}
	if version == 0 {
		rate /= 2
	}
	bits := kilobits[table][head>>12&15]
	if bits == 0 {
		return 0, 0
	}
	return factor*bits*1000/rate + int(head>>9&1), head & 0xFFFE0C00
}

// adtsFrame reads the header of a frame of AAC, ISO/IEC 13818-7, 6.2.
func adtsFrame(p []byte) (n int, same uint32) {
	head := binary.BigEndian.Uint32(p)
	if head>>20 != 0xFFF || head>>17&3 != 0 || head>>10&15 > 12 {
		return 0, 0
	}
	n = int(p[3]&3)<<11 | int(p[4])<<3 | int(p[5])>>5
	if n <= frameHead {
		return 0, 0
	}
	return n, head & 0xFFFFFDC0
}

// ac3Kilobits are the bit rates of AC-3.
var ac3Kilobits = [...]int{32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640}

// ac3Frame reads the header of a frame of AC-3 or E-AC-3, ETSI TS 102 366, 4.3.1 and E.1.2.
func ac3Frame(p []byte) (n int, same uint32) {
	version, rate, code := p[5]>>3, p[4]>>6, int(p[4]&0x3F)
	if p[0] != 0x0B || p[1] != 0x77 {
		return 0, 0
	}
	if version > 10 {
		return 2 * (int(p[2]&7)<<8 | int(p[3]) + 1), uint32(version)
	}
	if rate == 3 || code/2 >= len(ac3Kilobits) {
		return 0, 0
	}
	kilobits := ac3Kilobits[code/2]
	switch rate {
	case 0: // 48 kHz
		n = 4 * kilobits
	case 1: // 44.1 kHz
		n = 2 * (kilobits*96000/44100 + code&1)
	case 2:
		n = 6 * kilobits
	}
	return n, uint32(version)<<8 | uint32(rate)<<6 | uint32(code/2)
}
