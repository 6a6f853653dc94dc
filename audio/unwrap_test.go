package audio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// mono is the format of most tests here.
var mono = Format{PCM, 16, 16000, 1}

// ramp makes audio of so many bytes in which no header can be found.
func ramp(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*7) | 0x80
	}
	return b
}

// sized makes a WAV file with a size for the file and one for its data, chunks before the data and
// after it.
func sized(file, data uint32, audio []byte, before, after []byte) []byte {
	b := binary.LittleEndian.AppendUint32([]byte("RIFF"), file)
	b = append(append(b, "WAVE"...), chunk("fmt ", fmtBody(1, 1, 16000, 16))...)
	b = append(append(b, before...), dataChunk(data)...)
	return append(append(b, audio...), after...)
}

// file is sized with true sizes.
func file(audio, before, after []byte) []byte {
	return sized(uint32(36+len(audio)+len(before)+len(after)), uint32(len(audio)), audio, before, after)
}

// unwrap returns the audio of a stream that is fed in pieces, and checks that what Gaps make of it
// is the same.
func unwrap(t testing.TB, declared Format, stream []byte, cuts ...int) ([]byte, error) {
	t.Helper()
	u := Unwrapper{Declared: declared}
	var out []byte
	emit := func(p []byte) error {
		out = append(out, p...)
		return nil
	}
	for at := 0; at < len(stream); {
		n := len(stream) - at
		if len(cuts) > 0 {
			n, cuts = min(n, cuts[0]), append(cuts[1:], cuts[0])
		}
		if err := u.Feed(stream[at:at+n], emit); err != nil {
			return out, err
		}
		at += n
	}
	if err := u.Flush(emit); err != nil {
		return out, err
	}
	if all := u.Gaps.Audio(int64(len(stream))); all != int64(len(out)) {
		t.Fatalf("%d bytes of audio beside the gaps, not %d", all, len(out))
	}
	for i := range out {
		at := u.Gaps.Stream(int64(i))
		if stream[at] != out[i] || u.Gaps.Audio(at) != int64(i) || u.Gaps.Run(int64(i), 1) != 1 {
			t.Fatalf("byte %d of the audio is at %d of the stream, which is %d of the audio", i, at, u.Gaps.Audio(at))
		}
	}
	return out, nil
}

func TestUnwrap(t *testing.T) {
	a, b := ramp(640), bytes.Repeat([]byte{0x01, 0x90}, 500)
	list := chunk("LIST", []byte("INFOISFT\x0a\x00\x00\x00a program\x00"))
	picture := chunk("id3 ", append([]byte("ID3\x03\x00\x00\x00\x00\x7f\x7f"), ramp(70001)...))
	odd := ramp(321)
	for _, c := range []struct {
		name   string
		stream []byte
		want   []byte
	}{
		{"no header", slices.Concat(a, b), slices.Concat(a, b)},
		{"one file", file(a, nil, nil), a},
		{"chunks before", file(a, slices.Concat(chunk("bext", make([]byte, 858)), chunk("iXML", ramp(70000)),
			chunk("JUNK", ramp(3))), nil), a},
		{"chunks after", file(a, nil, slices.Concat(list, picture, chunk("_PMX", bytes.Repeat([]byte(" "), 99)))), a},
		{"unknown chunk after", file(a, nil, chunk("xyz1", ramp(100))), a},
		{"files one after another", slices.Concat(file(a, nil, list), file(b, list, nil), file(a, nil, nil)),
			slices.Concat(a, b, a)},
		{"audio, then a file", slices.Concat(b, file(a, nil, nil)), slices.Concat(b, a)},
		{"size 0", sized(0, 0, a, nil, nil), a},
		{"greatest size", sized(0xFFFFFFFF, 0xFFFFFFFF, a, list, nil), a},
		{"greatest size of a recorder", sized(0x80000024, 0x80000000, a, nil, nil), a},
		{"size 0, then a file", slices.Concat(sized(0, 0, a, nil, nil), file(b, nil, nil)), slices.Concat(a, b)},
		{"size 0 and chunks after", sized(0, 0, a, nil, slices.Concat(list, picture)), a},
		{"size of the beginning", sized(36+64, 64, a, nil, nil), a},
		{"size of the beginning, and chunks after", sized(36+64, 64, a, nil, list), a},
		{"size of the data alone is stale", sized(uint32(36+len(a)), 64, a, nil, nil), a},
		{"size beyond the next file", slices.Concat(sized(36+1200, 1200, a, nil, nil), file(b, nil, nil)),
			slices.Concat(a, b)},
		{"tags of music players", slices.Concat(file(a, nil, nil), []byte("ID3\x03\x00\x00\x00\x00\x01\x00"),
			ramp(128)), a},
		{"odd data and its filling", slices.Concat(file(odd, nil, []byte{0}), file(a, nil, nil)),
			slices.Concat(odd[:320], a)},
		{"odd data without its filling", slices.Concat(file(odd, nil, nil), list), odd[:320]},
		{"an unfinished frame before a header", slices.Concat(a, []byte{0x81}, file(b, nil, nil)), slices.Concat(a, b)},
		{"data twice in a file", file(a, nil, chunk("data", b)), slices.Concat(a, b)},
		{"ends in a header", slices.Concat(a, file(nil, nil, nil)[:30]), a},
		{"ends in an id", slices.Concat(a, []byte("RIFF")), slices.Concat(a, []byte("RIFF"))},
		{"not quite a header", slices.Concat(a, []byte("RIFFRIFF\x24\x00\x00\x00WAVX"), b),
			slices.Concat(a, []byte("RIFFRIFF\x24\x00\x00\x00WAVX"), b)},
	} {
		for _, cuts := range [][]int{nil, {1}, {7, 3}, {700, 44, 13}} {
			if got, err := unwrap(t, mono, c.stream, cuts...); err != nil || !bytes.Equal(got, c.want) {
				t.Errorf("%s in pieces of %v: %d bytes of %d, %v", c.name, cuts, len(got), len(c.want), err)
			}
		}
	}
}

