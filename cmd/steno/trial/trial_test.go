package trial

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"steno/session/asr/models"
	"steno/session/asr/wer"
)

// What is said in a recording lies beside it, in one of two ways, and its language may be its name.
func TestRecordingsOfAModel(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"test_wavs/de.wav": "", "test_wavs/fr-long.wav": "", "test_wavs/1.wav": "", "test_wavs/1.txt": " One. \n",
		"test_wavs/0.mp3":     "",
		"test_wavs/trans.txt": "de.wav\tguten Tag\nfr-long bonjour\n", "a.WAV": "", "trans.txt": "",
	} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err !=
			nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, s := range spokenTests(models.Entry{Languages: []string{"de", "fr"}}, dir) {
		got = append(got, s.name+"|"+s.language+"|"+s.text)
	}
	if want := "1.wav||One.\nde.wav|de|guten Tag\nfr-long.wav|fr|bonjour\na.WAV||"; strings.Join(got, "\n") != want {
		t.Errorf("found %q", got)
	}
}

// A model that hears nothing, or nonsense, is refused; a slow one is taken, and said to be slow.
func TestJudge(t *testing.T) {
	for _, c := range []struct {
		sum             heard
		prints, refused string
	}{
		{heard{some: 1, audio: 2, took: time.Second}, "real-time factor 0.50", ""},
		{heard{some: 1, audio: 1, took: 2 * time.Second}, "too slow for live sessions", ""},
		{heard{audio: 1}, "real-time factor", "it hears nothing"},
		{heard{some: 1, audio: 1, score: wer.Of("one two three four", "a b c d", "en")}, "100.0 % of 4 words",
			"its word error rate is 100.0 %"},
		{heard{some: 1, audio: 1, score: wer.Of("one two three", "a b c", "en")}, "100.0 % of 3 words", ""},
	} {
		var out bytes.Buffer
		err := Trial{Out: &out}.judge(models.Entry{Name: "m"}, c.sum)
		if (err != nil) != (c.refused != "") || err != nil && !strings.HasPrefix(err.Error(), c.refused) {
			t.Errorf("%+v: %v", c.sum, err)
		}
		if !strings.Contains(out.String(), c.prints) {
			t.Errorf("%+v: no %q in %s", c.sum, c.prints, &out)
		}
	}
}

// What a program writes cannot command a terminal.
func TestPrintable(t *testing.T) {
	if got := printable("a\x1b[2J  b\n\xffc"); got != "a [2J b ?c" {
		t.Errorf("%q", got)
	}
}
