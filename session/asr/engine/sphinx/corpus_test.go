//go:build linux && amd64

package sphinx

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"steno/session/asr"
)

// clip is a recording of read or spontaneous English with its words.
type clip struct {
	file    string
	words   []string
	samples []int16
}

// corpus reads every nth English recording with a transcript and a rate of 16 kHz from STENO_TEST_AUDIO.
func corpus(t testing.TB, nth int) []clip {
	t.Helper()
	dir := os.Getenv("STENO_TEST_AUDIO")
	if dir == "" {
		t.Skip("STENO_TEST_AUDIO is not set")
	}
	f, err := os.Open(filepath.Join(dir, "manifest.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []clip
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 0; lines.Scan(); {
		var m struct {
			File, Kind, Language, Transcript string
			Rate                             int `json:"sample_rate"`
		}
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			t.Fatal(err)
		}
		if m.Language != "en" || m.Kind != "speech" || m.Rate != asr.Rate {
			continue
		}
		if n++; n%nth != 0 {
			continue
		}
		out = append(out, clip{m.File, normal(m.Transcript), decoded(t, filepath.Join(dir, m.File))})
	}
	if len(out) == 0 {
		t.Skip("no English recordings in STENO_TEST_AUDIO")
	}
	return out
}

func decoded(t testing.TB, file string) []int16 {
	t.Helper()
	var stderr bytes.Buffer
	args := []string{"-nostdin", "-v", "error"}
	if filepath.Ext(file) == ".raw" {
		args = append(args, "-f", "s16le", "-ar", "16000", "-ac", "1")
	}
	c := exec.Command("ffmpeg", append(args, "-i", file, "-f", "s16le", "-ar", "16000", "-ac", "1", "-")...)
	c.Stderr = &stderr
	b, err := c.Output()
	if err != nil {
		t.Skipf("Debian package ffmpeg: %v: %s", err, stderr.Bytes())
	}
	out := make([]int16, len(b)/2)
	for i := range out {
		out[i] = int16(uint16(b[2*i]) | uint16(b[2*i+1])<<8)
	}
	return out
}

var notWord = regexp.MustCompile(`[^a-z0-9' ]+`)

// normal brings two ways of writing to one: lower case, no punctuation, no hesitations, titles in full.
func normal(text string) []string {
	spelt := map[string]string{"mr": "mister", "mrs": "missus", "dr": "doctor", "okay": "ok", "um": "", "uh": ""}
	var out []string
	for _, w := range strings.Fields(notWord.ReplaceAllString(strings.ToLower(strings.ReplaceAll(text, "’", "'")), " ")) {
		w = strings.Trim(w, "'")
		if s, ok := spelt[w]; ok {
			w = s
		}
		if w != "" {
			out = append(out, w)
		}
	}
	return out
}

// utterances cuts a clip where the power stays low for pause samples, after longest samples at the latest; pre-roll and
// closing silence belong to the utterance, none overlap. It is as simple as can be: speech is what lies 9 dB above the
// clip's floor.
func utterances(samples []int16, pause, longest int) [][]int16 {
	const preroll = asr.Rate / 5
	loud := loudFrames(samples)
	var out [][]int16
	begin, quiet, free := -1, 0, 0
	for i, l := range loud {
		at := (i + 1) * frame
		switch {
		case begin < 0 && l:
			begin, quiet = max(i*frame-preroll, free), 0
		case begin >= 0 && l:
			quiet = 0
		case begin >= 0:
			quiet += frame
		}
		if begin >= 0 && (quiet >= pause || at-begin >= longest) {
			out = append(out, samples[begin:at])
			begin, free = -1, at
		}
	}
	if begin >= 0 {
		out = append(out, samples[begin:])
	}
	return out
}

func loudFrames(samples []int16) []bool {
	var level []float64
	for i := 0; i+frame <= len(samples); i += frame {
		power, before := 1.0, 0.0
		for _, v := range samples[i : i+frame] {
			d := float64(v) - 0.9*before
			before = float64(v)
			power += d * d / frame
		}
		level = append(level, 10*math.Log10(power))
	}
	ranked := slices.Sorted(slices.Values(level))
	floor := ranked[len(ranked)/20]
	out := make([]bool, len(level))
	for i, l := range level {
		out[i] = l > floor+9
	}
	return out
}

// score is the count of errors against a reference.
type score struct{ words, errors int }

func (s score) wer() float64 { return float64(s.errors) / float64(max(s.words, 1)) }

// align finds the fewest substitutions, deletions and insertions that make said out of heard, and which of the words
// heard are right.
func align(said, heard []string) (errors int, right []bool) {
	cost := make([][]int, len(said)+1)
	for i := range cost {
		cost[i] = make([]int, len(heard)+1)
		for j := range cost[i] {
			switch {
			case i == 0:
				cost[i][j] = j
			case j == 0:
				cost[i][j] = i
			default:
				cost[i][j] = min(cost[i-1][j-1]+unequal(said[i-1], heard[j-1]), cost[i-1][j]+1, cost[i][j-1]+1)
			}
		}
	}
	right = make([]bool, len(heard))
	for i, j := len(said), len(heard); i > 0 && j > 0; {
		switch {
		case cost[i][j] == cost[i-1][j-1]+unequal(said[i-1], heard[j-1]):
			i, j = i-1, j-1
			right[j] = said[i] == heard[j]
		case cost[i][j] == cost[i-1][j]+1:
			i--
		default:
			j--
		}
	}
	return cost[len(said)][len(heard)], right
}

func unequal(a, b string) int {
	if a == b {
		return 0
	}
	return 1
}

// judged is a word heard: how sure the recognizer was and whether it was right.
type judged struct {
	confidence float64
	right      bool
}

// auc is the probability that a right word has a higher confidence than a wrong one, ties counting half.
func auc(all []judged) float64 {
	var sum, pairs float64
	for _, r := range all {
		for _, w := range all {
			if !r.right || w.right {
				continue
			}
			pairs++
			switch {
			case r.confidence > w.confidence:
				sum++
			case r.confidence == w.confidence:
				sum += 0.5
			}
		}
	}
	return sum / max(pairs, 1)
}
