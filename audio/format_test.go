package audio

import (
	"math"
	"testing"
)

func TestValidate(t *testing.T) {
	for _, enc := range []Encoding{PCM, ALaw, MuLaw} {
		for _, depth := range []int{8, 16, 24, 32} {
			for _, rate := range rates {
				for channels := 1; channels <= 8; channels++ {
					err := Format{enc, depth, rate, channels}.Validate()
					if ok := enc == PCM || depth == 8; ok != (err == nil) {
						t.Errorf("%v %d %d %d: %v", enc, depth, rate, channels, err)
					}
				}
			}
		}
	}
	for _, f := range []Format{
		{}, {PCM, 12, 16000, 1}, {PCM, 16, 22050, 1}, {PCM, 16, 16000, 0}, {PCM, 16, 16000, 9}, {PCM, 16, 16000, -1},
		{3, 8, 16000, 1}, {-1, 8, 16000, 1},
		{PCM, -16, 16000, 1}, {ALaw, 16, 8000, 1},
	} {
		if f.Validate() == nil {
			t.Errorf("%v is accepted", f)
		}
		if _, err := NewFront(f, 0, false); err == nil {
			t.Errorf("NewFront accepts %v", f)
		}
	}
	for _, channel := range []int{-1, 2} {
		if _, err := NewFront(Format{PCM, 16, 16000, 2}, channel, false); err == nil {
			t.Errorf("NewFront accepts channel %d of 2", channel)
		}
	}
}

func TestSizes(t *testing.T) {
	for _, c := range []struct {
		f           Format
		frame, tick int
	}{
		{Format{PCM, 16, 16000, 1}, 2, 320},
		{Format{PCM, 24, 44100, 2}, 6, 2646},
		{Format{PCM, 32, 48000, 8}, 32, 15360},
		{Format{ALaw, 8, 8000, 1}, 1, 80},
	} {
		if c.f.FrameBytes() != c.frame || c.f.TickBytes() != c.tick {
			t.Errorf("%v: %d bytes a frame, %d a tick; want %d, %d", c.f, c.f.FrameBytes(), c.f.TickBytes(), c.frame,
				c.tick)
		}
		if s := c.f.Seconds(int64(100 * c.tick)); s != 1 {
			t.Errorf("%v: 100 ticks last %v s", c.f, s)
		}
	}
}

func TestEncodingNames(t *testing.T) {
	if got := PCM.String() + " " + ALaw.String() + " " + MuLaw.String(); got != "wav/pcm wav/alaw wav/ulaw" {
		t.Error(got)
	}
}

// TestEncodingsAreDeclaredWhole tries every function of every declaration: what is encoded is
// decoded, silence is silent, a WAV header tells the format again.
func TestEncodingsAreDeclaredWhole(t *testing.T) {
	for i, d := range declarations {
		for _, depth := range d.depths {
			f := Format{Encoding(i), depth, Rate, 2}
			if err := f.Validate(); err != nil {
				t.Fatal(err)
			}
			if e, ok := EncodingNamed(d.name); !ok || e != f.Encoding || e.String() != d.name {
				t.Errorf("%s is encoding %d, %v", d.name, e, ok)
			}
			again, err := parseFmt(WAVHeader(f, 0)[20:36])
			if err != nil || again.Format != f {
				t.Errorf("the header of %v tells %v, %v", f, again, err)
			}
			silence := make([]byte, f.TickBytes())
			f.Silence(silence)
			samples := make([]float64, f.TickFrames())
			decodeChannel(samples, silence, f, 1)
			for _, x := range samples {
				if math.Abs(x) > 8 {
					t.Fatalf("%v: silence is %v", f, x)
				}
			}
			for _, want := range []float64{-20000, -300, 0, 5, 4096, 31000, 1e9} {
				raw := f.AppendSample(f.AppendSample(nil, 0), want)
				decodeChannel(samples[:1], raw, f, 1)
				want = min(want, math.MaxInt16)
				if math.Abs(samples[0]-want) > max(256, math.Abs(want)/16) {
					t.Errorf("%v: %v is decoded as %v", f, want, samples[0])
				}
			}
			if f.FFmpeg() == "" {
				t.Errorf("%v: ffmpeg's name is not declared", f)
			}
		}
	}
}

// TestContainersAreRecognized holds that each container may begin with something Container knows.
func TestContainersAreRecognized(t *testing.T) {
	names := map[string]bool{"": true}
	for _, m := range magics {
		names[m.name] = true
	}
	for _, f := range framings {
		names[f.name] = true
	}
	for _, c := range containers {
		for beginning, demultiplexer := range c.demultiplexers {
			if !names[beginning] || demultiplexer == "" {
				t.Errorf("%s: no stream begins as %q", c.name, beginning)
			}
		}
		if _, ok := Demultiplexer(c.name, "AIFF"); ok {
			t.Errorf("%s: anything is taken", c.name)
		}
	}
	if _, ok := Demultiplexer("wav/pcm", ""); ok {
		t.Error("samples have a demultiplexer")
	}
}
