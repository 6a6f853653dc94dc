package transcribe_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"steno/audio"
	"steno/audio/audiotest"
	"steno/audio/media"
	"steno/messages"
	"steno/session/transcribe"
)

// The result has what the job asks for, and the transcript stays as it was.
func TestEnrich(t *testing.T) {
	source, _ := recordingOf(audiotest.Speech(4, 12), 16000, 1)
	job := jobOf(t, `,"sentences":true,"subtitles":true,"summarization":true`)
	transcript := transcriptOf(t, job, source)
	before := text(t, transcript)
	transcript.Diarization = &messages.AddonResult[messages.List[messages.Utterance]]{IsEmpty: true}
	result, err := job.Enrich(t.Context(), transcript)
	if err != nil {
		t.Fatal(err)
	}
	if result.Summarization == nil || len(result.Sentences.Results) == 0 || len(result.Transcription.Subtitles) != 1 ||
		result.Diarization != transcript.Diarization || result.Translation != nil || len(result.Silences) != 0 {
		t.Errorf("result %s", text(t, result))
	}
	if transcript.Diarization = nil; text(t, transcript) != before {
		t.Error("the transcript was changed")
	}
}

// What is hidden is silent, a little longer than its words, also on the channels that were not
// transcribed; the rest of the copy is the recording.
func TestRedact(t *testing.T) {
	decoder, err := media.New(media.Config{Sandbox: media.NoSandbox})
	if err != nil {
		t.Skip(err)
	}
	a := audiotest.Speech(5, 5)
	both := interleave(a, a)
	source, _ := recordingOf(both, 16000, 2)
	job := jobOf(t, `,"pii_redaction":true,"pii_redaction_config":{"entity_types":["CREDIT_CARD"]}`)
	transcript := transcriptOf(t, job, source)
	first := &transcript.Transcription.Utterances[0]
	start, end := first.Start, first.End
	*first = messages.Utterance{Start: start, End: end, Language: "en", Text: "4111 1111 1111 1111"}
	for i, word := range strings.Fields(first.Text) {
		at := start + (end-start)*float64(i)/4
		first.Words = append(first.Words, messages.Word{Word: word, Start: at, End: at + (end-start)/4})
	}
	result, err := job.Enrich(t.Context(), transcript)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(result.Silences); n != 2 || result.Silences[0].Start >= start || result.Silences[0].End <= end ||
		result.Silences[1].Channel != 1 {
		t.Fatalf("silences %+v of %q", result.Silences, result.Transcription.FullTranscript)
	}
	var flac bytes.Buffer
	if err := transcript.Redact(t.Context(), source, decoder, result.Silences, &flac); err != nil {
		t.Fatal(err)
	}
	sound := decoded(t, decoder, flac.Bytes())
	from, to := int(start*16000)*4, int(end*16000)*4
	if len(sound) != len(both) || !slices.Equal(sound[:from-4*1600], both[:from-4*1600]) ||
		slices.ContainsFunc(sound[from:to], func(b byte) bool { return b != 0 }) {
		t.Errorf("%d bytes of %d", len(sound), len(both))
	}
}

// decoded are the samples of a file.
func decoded(t *testing.T, d *media.Decoder, file []byte) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.flac")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	stream, err := transcribe.File(d, path)(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(stream); err != nil || stream.Format() != (audio.Format{BitDepth: 16, SampleRate: 16000,
		Channels: 2}) {
		t.Fatalf("%+v: %v", stream.Format(), err)
	}
	return b.Bytes()
}

// A source that returns other samples than before is not copied.
func TestRedactOtherSamples(t *testing.T) {
	decoder, err := media.New(media.Config{Sandbox: media.NoSandbox})
	if err != nil {
		t.Skip(err)
	}
	source, _ := recordingOf(audiotest.Speech(4, 12), 16000, 1)
	transcript := transcriptOf(t, jobOf(t, ``), source)
	shorter, _ := recordingOf(audiotest.Speech(3, 12), 16000, 1)
	if err := transcript.Redact(t.Context(), shorter, decoder, nil, new(bytes.Buffer)); err == nil {
		t.Error("copied another recording")
	}
	missing := func(context.Context) (transcribe.Stream, error) { return nil, errBroken }
	if err := transcript.Redact(t.Context(), missing, decoder, nil, new(bytes.Buffer)); err != errBroken {
		t.Errorf("error %v", err)
	}
}
