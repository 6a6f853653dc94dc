package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"steno/cmd/steno/config"
	"steno/session/asr/local"
	"steno/session/asr/riva/pool"
)

const escape = "\x1b["

// The format for people has colours on a terminal, and nowhere else.
func TestNoColoursIntoAPipe(t *testing.T) {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	log, err := logger(config.Log{Level: "info", Format: "console"}, "n", writer, []string{"TERM=xterm-256color"})
	if err != nil {
		t.Fatal(err)
	}
	log.Warn().Str("key", "value").Msg("hello")
	writer.Close()
	var got bytes.Buffer
	if _, err := got.ReadFrom(reader); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(got.String(), "hello") || strings.Contains(got.String(), escape) {
		t.Errorf("into a pipe: %q", got.String())
	}
}

func TestColoursOnATerminal(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	defer terminal.Close()
	for _, tc := range []struct {
		environ []string
		want    bool
	}{
		{[]string{"TERM=xterm"}, true}, {nil, true}, {[]string{"NO_COLOR="}, true},
		{[]string{"NO_COLOR=1"}, false}, {[]string{"TERM=dumb"}, false},
	} {
		if got := colours(terminal, tc.environ); got != tc.want {
			t.Errorf("%q: colours %t", tc.environ, got)
		}
	}
}

// Durations in the log have units.
func TestLogHasUnits(t *testing.T) {
	var lines bytes.Buffer
	log, err := logger(config.Log{Level: "info", Format: "json"}, "n", &lines, nil)
	if err != nil {
		t.Fatal(err)
	}
	watch := engineLog(log)
	watch.Process("sphinx", local.Event{Kind: local.Ready, Took: 1234567 * time.Microsecond})
	watch.Process("sphinx", local.Event{RestartIn: 2 * time.Second})
	watch.Server("gpu", pool.Change{Wait: 500 * time.Millisecond})
	var all struct {
		Took      string
		RestartIn string `json:"restart_in"`
		AgainIn   string `json:"again_in"`
	}
	for line := range strings.Lines(lines.String()) {
		if err := json.Unmarshal([]byte(line), &all); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	if all.Took != "1.235s" || all.RestartIn != "2s" || all.AgainIn != "500ms" {
		t.Errorf("%+v", all)
	}
}

// zerolog writes durations as bare numbers, so nothing uses its methods for them.
func TestNoBareDurationsAreLogged(t *testing.T) {
	bare := regexp.MustCompile(`\.Durs?\(`)
	for _, pattern := range []string{"*.go", "../*/*.go", "../../gateway/*.go", "../../gateway/*/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no files: %v", pattern, err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if at := bare.FindIndex(text); at != nil && !strings.HasSuffix(name, "_test.go") {
				t.Errorf("%s:%d: a duration without unit, use Stringer", name, 1+bytes.Count(text[:at[0]],
					[]byte("\n")))
			}
		}
	}
}
