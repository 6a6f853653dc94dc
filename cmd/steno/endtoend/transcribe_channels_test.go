package endtoend_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"steno/audio"
	"steno/messages"
)

// TestTranscribeChannels has channels that hold the same transcribed once, under their number in
// the file, as jobs do.
func TestTranscribeChannels(t *testing.T) {
	sound := austen(t).pcm
	var wav bytes.Buffer
	wav.Write(audio.WAVHeader(audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: 16000, Channels: 3},
		int64(3*len(sound))))
	for i := 0; i < len(sound); i += 2 {
		wav.Write([]byte{0, 0, sound[i], sound[i+1], sound[i], sound[i+1]})
	}
	path := filepath.Join(t.TempDir(), "a.wav")
	if err := os.WriteFile(path, wav.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), filepath.Join(build(t), "steno"), "transcribe", "--json", "--engine",
		"scripted", path).Output()
	var result messages.PreRecordedResult
	if err == nil {
		err = json.Unmarshal(out, &result)
	}
	if err != nil || result.Metadata.NumberOfDistinctChannels != 1 || len(result.Transcription.Utterances) == 0 {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, u := range result.Transcription.Utterances {
		if u.Channel != 1 {
			t.Errorf("%+v", u)
		}
	}
}
