package transcribe_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"steno/audio/audiotest"
	"steno/session"
	"steno/session/transcribe"
)

// Of channels that hold the same, one is transcribed, and none that is silent.
func TestDecode(t *testing.T) {
	a, b := audiotest.Speech(3, 12), audiotest.Speech(3, 13)
	for name, c := range map[string]struct {
		channels [][]byte
		want     []int
		decoded  int
	}{
		"mono":         {[][]byte{a}, []int{0}, 1},
		"both differ":  {[][]byte{a, b}, []int{0, 1}, 2},
		"both equal":   {[][]byte{a, a}, []int{0}, 2},
		"left silent":  {[][]byte{silence(3), a}, []int{1}, 2},
		"three of two": {[][]byte{a, a, b}, []int{0, 2}, 2},
	} {
		source, decoded := recordingOf(interleave(c.channels...), 16000, len(c.channels))
		r, err := transcribe.Decode(t.Context(), source)
		if err != nil || !slices.Equal(r.Channels, c.want) || r.Format.Channels != len(c.channels) || *decoded !=
			c.decoded {
			t.Errorf("%s: channels %v, decoded %d times, %v", name, r.Channels, *decoded, err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

// How far a recording was read is reported in steps, up to its end.
func TestHeard(t *testing.T) {
	job := jobOf(t, ``)
	var heard []float64
	job.Heard = func(seconds float64) { heard = append(heard, seconds) }
	pcm := interleave(audiotest.Speech(3, 12), audiotest.Speech(3, 13))
	source, _ := recordingOf(pcm, 16000, 2)
	transcriptOf(t, job, source)
	if want := float64(len(pcm)) / 64000; len(heard) < 2 || !slices.IsSorted(heard) || heard[0] >= want ||
		heard[len(heard)-1] != want {
		t.Errorf("%v, of %v s", heard, want)
	}
}

var errBroken = errors.New("broken")

// broken is a stream that fails.
type broken struct{ transcribe.Stream }

func (broken) Read([]byte) (int, error) { return 0, errBroken }

// Errors of the source end each stage. Where the format of the recording is known, it is returned
// with the error.
func TestSourceFails(t *testing.T) {
	never := func(context.Context) (transcribe.Stream, error) { return nil, errBroken }
	if r, err := transcribe.Decode(t.Context(), never); r != nil || !errors.Is(err, errBroken) {
		t.Errorf("recording %v, %v", r, err)
	}
	whole, _ := recordingOf(silence(1), 16000, 2)
	source := func(ctx context.Context) (transcribe.Stream, error) {
		stream, err := whole(ctx)
		return broken{stream}, err
	}
	if r, err := transcribe.Decode(t.Context(), source); r == nil || r.Format.Channels != 2 ||
		!errors.Is(err, errBroken) {
		t.Errorf("recording %v, %v", r, err)
	}
	whole, _ = recordingOf(silence(1), 16000, 1)
	r, err := transcribe.Decode(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := jobOf(t, ``).Transcribe(t.Context(), r); !errors.Is(err, errBroken) {
		t.Errorf("transcript: %v", err)
	}
}

// Utterances have the channel numbers of the file, and each channel's are those of a recording of
// it alone.
func TestTranscribe(t *testing.T) {
	a, b := audiotest.Speech(4, 12), audiotest.Speech(4, 13)
	job := jobOf(t, ``)
	alone := func(pcm []byte) []string {
		source, _ := recordingOf(pcm, 16000, 1)
		return said(transcriptOf(t, job, source).Transcription.Utterances)[0]
	}
	source, _ := recordingOf(interleave(silence(4), a, a, b), 16000, 4)
	got := transcriptOf(t, job, source)
	want := map[int][]string{1: alone(a), 3: alone(b)}
	if fmt.Sprint(said(got.Transcription.Utterances)) != fmt.Sprint(want) || got.Metadata.AudioDuration != 4 ||
		got.Metadata.NumberOfDistinctChannels != 2 || got.Metadata.BillingTime != 8 {
		t.Errorf("%v, want %v; %+v", said(got.Transcription.Utterances), want, got.Metadata)
	}
}

// A recording longer than allowed and a cancelled context return no transcript.
func TestTranscribeBounds(t *testing.T) {
	source, _ := recordingOf(silence(2), 16000, 1)
	r, err := transcribe.Decode(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	job := jobOf(t, ``)
	job.MaxAudio = 1e9
	if _, err := job.Transcribe(t.Context(), r); !errors.Is(err, session.ErrFull) {
		t.Errorf("too long: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r, err = transcribe.Decode(ctx, source); err != nil {
		t.Fatal(err)
	}
	if _, err := jobOf(t, ``).Transcribe(ctx, r); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// The words of the vocabulary and the spelling that the job asks for are in the transcript.
func TestTranscribeSpells(t *testing.T) {
	source, _ := recordingOf(audiotest.Speech(4, 12), 16000, 1)
	plain := transcriptOf(t, jobOf(t, ``), source).Transcription.Utterances[0].Words[0].Word
	spelled := transcriptOf(t,
		jobOf(t, `,"custom_spelling":true,"custom_spelling_config":{"spelling_dictionary":{"Norland":["`+plain+`"]}}`),
		source)
	if got := spelled.Transcription.Utterances[0].Words[0].Word; got == plain || got != "Norland" && got != " Norland" {
		t.Errorf("%q is spelled %q", plain, got)
	}
}
