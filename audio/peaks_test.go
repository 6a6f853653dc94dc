package audio

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Two channels: a tone that grows, and silence with a single click. However the bytes are cut, the
// peaks are the same.
func TestPeaks(t *testing.T) {
	f := Format{Encoding: PCM, BitDepth: 16, SampleRate: 16000, Channels: 2}
	var stream []byte
	for i := range 16000 {
		tone := int16(math.Round(float64(i) * 2 * math.Sin(2*math.Pi*400*float64(i)/16000)))
		click := int16(0)
		if i == 8000 {
			click = -32768
		}
		stream = binary.LittleEndian.AppendUint16(stream, uint16(tone))
		stream = binary.LittleEndian.AppendUint16(stream, uint16(click))
	}
	whole := NewPeaks(f)
	_, _ = whole.Write(stream)
	if whole.Len() != 50 {
		t.Fatalf("%d stretches, want 50", whole.Len())
	}
	all := whole.Join(0, 50, 50)
	if want := []int8{-125, 125, -128, 0}; !slices.Equal(all, want) {
		t.Errorf("of the whole second %v, want %v", all, want)
	}
	for at, want := range map[int][]int8{0: {-3, 3, 0, 0}, 25: {-65, 65, -128, 0}, 26: {-68, 68, 0, 0}} {
		got := whole.Join(at, at+1, 1)
		for i := range want {
			if math.Abs(float64(got[i])-float64(want[i])) > 2 {
				t.Errorf("stretch %d: %v, want about %v", at, got, want)
				break
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	cut := NewPeaks(f)
	for rest := stream; len(rest) > 0; {
		n := min(len(rest), r.IntN(3000))
		_, _ = cut.Write(bytes.Clone(rest[:n]))
		rest = rest[n:]
	}
	if !slices.Equal(cut.Join(0, 50, 7), whole.Join(0, 50, 7)) || len(whole.Join(0, 50, 7)) != 8*4 {
		t.Error("peaks depend on how the bytes are cut")
	}
}

// Every encoding has the same picture of the same tone, within what its samples can hold.
func TestPeaksOfEncodings(t *testing.T) {
	for _, f := range []Format{
		{PCM, 8, 8000, 1}, {PCM, 16, 44100, 1}, {PCM, 24, 48000, 1}, {PCM, 32, 32000, 1}, {ALaw, 8, 8000, 1},
		{MuLaw, 8, 8000, 1},
	} {
		p := NewPeaks(f)
		silence := make([]byte, f.TickBytes()*10)
		switch {
		case f.Encoding == ALaw:
			silence = bytes.Repeat([]byte{0xd5}, len(silence))
		case f.Encoding == MuLaw:
			silence = bytes.Repeat([]byte{0xff}, len(silence))
		case f.BitDepth == 8:
			silence = bytes.Repeat([]byte{0x80}, len(silence))
		}
		_, _ = p.Write(silence)
		if got := p.Join(0, p.Len(), p.Len()); p.Len() != 5 || got[0] < -1 || got[1] > 1 {
			t.Errorf("%v: silence of 100 ms is %v in %d stretches", f, got, p.Len())
		}
	}
}

func BenchmarkPeaks(b *testing.B) {
	f := Format{Encoding: PCM, BitDepth: 16, SampleRate: 16000, Channels: 1}
	second := make([]byte, 32000)
	b.SetBytes(int64(len(second)))
	for b.Loop() {
		p := NewPeaks(f)
		_, _ = p.Write(second)
	}
}
