package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"steno/audio"
	"steno/session/asr"
	"steno/session/asr/asrtest/corpus"
)

// otherSystem is another recognizer that testdata/compare/compare.py runs.
type otherSystem struct {
	name, system string
	model        func(b *testing.B) string // the folder of its model; skips where there is none
}

func noModel(*testing.B) string { return "" }

var otherSystems = []otherSystem{
	{"moonshine-voice", "moonshine_voice", noModel},
	{"  streamed", "moonshine_voice_streamed", noModel},
	{"sherpa-onnx", "sherpa_onnx", func(b *testing.B) string {
		return installedIn(b, filepath.Join(os.Getenv("STENO_TEST_MODELS"), "moonshine-tiny-en"),
			"STENO_TEST_MODELS has no moonshine-tiny-en")
	}},
	{"faster-whisper base", "faster_whisper", func(b *testing.B) string {
		return installedIn(b, filepath.Join(whisperLibrary(), "..", "model"),
			"make test-whisper installs faster-whisper")
	}},
	{"pocketsphinx_batch", "pocketsphinx_batch", noModel},
}

func installedIn(b *testing.B, folder, otherwise string) string {
	if _, err := os.Stat(folder); err != nil {
		b.Skip(otherwise)
	}
	return folder
}

// whisperLibrary is the folder with the packages that cmd/install-whisper.sh installs; empty: there
// is none.
func whisperLibrary() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	found, _ := filepath.Glob(filepath.Join(cache, "steno", "whisper-*", "lib"))
	return strings.Join(found[:min(1, len(found))], "")
}

// measureOthers has other recognizers hear the recordings of measureErrors, and scores them in the
// same way.
func measureOthers(b *testing.B, f *figures) {
	if os.Getenv("STENO_BENCH_OTHERS") == "" {
		b.Skip("other recognizers are fetched, 200 MB: STENO_BENCH_OTHERS=1 compares them")
	}
	folder, err := exec.Command("testdata/compare/install.sh").Output()
	if err != nil {
		b.Skipf("other recognizers cannot be installed: %v", err)
	}
	clips := clipsOf(b, "STENO_TEST_AUDIO", libriSpeech)
	files := clipsOf(b, "STENO_TEST_AUDIO", func(e corpus.Entry) bool {
		return slices.Contains(differentSpeech,
			e.File)
	})
	f.explain("other recognizers",
		fmt.Sprintf("Whole recordings, one after the other, in a process of its own: %d of LibriSpeech test-other, %d of different speech.", len(clips), len(files)),
		"Word errors as above, in %. Processor: seconds for a second of audio, loading left out. Memory: of the process, at most, in MB.")
	paths := writeClips(b, slices.Concat(clips, files))
	for _, o := range otherSystems {
		b.Run(strings.TrimSpace(o.name), func(b *testing.B) {
			heard, used := o.hear(b, strings.TrimSpace(string(folder)), o.model(b), paths)
			f.add("LibriSpeech", o.name, "%.1f", pooled(heardAs(clips, heard[:len(clips)])))
			f.add("different speech", o.name, "%.1f", mean(heardAs(files, heard[len(clips):])))
			f.add("processor", o.name, "%.3f", used.Processor/duration(clips, files))
			f.add("memory", o.name, "%.0f", used.Memory)
		})
	}
}

// writeClips writes recordings as WAV files, and returns their paths.
func writeClips(b *testing.B, clips []corpus.Clip) (paths []string) {
	dir := b.TempDir()
	for i, c := range clips {
		pcm := audio.AppendPCM(nil, c.Samples)
		header := audio.WAVHeader(pcmStream{}.Format(), int64(len(pcm)))
		path := filepath.Join(dir, fmt.Sprintf("%04d.wav", i))
		if err := os.WriteFile(path, append(header, pcm...), 0o600); err != nil {
			b.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// compared is a line that compare.py prints: a text, or what the whole took.
type compared struct {
	Text              string
	Processor, Memory float64
}

// hear returns what a recognizer makes of the files, and what it took.
func (o otherSystem) hear(b *testing.B, folder, model string, paths []string) (texts []string, used compared) {
	c := exec.Command("python3", "testdata/compare/compare.py", o.system, model)
	library := filepath.Join(folder, "lib")
	if o.system == "faster_whisper" {
		library = whisperLibrary()
	}
	c.Env = append(os.Environ(), "OMP_WAIT_POLICY=PASSIVE", "PYTHONPATH="+library)
	c.Stdin = strings.NewReader(strings.Join(paths, "\n") + "\n")
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		b.Fatalf("%v: %s", err, stderr.Bytes()[max(0, stderr.Len()-1000):])
	}
	for lines := json.NewDecoder(bytes.NewReader(out)); lines.More(); {
		var line compared
		if err := lines.Decode(&line); err != nil {
			b.Fatal(err)
		}
		texts, used = append(texts, line.Text), line
	}
	if texts = texts[:len(texts)-1]; len(texts) != len(paths) {
		b.Fatalf("%d texts of %d recordings", len(texts), len(paths))
	}
	return texts, used
}

// heardAs returns texts as transcriptions.
func heardAs(clips []corpus.Clip, texts []string) (all []transcription) {
	for i, c := range clips {
		all = append(all, transcription{clip: c, text: texts[i]})
	}
	return all
}

// duration returns how long recordings are, in seconds.
func duration(lists ...[]corpus.Clip) (sum float64) {
	for _, c := range slices.Concat(lists...) {
		sum += float64(len(c.Samples)) / asr.Rate
	}
	return sum
}
