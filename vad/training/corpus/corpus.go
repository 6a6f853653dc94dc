// Package corpus reads recordings of speech and labels their frames, for fitting and
// testing speech detection.
package corpus

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Frame is the length of a labelled frame in samples: 10 ms.
const Frame = 160

// Rate is the number of samples per second of everything read.
const Rate = 16000

// Label is what a frame contains.
type Label byte

// The labels. Unclear frames count neither way.
const (
	Silence Label = iota
	Speech
	Unclear
)

// Clip is a recording: mono, 16 kHz, full scale 1, a whole number of frames.
type Clip struct {
	Name    string
	Samples []float64
	Labels  []Label // one per frame
	Source  string  // where it is from, as the manifest has it
	Licence string  // as well
	Speaker string  // "" if unknown
	Text    string  // what is said; "" if unknown
}

// Corpus is a folder of recordings with a manifest.jsonl.
type Corpus struct {
	Folder  string
	entries []entry
}

// entry is a line of the manifest. The turns of speakers are either the name of an RTTM
// file or pairs of start and duration.
type entry struct {
	File    string          `json:"file"`
	Source  string          `json:"source_repo"`
	Licence string          `json:"licence"`
	Speaker string          `json:"speaker"`
	Text    string          `json:"transcript"`
	RTTM    json.RawMessage `json:"rttm"`
}

// Open reads the manifest of folder.
func Open(folder string) (*Corpus, error) {
	raw, err := os.ReadFile(filepath.Join(folder, "manifest.jsonl"))
	if err != nil {
		return nil, fmt.Errorf("read manifest: %w", err)
	}
	c := &Corpus{Folder: folder}
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e entry
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return nil, fmt.Errorf("parse manifest: %w", err)
		}
		c.entries = append(c.entries, e)
	}
	return c, lines.Err()
}

// Clips reads the recordings whose file names begin with prefix, in the manifest's
// order. Those with speaker turns are labelled by them, the others not at all.
func (c *Corpus) Clips(prefix string) ([]Clip, error) {
	wanted := slices.DeleteFunc(slices.Clone(c.entries), func(e entry) bool {
		return !strings.HasPrefix(e.File,
			prefix)
	})
	if len(wanted) == 0 {
		return nil, fmt.Errorf("no recordings %s* in the manifest", prefix)
	}
	paths := make([]string, len(wanted))
	for i, e := range wanted {
		paths[i] = filepath.Join(c.Folder, e.File)
	}
	samples, err := readAll(paths)
	if err != nil {
		return nil, err
	}
	out := make([]Clip, len(wanted))
	for i, e := range wanted {
		out[i] = Clip{
			Name: strings.TrimSuffix(filepath.Base(e.File), filepath.Ext(e.File)), Samples: samples[i],
			Source: e.Source, Licence: e.Licence, Speaker: e.Speaker, Text: e.Text,
		}
		if len(e.RTTM) == 0 || string(e.RTTM) == "null" {
			continue
		}
		if out[i].Labels, err = c.labels(e.RTTM, len(samples[i])/Frame); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Titles are the recordings whose file starts with prefix, without their samples.
func (c *Corpus) Titles(prefix string) []Clip {
	var out []Clip
	for _, e := range c.entries {
		if strings.HasPrefix(e.File, prefix) {
			name := strings.TrimSuffix(filepath.Base(e.File), filepath.Ext(e.File))
			out = append(out, Clip{Name: name, Source: e.Source, Licence: e.Licence, Speaker: e.Speaker, Text: e.Text})
		}
	}
	return out
}

// labels are those of the turns that a line of the manifest tells or names.
func (c *Corpus) labels(rttm json.RawMessage, frames int) ([]Label, error) {
	var file string
	if json.Unmarshal(rttm, &file) == nil {
		return turns(filepath.Join(c.Folder, file), frames)
	}
	var pairs [][2]float64
	if err := json.Unmarshal(rttm, &pairs); err != nil {
		return nil, fmt.Errorf("parse turns: %w", err)
	}
	labels := make([]Label, frames)
	for _, p := range pairs {
		speak(labels, p[0], p[1])
	}
	return labels, nil
}

func speak(labels []Label, start, long float64) {
	for i := max(0, int(start*100)); i < min(len(labels), int((start+long)*100)); i++ {
		labels[i] = Speech
	}
}

// turns labels the union of the speaker turns of an RTTM file as speech.
func turns(path string, frames int) ([]Label, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	labels := make([]Label, frames)
	for line := range strings.Lines(string(raw)) {
		var start, long float64
		if n, _ := fmt.Sscanf(line, "SPEAKER %s %s %f %f", new(string), new(string), &start, &long); n < 4 {
			continue
		}
		speak(labels, start, long)
	}
	return labels, nil
}
