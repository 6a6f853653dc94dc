package gateway

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"steno/audio"
	"steno/audio/media"
	"steno/session/addon/remote"
	"steno/session/asr"
)

// stereo is two seconds of two tones at 44.1 kHz, and a bit that is no whole tick.
func stereo() []byte {
	var pcm []byte
	for i := range 2*44100 + 17 {
		for _, hertz := range []float64{300, 700} {
			v := int16(8000 * math.Sin(2*math.Pi*hertz*float64(i)/44100))
			pcm = append(pcm, byte(v), byte(v>>8))
		}
	}
	return pcm
}

// What is held of a recording while it is transcribed is what decoding it once more gives, however it is cut.
func TestVoices(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.wav")
	if err := os.WriteFile(path, wavOf(stereo(), 44100, 2), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &Server{deps: Deps{Media: newDecoder(t, media.Limits{})}}
	want, err := (&attempt{server: s, seconds: 2, distinct: []int{0, 1}}).hear(t.Context(), path)
	if err != nil || len(want) != 2 || len(want[0]) < 2*asr.Rate-2*audio.TickSamples || slices.Equal(want[0], want[1]) {
		t.Fatalf("%d channels, %v", len(want), err)
	}
	f := audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: 44100, Channels: 2}
	for _, size := range []int{1, 883, 4096, 1 << 20} {
		v, err := newVoices(f, maxHeld)
		if err != nil {
			t.Fatal(err)
		}
		for piece := range slices.Chunk(stereo(), size) {
			if n, err := v.Write(piece); n != len(piece) || err != nil {
				t.Fatalf("wrote %d of %d: %v", n, len(piece), err)
			}
		}
		a := &attempt{server: s, voices: v}
		got, err := a.hear(t.Context(), "nowhere")
		if err != nil || !slices.EqualFunc(got, want, slices.Equal[[]int16]) || a.voices != nil {
			t.Errorf("in pieces of %d: %d channels, %v", size, len(got), err)
		}
	}
	v, err := newVoices(f, 2*asr.Rate) // of both channels
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Write(stereo()); err != nil || !v.over || v.channels != nil {
		t.Errorf("holds %v: %v", v.channels != nil, err)
	}
	got, err := (&attempt{server: s, voices: v, seconds: 2, distinct: []int{0, 1}}).hear(t.Context(), path)
	if err != nil || !slices.EqualFunc(got, want, slices.Equal[[]int16]) {
		t.Errorf("more than is held: %d channels, %v", len(got), err)
	}
	_, err = (&attempt{server: s, seconds: 3*3600 + 1, distinct: []int{0, 1}}).hear(t.Context(), path)
	if e, ok := errors.AsType[*remote.Error](err); !ok || e.StatusCode != 413 {
		t.Errorf("too long: %v", err)
	}
}

// removing is a recognizer that hears the last of a recording: its file is gone as soon as there is an utterance.
type removing struct {
	asr.Recognizer
	remove func()
}

func (r removing) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	r.remove()
	return r.Recognizer.Open(ctx, p)
}

// A recording is decoded once, also where its speakers are told apart.
func TestSpeakersOfWhatWasHeard(t *testing.T) {
	r := addonRig(t, services(), "one two three four five six", "seven eight nine ten eleven twelve")
	r.engines.asr = removing{r.engines.asr, func() {
		for _, path := range r.kept() {
			if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Error(err)
			}
		}
	}}
	d := &halves{}
	r.diarizer = d
	r.restart()
	up := r.uploaded("a.wav", wavOf(speech(5, 5), 16000, 1))
	result := r.done(r.asked(`{"audio_url":"` + up.AudioURL + `","diarization":true,"diarization_config":{"number_of_speakers":2}}`))
	seen := map[int]bool{}
	for _, u := range result.Transcription.Utterances {
		if u.Speaker != nil {
			seen[*u.Speaker] = true
		}
	}
	if len(seen) != 2 || len(d.want) != 1 || result.Diarization != nil {
		t.Errorf("speakers %v, asked %v, %+v", seen, d.want, result.Diarization)
	}
}
