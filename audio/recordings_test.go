package audio

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Real WAV files, of many writers, are read with the length their manifest knows. STENO_TEST_AUDIO
// names their folder.
func TestRecordedFiles(t *testing.T) {
	folder := os.Getenv("STENO_TEST_AUDIO")
	if folder == "" {
		t.Skip("STENO_TEST_AUDIO is not set")
	}
	manifest, err := os.Open(filepath.Join(folder, "manifest.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer manifest.Close()
	read := 0
	lines := bufio.NewScanner(manifest)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var clip struct {
			File       string  `json:"file"`
			Seconds    float64 `json:"duration_s"`
			SampleRate int     `json:"sample_rate"`
			Channels   int     `json:"channels"`
		}
		if err := json.Unmarshal(lines.Bytes(), &clip); err != nil {
			t.Fatal(err)
		}
		known := Format{PCM, 16, clip.SampleRate, clip.Channels}.Validate() == nil
		if !strings.HasSuffix(clip.File, ".wav") || !known {
			continue
		}
		f, b := readWAV(t, filepath.Join(folder, clip.File))
		if f.SampleRate != clip.SampleRate || f.Channels != clip.Channels ||
			math.Abs(f.Seconds(int64(len(b)))-clip.Seconds) > 0.02 {
			t.Errorf("%s: %v, %.3f s; the manifest says %d Hz, %d channels, %.3f s", clip.File, f,
				f.Seconds(int64(len(b))), clip.SampleRate, clip.Channels, clip.Seconds)
		}
		read++
	}
	if err := lines.Err(); err != nil || read == 0 {
		t.Errorf("%d files read, %v", read, err)
	}
	t.Logf("%d files", read)
}
