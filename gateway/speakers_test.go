package gateway

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"steno/messages"
	"steno/session/asr"
)

// halvesDiarizer is a diarizer that assigns the first half of all audio to one speaker, the second
// to another.
type halvesDiarizer struct {
	err  error
	want []asr.Speakers
}

func (h *halvesDiarizer) Diarize(_ context.Context, samples []int16, want asr.Speakers) ([]asr.Turn, error) {
	h.want = append(h.want, want)
	n := len(samples)
	return []asr.Turn{{Start: 0, End: n / 2}, {Start: n / 2, End: n, Speaker: 1}}, h.err
}

// An engine's diarizer is asked first; if it has no models, the embedded one is used. Channels are
// speakers.
func TestDiarizer(t *testing.T) {
	sound := speech(5, 5)
	stereo := make([]byte, 0, 2*len(sound))
	other := speech(5, 7)
	for i := 0; i < len(sound); i += 2 {
		stereo = append(append(stereo, sound[i:i+2]...), other[i:i+2]...)
	}
	for name, c := range map[string]struct {
		engine   *halvesDiarizer
		wav      []byte
		speakers int
		asked    int
	}{
		"engine":       {&halvesDiarizer{}, wavOf(sound, 16000, 1), 2, 1},
		"no models":    {&halvesDiarizer{err: asr.ErrUnavailable}, wavOf(sound, 16000, 1), 1, 1},
		"two channels": {&halvesDiarizer{}, wavOf(stereo, 16000, 2), 2, 0},
	} {
		r := addonServer(t, services(), "one two three four five six", "seven eight nine ten eleven twelve", "a b c d",
			"e f g h")
		r.diarizer = c.engine
		r.restart()
		up := r.uploadFile("a.wav", c.wav)
		result := r.awaitResult(r.createJob(`{"audio_url":"` + up.AudioURL + `","language_config":{"languages":["en"]},"diarization":true,
			"diarization_config":{"number_of_speakers":` + map[bool]string{true: "1", false: "2"}[name == "no models"] + `}}`))
		seen := map[int]bool{}
		for _, u := range result.Transcription.Utterances {
			seen[*u.Speaker] = true
			if name == "two channels" && *u.Speaker != *first(result, u.Channel).Speaker {
				t.Errorf("%s: %+v", name, u)
			}
		}
		if len(seen) != c.speakers || len(c.engine.want) != c.asked || result.Diarization != nil {
			t.Errorf("%s: speakers %v, asked %v, %+v", name, seen, c.engine.want, result.Diarization)
		}
	}
}

// first returns the first utterance of a channel.
func first(result messages.PreRecordedResult, channel int) messages.Utterance {
	for _, u := range result.Transcription.Utterances {
		if u.Channel == channel {
			return u
		}
	}
	return messages.Utterance{}
}

// If diarization fails the result contains the failure, and everything else.
func TestDiarizationFails(t *testing.T) {
	r := addonServer(t, services(), ada, bug)
	r.diarizer = &halvesDiarizer{err: errors.New("secret cause")}
	r.restart()
	up := r.uploadFile("a.wav", wavOf(speech(5, 5), 16000, 1))
	result := r.awaitResult(r.createJob(`{"audio_url":"` + up.AudioURL +
		`","language_config":{"languages":["en"]},"diarization":true,"summarization":true}`))
	if d := result.Diarization; d == nil || d.Success || d.Error == nil || d.Error.StatusCode != 500 ||
		strings.Contains(d.Error.Message, "secret") {
		t.Errorf("diarization %+v", d)
	}
	if us := result.Transcription.Utterances; len(us) != 2 || us[0].Speaker != nil || result.Summarization == nil ||
		!result.Summarization.Success {
		t.Errorf("transcription %+v, summary %+v", us, result.Summarization)
	}
}

// removingRecognizer is a recognizer that removes the file of the recording at the first utterance.
type removingRecognizer struct {
	asr.Recognizer
	remove func()
}

func (r removingRecognizer) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	r.remove()
	return r.Recognizer.Open(ctx, p)
}

// A recording is decoded once, also if it is diarized.
func TestDiarizeBufferedAudio(t *testing.T) {
	r := addonServer(t, services(), "one two three four five six", "seven eight nine ten eleven twelve")
	r.engines.asr = removingRecognizer{r.engines.asr, func() {
		for _, path := range r.uploadFiles() {
			if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Error(err)
			}
		}
	}}
	d := &halvesDiarizer{}
	r.diarizer = d
	r.restart()
	up := r.uploadFile("a.wav", wavOf(speech(5, 5), 16000, 1))
	result := r.awaitResult(r.createJob(`{"audio_url":"` + up.AudioURL +
		`","diarization":true,"diarization_config":{"number_of_speakers":2}}`))
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
