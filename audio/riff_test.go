package audio

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// chunk makes a RIFF chunk that tells its size honestly.
func chunk(id string, body []byte) []byte {
	b := binary.LittleEndian.AppendUint32([]byte(id), uint32(len(body)))
	b = append(b, body...)
	return append(b, make([]byte, len(body)&1)...)
}

// fmtBody makes the body of a fmt chunk.
func fmtBody(tag, channels uint16, rate uint32, bits uint16, more ...byte) []byte {
	le := binary.LittleEndian
	b := le.AppendUint16(nil, tag)
	b = le.AppendUint16(b, channels)
	b = le.AppendUint32(b, rate)
	b = le.AppendUint32(b, rate*uint32(channels*bits/8))
	b = le.AppendUint16(b, channels*bits/8)
	b = le.AppendUint16(b, bits)
	return append(b, more...)
}

// extension is what follows in WAVE_FORMAT_EXTENSIBLE.
func extension(tag byte, bits byte) []byte {
	return append([]byte{22, 0, bits, 0, 3, 0, 0, 0, tag, 0}, subformatTail...)
}

func riff(chunks ...[]byte) []byte {
	return append([]byte("RIFF\xff\xff\xff\xffWAVE"), bytes.Join(chunks, nil)...)
}

// dataChunk claims a size and holds nothing.
func dataChunk(size uint32) []byte {
	return binary.LittleEndian.AppendUint32([]byte("data"), size)
}

var headers = []struct {
	name string
	b    []byte
	want Format
}{
	{"plain", riff(chunk("fmt ", fmtBody(1, 1, 16000, 16)), dataChunk(320)), Format{PCM, 16, 16000, 1}},
	{"stream of size 0", riff(chunk("fmt ", fmtBody(1, 2, 44100, 16)), dataChunk(0)), Format{PCM, 16, 44100, 2}},
	{"stream of greatest size", riff(chunk("fmt ", fmtBody(1, 2, 48000, 24)), dataChunk(0xFFFFFFFF)),
		Format{PCM, 24, 48000, 2}},
	{"unsigned 8 bit", riff(chunk("fmt ", fmtBody(1, 1, 8000, 8)), dataChunk(1)), Format{PCM, 8, 8000, 1}},
	{"A-law", riff(chunk("fmt ", fmtBody(6, 1, 8000, 8, 0, 0)), chunk("fact", make([]byte, 4)), dataChunk(1)),
		Format{ALaw, 8, 8000, 1}},
	{"mu-law", riff(chunk("fmt ", fmtBody(7, 2, 8000, 8)), dataChunk(2)), Format{MuLaw, 8, 8000, 2}},
	{"extensible PCM", riff(chunk("fmt ", fmtBody(0xFFFE, 8, 48000, 32, extension(1, 32)...)), dataChunk(64)),
		Format{PCM, 32, 48000, 8}},
	{"extensible mu-law", riff(chunk("fmt ", fmtBody(0xFFFE, 1, 8000, 8, extension(7, 8)...)), dataChunk(9)),
		Format{MuLaw, 8, 8000, 1}},
	{"lists around fmt", riff(chunk("LIST", make([]byte, 27)), chunk("fmt ", fmtBody(1, 1, 32000, 16)),
		chunk("JUNK", make([]byte, 60000)), dataChunk(9)), Format{PCM, 16, 32000, 1}},
	{"RF64", append([]byte("RF64\xff\xff\xff\xffWAVE"), bytes.Join([][]byte{chunk("ds64", make([]byte, 28)),
		chunk("fmt ", fmtBody(1, 1, 16000, 16)), dataChunk(0xFFFFFFFF)}, nil)...), Format{PCM, 16, 16000, 1}},
}

// parse returns the number of bytes before the audio of a stream, and the format by its header.
// need reports that the header is incomplete.
func parse(declared Format, b []byte) (n int, f Format, need bool, err error) {
	u := Unwrapper{Declared: declared}
	if err = u.Feed(b, func([]byte) error { return nil }); err != nil {
		return 0, Format{}, false, err
	}
	if u.header {
		n = int(u.Gaps.Total())
	}
	return n, u.first.Format, !u.header && (u.wav || len(u.held) > 0), nil
}

