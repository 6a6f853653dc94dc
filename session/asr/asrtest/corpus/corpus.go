// Package corpus reads recordings with transcripts for tests and benchmarks, and scores recognized
// words against spoken ones.
package corpus

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"steno/audio"
	"steno/session/asr"
)

// Entry is a line of the corpus's manifest.
type Entry struct {
	File       string // relative to the corpus
	Kind       string // "speech", …
	Language   string
	Transcript string
	Seconds    float64 `json:"duration_s"`
	Rate       int     `json:"sample_rate"`
	Channels   int     `json:"channels"`
	RTTM       path    `json:"rttm"` // file of speaker turns, relative to the corpus; empty: none
}

// path is empty where a manifest has something else, such as the turns themselves.
type path string

func (p *path) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*p = path(s)
	}
	return nil
}

// Source is the folder the recording lies in.
func (e Entry) Source() string { return filepath.Dir(e.File) }

// Clip is a recording of speech.
type Clip struct {
	Entry
	Words   []string // the transcript, as by Words
	Samples []int16  // mono, 16 kHz
}

// Read returns the recordings that are wanted, decoded. It skips the test where the environment
// variable STENO_TEST_AUDIO names no folder with a manifest.jsonl, an Entry a line.
func Read(t testing.TB, want func(Entry) bool) []Clip {
	t.Helper()
	return ReadFolder(t, "STENO_TEST_AUDIO", want)
}

// ReadFolder is Read for the folder that another environment variable names.
func ReadFolder(t testing.TB, variable string, want func(Entry) bool) []Clip {
	t.Helper()
	dir := os.Getenv(variable)
	if dir == "" {
		t.Skip(variable + " is not set")
	}
	f, err := os.Open(filepath.Join(dir, "manifest.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var clips []Clip
	var files []string
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e Entry
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		if want(e) {
			clips = append(clips, Clip{Entry: e, Words: Words(e.Transcript)})
			files = append(files, filepath.Join(dir, e.File))
		}
	}
	if len(clips) == 0 {
		t.Skip("no such recordings in " + variable)
	}
	for i, samples := range decodeAll(t, files) {
		clips[i].Samples = samples
	}
	return clips
}

// Decode returns the samples of any recording, mixed to mono at 16 kHz; a .raw file has that form
// already. It skips the test where ffmpeg is missing.
func Decode(t testing.TB, file string) []int16 {
	t.Helper()
	return decodeAll(t, []string{file})[0]
}

// together is how many files a process of ffmpeg decodes: to start it takes longer than to decode
// most of them.
const together = 32

// decodeAll is Decode for several files.
func decodeAll(t testing.TB, files []string) (all [][]int16) {
	t.Helper()
	ffmpeg, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Skipf("Debian package ffmpeg: %v", err)
	}
	for some := range slices.Chunk(files, together) {
		all = append(all, decodeSome(t, ffmpeg, some)...)
	}
	return all
}

func decodeSome(t testing.TB, ffmpeg string, files []string) [][]int16 {
	t.Helper()
	dir := t.TempDir()
	args, out := []string{"-nostdin", "-v", "error"}, []string(nil)
	for i, file := range files {
		if filepath.Ext(file) == ".raw" {
			args = append(args, "-f", "s16le", "-ar", "16000", "-ac", "1")
		}
		args = append(args, "-i", file)
		out = append(out, "-map", fmt.Sprint(i, ":a:0"), "-f", "s16le", "-ar", "16000", "-ac", "1",
			filepath.Join(dir, fmt.Sprint(i)))
	}
	if text, err := exec.Command(ffmpeg, append(args, out...)...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %v: %s", files, err, text)
	}
	samples := make([][]int16, len(files))
	for i := range files {
		b, err := os.ReadFile(filepath.Join(dir, fmt.Sprint(i)))
		if err != nil {
			t.Fatal(err)
		}
		samples[i] = Samples(b)
	}
	return samples
}

// Samples reads 16-bit little-endian PCM.
func Samples(pcm []byte) []int16 {
	out := make([]int16, len(pcm)/2)
	audio.DecodePCM(out, pcm)
	return out
}

// DebianFolder is where Debian's package pocketsphinx-testdata has its recordings and small models.
const DebianFolder = "/usr/share/pocketsphinx/test/data"

// wavHeader is the length of the header of its .wav files.
const wavHeader = 44

// Debian returns the samples of a recording, a .raw or .wav file in [DebianFolder], mono at 16 kHz.
// It skips the test where that is missing.
func Debian(t testing.TB, name string) []int16 {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(DebianFolder, name))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("Debian package pocketsphinx-testdata: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Ext(name) == ".wav" {
		b = b[wavHeader:]
	}
	return Samples(b)
}

// ReadEnglish reports whether a recording is read English at 16 kHz (the others are conversations,
// single digits, and noises).
func ReadEnglish(e Entry) bool {
	if e.Language != "en" || e.Kind != "speech" || e.Rate != asr.Rate || e.Transcript == "" {
		return false
	}
	name := filepath.Base(e.File)
	switch e.Source() {
	case "pocketsphinx":
		return strings.HasPrefix(name, "sense_and_sensibility")
	case "jfk", "azure", "mfa", "librispeech-test-other":
		return true
	default:
		return false
	}
}

var notWord = regexp.MustCompile(`[^a-z0-9' ]+`)

// spelt maps different spellings of a word to one; hesitations are no words.
var spelt = map[string]string{"mr": "mister", "mrs": "missus", "dr": "doctor", "okay": "ok", "um": "", "uh": ""}

// symbols are written for words.
var symbols = strings.NewReplacer("’", "'", "&", " and ", "per cent", "percent", "Per cent", "percent")

// Words normalizes a transcript: lower case, no punctuation, hyphens or hesitations, titles and
// numbers in full.
func Words(text string) []string {
	var out []string
	text = spellNumbers(strings.ToLower(symbols.Replace(text)))
	for _, w := range strings.Fields(notWord.ReplaceAllString(text, " ")) {
		w = strings.Trim(w, "'")
		if s, ok := spelt[w]; ok {
			w = s
		}
		if w != "" {
			out = append(out, w)
		}
	}
	return withoutAnd(out)
}
