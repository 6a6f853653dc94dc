package audio

import "testing"

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
		{}, {PCM, 12, 16000, 1}, {PCM, 16, 22050, 1}, {PCM, 16, 16000, 0}, {PCM, 16, 16000, 9}, {PCM, 16, 16000, -1}, {3, 8, 16000, 1}, {-1, 8, 16000, 1},
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
			t.Errorf("%v: %d bytes a frame, %d a tick; want %d, %d", c.f, c.f.FrameBytes(), c.f.TickBytes(), c.frame, c.tick)
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