func TestHeaders(t *testing.T) {
	for _, c := range headers {
		for _, declared := range []Format{{}, c.want} {
			n, f, need, err := parse(declared, append(slices.Clone(c.b), make([]byte, 64)...))
			if n != len(c.b) || f != c.want || need || err != nil {
				t.Errorf("%s: %d of %d, %v, need %v, %v", c.name, n, len(c.b), f, need, err)
			}
		}
		for cut := 1; cut < len(c.b); cut++ {
			if n, _, need, err := parse(c.want, c.b[:cut]); n != 0 || !need || err != nil {
				t.Fatalf("%s cut to %d: %d, need %v, %v", c.name, cut, n, need, err)
			}
		}
	}
}

func TestNoHeader(t *testing.T) {
	for _, b := range []string{"\x00", "RA", "RIFX....WAVE", "XRIFF....AVI ", "data", "\xff\xfe\x00"} {
		if n, _, need, err := parse(Format{PCM, 8, 8000, 1}, []byte(b)); n != 0 || need || err != nil {
			t.Errorf("%q: %d, need %v, %v", b, n, need, err)
		}
	}
}

func TestBadHeaders(t *testing.T) {
	good := chunk("fmt ", fmtBody(1, 1, 16000, 16))
	wrongAlign := fmtBody(1, 2, 16000, 16)
	wrongAlign[12] = 2
	strange := extension(1, 16)
	strange[23]++
	for _, c := range []struct {
		says string
		b    []byte
	}{
		{"not WAVE", []byte("RIFF\x00\x00\x00\x00AVI ")},
		{"no fmt", riff(dataChunk(1))},
		{"two fmt", riff(good, good, dataChunk(1))},
		{"too short", riff(chunk("fmt ", fmtBody(1, 1, 16000, 16)[:14]), dataChunk(1))},
		{"64 KiB", riff(binary.LittleEndian.AppendUint32([]byte("fmt "), 0xFFFFFFFF))},
		{"format tag 0x11", riff(chunk("fmt ", fmtBody(0x11, 1, 16000, 16)), dataChunk(1))},
		{"floating-point", riff(chunk("fmt ", fmtBody(3, 1, 16000, 32)), dataChunk(1))},
		{"64 bit", riff(chunk("fmt ", fmtBody(3, 1, 16000, 64)), dataChunk(1))},
		{"sample rate 22050", riff(chunk("fmt ", fmtBody(1, 1, 22050, 16)), dataChunk(1))},
		{"0 channels", riff(chunk("fmt ", fmtBody(1, 0, 16000, 16)), dataChunk(1))},
		{"9 channels", riff(chunk("fmt ", fmtBody(1, 9, 16000, 16)), dataChunk(1))},
		{"bit depth 12", riff(chunk("fmt ", fmtBody(1, 1, 16000, 12)), dataChunk(1))},
		{"bit depth 16", riff(chunk("fmt ", fmtBody(6, 1, 8000, 16)), dataChunk(1))},
		{"block align", riff(chunk("fmt ", wrongAlign), dataChunk(1))},
		{"EXTENSIBLE", riff(chunk("fmt ", fmtBody(0xFFFE, 1, 16000, 16, strange...)), dataChunk(1))},
		{"EXTENSIBLE", riff(chunk("fmt ", fmtBody(0xFFFE, 1, 16000, 16)), dataChunk(1))},
	} {
		n, _, need, err := parse(Format{PCM, 16, 16000, 1}, c.b)
		if err == nil || n != 0 || need || !strings.Contains(err.Error(), c.says) {
			t.Errorf("want an error about %q, got %v (%d, need %v)", c.says, err, n, need)
		}
	}
}

func TestWAVHeaderIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := anyFormat(t)
		size := rapid.Int64Range(-1, 5<<30).Draw(t, "bytes")
		b := WAVHeader(f, size)
		u := Unwrapper{Declared: f}
		if err := u.Feed(b, nil); err != nil || !u.header || u.at != int64(len(b)) {
			t.Fatalf("%d of %d, %v", u.at, len(b), err)
		}
		if known := size > 0 && size < endless; known && u.left != size || !known && u.left != -1 {
			t.Fatalf("%d bytes are read back as %d", size, u.left)
		}
		if whole := binary.LittleEndian.Uint32(b[4:]); size >= 0 && size < 4<<30-100 && int64(whole) != size+
			int64(len(b)-8) {
			t.Fatalf("RIFF size %d for %d bytes of audio", whole, size)
		}
	})
}
