package transcribe

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"testing"

	"steno/audio"
	"steno/session/addon/remote"
	"steno/session/asr"
)

// tones is two seconds of two tones at 44.1 kHz, and a bit that is no whole tick.
func tones() []byte {
	var pcm []byte
	for i := range 2*44100 + 17 {
		for _, hertz := range []float64{300, 700} {
			v := int16(8000 * math.Sin(2*math.Pi*hertz*float64(i)/44100))
			pcm = append(pcm, byte(v), byte(v>>8))
		}
	}
	return pcm
}

var stereo = audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: 44100, Channels: 2}

type memory struct{ io.Reader }

func (memory) Format() audio.Format { return stereo }
func (memory) Close() error         { return nil }

// transcriptOf is one of the tones, of so many seconds, with these channels transcribed and
// buffered.
func transcriptOf(seconds float64, buffered *sampler, channels ...int) *Transcript {
	source := func(context.Context) (Stream, error) { return memory{bytes.NewReader(tones())}, nil }
	t := &Transcript{recording: &Recording{Format: stereo, Channels: channels, source: source}, audio: buffered}
	t.Metadata.AudioDuration = seconds
	return t
}

// The samples buffered during transcription are those of decoding once more, however the audio is
// cut.
func TestSampler(t *testing.T) {
	want, err := transcriptOf(2, nil, 0, 1).samples(t.Context())
	if err != nil || len(want) != 2 || len(want[0]) < 2*asr.Rate-2*audio.TickSamples || slices.Equal(want[0], want[1]) {
		t.Fatalf("%d channels, %v", len(want), err)
	}
	for _, size := range []int{1, 883, 4096, 1 << 20} {
		s, err := newSampler(stereo, maxBuffered)
		if err != nil {
			t.Fatal(err)
		}
		for piece := range slices.Chunk(tones(), size) {
			if n, err := s.Write(piece); n != len(piece) || err != nil {
				t.Fatalf("wrote %d of %d: %v", n, len(piece), err)
			}
		}
		transcript := transcriptOf(2, s, 0, 1)
		transcript.recording.source = nil
		got, err := transcript.samples(t.Context())
		if err != nil || !slices.EqualFunc(got, want, slices.Equal[[]int16]) || transcript.audio != nil {
			t.Errorf("in pieces of %d: %d channels, %v", size, len(got), err)
		}
	}
}

// Beyond its limit a sampler keeps nothing, and the recording is decoded again; one too long to
// hold is refused.
func TestSamplerLimit(t *testing.T) {
	s, err := newSampler(stereo, 2*asr.Rate) // of both channels
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Write(tones()); err != nil || !s.exceeded || s.channels != nil {
		t.Errorf("holds %v: %v", s.channels != nil, err)
	}
	want, err := transcriptOf(2, nil, 0, 1).samples(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got, err := transcriptOf(2, s, 0, 1).samples(t.Context())
	if err != nil || !slices.EqualFunc(got, want, slices.Equal[[]int16]) {
		t.Errorf("more than is buffered: %d channels, %v", len(got), err)
	}
	one, err := transcriptOf(2, nil, 1).samples(t.Context())
	if err != nil || len(one) != 1 || !slices.Equal(one[0], want[1]) {
		t.Errorf("of one channel: %d, %v", len(one), err)
	}
	_, err = transcriptOf(3*3600+1, nil, 0, 1).samples(t.Context())
	if e, ok := errors.AsType[*remote.Error](err); !ok || e.StatusCode != 413 {
		t.Errorf("too long: %v", err)
	}
}
