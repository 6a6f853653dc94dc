package transcribe_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"testing"

	"go.uber.org/goleak"

	"steno/audio"
	"steno/audio/audiotest"
	"steno/messages"
	"steno/session/addon"
	"steno/session/addon/registry"
	"steno/session/asr/scripted"
	"steno/session/transcribe"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// samples is a recording in memory.
type samples struct {
	io.Reader
	format audio.Format
}

func (s samples) Format() audio.Format { return s.format }
func (s samples) Close() error         { return nil }

// recordingOf is the source of 16-bit samples, and counts how often they are decoded.
func recordingOf(pcm []byte, rate, channels int) (transcribe.Source, *int) {
	decoded := new(int)
	f := audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: rate, Channels: channels}
	return func(context.Context) (transcribe.Stream, error) {
		*decoded++
		return samples{bytes.NewReader(pcm), f}, nil
	}, decoded
}

// jobOf is a job with these parameters beside the audio's address.
func jobOf(t *testing.T, params string) transcribe.Job {
	t.Helper()
	request, fault := messages.ParsePreRecorded([]byte(`{"audio_url":"http://a/b","language_config":{"languages":["en"]}` + params + `}`))
	if fault != nil {
		t.Fatal(fault)
	}
	return transcribe.Job{ID: "job", Request: request, Recognizer: scripted.New(scripted.Config{}),
		Addons: registry.New(registry.Services{}, addon.Runner{})}
}

// transcriptOf runs the first two stages.
func transcriptOf(t *testing.T, j transcribe.Job, source transcribe.Source) transcribe.Transcript {
	t.Helper()
	r, err := transcribe.Decode(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	transcript, err := j.Transcribe(t.Context(), r)
	if err := errors.Join(err, r.Close()); err != nil {
		t.Fatal(err)
	}
	if len(transcript.Transcription.Utterances) == 0 {
		t.Fatal("nothing was recognized")
	}
	return transcript
}

// text is a value as JSON.
func text(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// said are the texts of each channel.
func said(us []messages.Utterance) map[int][]string {
	texts := map[int][]string{}
	for _, u := range us {
		texts[u.Channel] = append(texts[u.Channel], u.Text)
	}
	return texts
}

func interleave(channels ...[]byte) []byte { return audiotest.Interleave(channels...) }

func silence(seconds int) []byte { return make([]byte, seconds*32000) }
