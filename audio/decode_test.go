package audio

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/zaf/g711"
)

func TestSixteenBitPassesUnchanged(t *testing.T) {
	for channels := 1; channels <= MaxChannels; channels++ {
		f := Format{PCM, 16, Rate, channels}
		want := make([][]int16, channels)
		raw := make([]byte, 410*f.TickBytes()) // all 65536 values
		for i := range len(raw) / 2 {
			v := int16(i*40503 + i/65536)
			binary.LittleEndian.PutUint16(raw[2*i:], uint16(v))
			want[i%channels] = append(want[i%channels], v)
		}
		for c := range channels {
			fr := newFront(t, f, c, false)
			if got := runFront(fr, raw); !slices.Equal(got, want[c]) {
				t.Errorf("channel %d of %d is changed", c, channels)
			}
			if fr.Delay() != 0 {
				t.Errorf("delay %d", fr.Delay())
			}
		}
	}
}

func TestUnsignedEightBit(t *testing.T) {
	f := Format{PCM, 8, Rate, 1}
	raw := make([]byte, 2*TickSamples)
	for i := range raw {
		raw[i] = byte(i)
	}
	for i, v := range runFront(newFront(t, f, 0, false), raw) {
		if want := int16(int(byte(i))-128) * 256; v != want {
			t.Errorf("byte %d is %d, not %d", byte(i), v, want)
		}
	}
}

func TestG711(t *testing.T) {
	raw := make([]byte, 2*TickSamples)
	for i := range raw {
		raw[i] = byte(i)
	}
	for _, c := range []struct {
		e      Encoding
		decode func([]byte) []byte
	}{{ALaw, g711.DecodeAlaw}, {MuLaw, g711.DecodeUlaw}} {
		got := runFront(newFront(t, Format{c.e, 8, Rate, 1}, 0, false), raw)
		want := c.decode(raw)
		for i, v := range got {
			if w := int16(binary.LittleEndian.Uint16(want[2*i:])); v != w {
				t.Errorf("%v byte %#x is %d, not %d", c.e, raw[i], v, w)
			}
		}
	}
}

// Anchors from the tables of ITU-T G.711, scaled to 16 bit: the smallest steps and the ends of both
// halves.
func TestG711Anchors(t *testing.T) {
	for _, c := range []struct {
		e    Encoding
		code byte
		want int16
	}{
		{ALaw, 0xD5, 8}, {ALaw, 0x55, -8}, {ALaw, 0xAA, 32256}, {ALaw, 0x2A, -32256}, {ALaw, 0xD4, 24},
		{MuLaw, 0xFF, 0}, {MuLaw, 0xFE, 8}, {MuLaw, 0x7E, -8}, {MuLaw, 0x80, 32124}, {MuLaw, 0x00, -32124},
	} {
		raw := make([]byte, TickSamples)
		raw[0] = c.code
		if got := runFront(newFront(t, Format{c.e, 8, Rate, 1}, 0, false), raw)[0]; got != c.want {
			t.Errorf("%v %#x is %d, not %d", c.e, c.code, got, c.want)
		}
	}
}

func TestHighDepthRoundsAndSaturates(t *testing.T) {
	for _, c := range []struct {
		in   int32 // 32-bit sample
		want int16
	}{
		// halves go to even
		{0, 0}, {0x7FFF, 0}, {0x8001, 1}, {0x10000, 1}, {-0x8001, -1}, {-0x7FFF, 0}, {0x18000, 2}, {0x28000, 2},
		{0x7FFF0000, 32767}, {0x7FFFFFFF, 32767}, {-0x80000000, -32768}, {0x7FFE8100, 32767},
	} {
		b := make([]byte, 4*TickSamples)
		binary.LittleEndian.PutUint32(b, uint32(c.in))
		if got := runFront(newFront(t, Format{PCM, 32, Rate, 1}, 0, false), b)[0]; got != c.want {
			t.Errorf("32 bit %#x is %d, not %d", c.in, got, c.want)
		}
		if c.in&0xFF != 0 {
			continue
		}
		if got := runFront(newFront(t, Format{PCM, 24, Rate, 1}, 0, false), b[1:1+3*TickSamples])[0]; got != c.want {
			t.Errorf("24 bit %#x is %d, not %d", c.in>>8, got, c.want)
		}
	}
}

// What lies below a 16-bit step must reach the resampler and the rounding after it.
func TestDepthSurvivesUntilTheEnd(t *testing.T) {
	for _, depth := range []int{24, 32} {
		f := Format{PCM, depth, 48000, 1}
		x := make([]float64, 48000)
		for i := range x {
			x[i] = 0.4 / 32768
		}
		quiet := runFront(newFront(t, f, 0, false), encode(f, 0, x))
		for i := range x {
			x[i] = 0.6 / 32768
		}
		loud := runFront(newFront(t, f, 0, false), encode(f, 0, x))
		if quiet[8000] != 0 || loud[8000] != 1 {
			t.Errorf("%d bit: 0.4 of a step is %d, 0.6 is %d; want 0 and 1", depth, quiet[8000], loud[8000])
		}
	}
}

func TestResamplerSaturates(t *testing.T) {
	f := Format{PCM, 16, 48000, 1}
	x := make([]float64, 4800)
	for i := range x { // a square wave overshoots after a low-pass
		x[i] = 1 - 2*float64(i/48%2)
	}
	out := runFront(newFront(t, f, 0, false), encode(f, 0, x))
	if top, bottom := slices.Max(out), slices.Min(out); top != 32767 || bottom != -32768 {
		t.Errorf("overshoot clips at %d and %d", bottom, top)
	}
	// Half periods have 16 samples at 16 kHz; in the middle of each, a wrapped sample would have
	// the wrong sign.
	for i := 2*TickSamples + 40; i < len(out)-8; i++ {
		if at := (i - 40) % 32; at >= 2 && at <= 13 && out[i] < 20000 || at >= 18 && at <= 29 && out[i] > -20000 {
			t.Fatalf("sample %d (%d of the period) is %d", i, at, out[i])
		}
	}
}