// A header for each message is no audio, however the messages are cut when they are sent again.
func TestUnwrapFilesOfAnyLength(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var stream, want []byte
		for range rapid.IntRange(1, 8).Draw(rt, "files") {
			a := ramp(2 * rapid.IntRange(0, 400).Draw(rt, "samples"))
			size := rapid.SampledFrom([]uint32{0, 0xFFFFFFFF, uint32(len(a)), uint32(len(a) / 2)}).Draw(rt, "size")
			stream, want = append(stream, sized(size, size, a, nil, nil)...), append(want, a...)
		}
		cuts := rapid.SliceOfN(rapid.IntRange(1, 900), 1, 5).Draw(rt, "cuts")
		if got, err := unwrap(t, mono, stream, cuts...); err != nil || !bytes.Equal(got, want) {
			rt.Fatalf("%d bytes of %d, %v", len(got), len(want), err)
		}
	})
}

func TestUnwrapRefusesAnotherFormat(t *testing.T) {
	stereo := riff(chunk("fmt ", fmtBody(1, 2, 44100, 16)), dataChunk(0))
	for _, declared := range []Format{mono, {}} {
		got, err := unwrap(t, declared, slices.Concat(file(ramp(64), nil, nil), stereo, ramp(64)))
		if err == nil || !strings.Contains(err.Error(), "44100") || len(got) != 64 {
			t.Errorf("%v: %d bytes, %v", declared, len(got), err)
		}
	}
}

func TestGapsAreBounded(t *testing.T) {
	var g Gaps
	for at := int64(0); ; at += 2 {
		err := g.Add(at, at+1)
		if at < 2*maxGaps && err == nil {
			continue
		}
		if !errors.Is(err, ErrGaps) || at != 2*maxGaps {
			t.Fatalf("at %d: %v", at, err)
		}
		break
	}
}

func FuzzUnwrap(f *testing.F) {
	for _, c := range headers {
		f.Add(append(bytes.Clone(c.b), "some audio"...), 3)
	}
	f.Add(slices.Concat(file(ramp(9), nil, chunk("LIST", []byte("INFO"))), file(ramp(8), nil, nil)), 1)
	f.Fuzz(func(t *testing.T, b []byte, cut int) {
		for _, declared := range []Format{mono, {}} {
			whole, err := unwrap(t, declared, b)
			pieces, again := unwrap(t, declared, b, max(1, cut&0xFF))
			if err == nil && again == nil && !bytes.Equal(whole, pieces) || (err == nil) != (again == nil) {
				t.Fatalf("as a whole %d bytes, %v; in pieces %d, %v", len(whole), err, len(pieces), again)
			}
		}
	})
}
