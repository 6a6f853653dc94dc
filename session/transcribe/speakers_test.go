package transcribe_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"steno/audio/audiotest"
	"steno/messages"
	"steno/session/asr"
)

// halvesDiarizer is a diarizer to which the first half of all audio is one speaker's, the second
// another's.
type halvesDiarizer struct {
	err  error
	want []asr.Speakers
}

func (h *halvesDiarizer) Diarize(_ context.Context, samples []int16, want asr.Speakers) ([]asr.Turn, error) {
	h.want = append(h.want, want)
	n := len(samples)
	return []asr.Turn{{Start: 0, End: n / 2}, {Start: n / 2, End: n, Speaker: 1}}, h.err
}

func speakers(us []messages.Utterance) []int {
	var list []int
	for _, u := range us {
		if u.Speaker != nil && !slices.Contains(list, *u.Speaker) {
			list = append(list, *u.Speaker)
		}
	}
	return list
}

// The diarizer is asked for one channel and an exact number of speakers or none; else, and where it
// has no models, what is embedded answers. A failure leaves the utterances as they are.
func TestDiarize(t *testing.T) {
	a, b := audiotest.Speech(5, 5), audiotest.Speech(5, 7)
	for name, c := range map[string]struct {
		params   string
		engine   halvesDiarizer
		channels [][]byte
		asked    int
		speakers int
	}{
		"not wanted": {``, halvesDiarizer{}, [][]byte{a}, 0, 0},
		"engine":     {`,"diarization":true`, halvesDiarizer{}, [][]byte{a}, 1, 2},
		"exactly two": {`,"diarization":true,"diarization_config":{"number_of_speakers":2}`, halvesDiarizer{},
			[][]byte{a}, 1, 2},
		"at most one": {`,"diarization":true,"diarization_config":{"max_speakers":1}`, halvesDiarizer{}, [][]byte{a},
			0, 1},
		"no models": {`,"diarization":true,"diarization_config":{"number_of_speakers":1}`,
			halvesDiarizer{err: asr.ErrUnavailable}, [][]byte{a}, 1, 1},
		"failure":       {`,"diarization":true`, halvesDiarizer{err: errBroken}, [][]byte{a}, 1, 0},
		"two channels":  {`,"diarization":true`, halvesDiarizer{}, [][]byte{a, b}, 0, 2},
		"same channels": {`,"diarization":true`, halvesDiarizer{}, [][]byte{silence(5), a, a}, 1, 2},
	} {
		job := jobOf(t, c.params)
		job.Diarizer = &c.engine
		source, decoded := recordingOf(interleave(c.channels...), 16000, len(c.channels))
		before := transcriptOf(t, job, source)
		times := *decoded
		after, err := job.Diarize(t.Context(), before)
		if err != nil {
			t.Fatal(err)
		}
		us := after.Transcription.Utterances
		if len(c.engine.want) != c.asked || len(speakers(us)) != c.speakers || *decoded != times {
			t.Errorf("%s: asked %v, speakers %v, decoded %d times more", name, c.engine.want, speakers(us),
				*decoded-times)
		}
		failed := errors.Is(c.engine.err, errBroken)
		if failed != (after.Diarization != nil) || failed && text(t, us) != text(t, before.Transcription.Utterances) {
			t.Errorf("%s: %+v", name, after.Diarization)
		}
	}
}

// A diarization that is cancelled returns no transcript.
func TestDiarizeCancelled(t *testing.T) {
	job := jobOf(t, `,"diarization":true`)
	source, _ := recordingOf(audiotest.Speech(5, 5), 16000, 1)
	transcript := transcriptOf(t, job, source)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if after, err := job.Diarize(ctx, transcript); !errors.Is(err, context.Canceled) ||
		after.Transcription.Utterances != nil {
		t.Errorf("%v", err)
	}
}
