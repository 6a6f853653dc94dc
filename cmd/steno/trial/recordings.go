package trial

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"steno/session/asr/models"
)

// spokenTest is a recording that came with a model.
type spokenTest struct {
	path     string
	name     string // of the file
	text     string // what is said; empty: not known
	language string // code of the API; empty: not known
}

// maxSpokenTests bounds the recordings that are decoded to test a model.
const maxSpokenTests = 6

// spokenTests finds the recordings that came with a model: WAV files in its folder, or in test_wavs
// below. What is said in them is in NAME.txt beside NAME.wav, or in trans.txt, whose lines are a
// name and a text.
func spokenTests(e models.Entry, dir string) (tests []spokenTest) {
	for _, folder := range []string{filepath.Join(dir, "test_wavs"), dir} {
		paths, err := filepath.Glob(filepath.Join(folder, "*.[wW][aA][vV]"))
		if err != nil {
			continue // only of a bad pattern, which the folder's name may make it
		}
		slices.Sort(paths)
		listed := transcriptList(filepath.Join(folder, "trans.txt"))
		for _, path := range paths {
			file := filepath.Base(path)
			name := strings.TrimSuffix(file, filepath.Ext(file))
			t := spokenTest{path: path, name: file, text: listed[name], language: testLanguage(e, name)}
			if text, err := os.ReadFile(filepath.Join(folder, name+".txt")); err == nil && len(text) < maxTestText {
				t.text = strings.TrimSpace(string(text))
			}
			tests = append(tests, t)
		}
	}
	return tests[:min(len(tests), maxSpokenTests)]
}

// maxTestText bounds a transcript that came with a model, in bytes.
const maxTestText = 64 << 10

// transcriptList reads lines of a name, with or without .wav, and a text. What cannot be read is
// not known.
func transcriptList(path string) map[string]string {
	list := map[string]string{}
	file, err := os.Open(path)
	if err != nil {
		return list
	}
	defer file.Close() //nolint:errcheck // only read
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, maxTestText)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if end := strings.IndexAny(line, " \t|"); end > 0 {
			list[strings.TrimSuffix(line[:end], ".wav")] = strings.Trim(line[end:], " \t|")
		}
	}
	return list
}

// testLanguage returns the language of a recording: files are named by it, such as de.wav; else it
// is the model's only one.
func testLanguage(e models.Entry, name string) string {
	code, _, _ := strings.Cut(name, "-")
	switch {
	case slices.Contains(e.Languages, code):
		return code
	case len(e.Languages) == 1:
		return e.Languages[0]
	}
	return ""
}
